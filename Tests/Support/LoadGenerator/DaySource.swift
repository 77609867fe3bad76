import Contracts
public import Primitives
import SimulatedPeople

/// Whole days of many people as their devices measured them, vital signs every 30 s, day after day: for each person and day one
/// upload of the watch and one of the phone. Days of a few wearers are made once; people share them, on the same weekdays.
public final class DaySource: LoadSource {
    /// Of each person, for the tokens: the watch, then the phone.
    public static let devicesEach = 2
    private static let wearersMax = 16
    /// The offset from UTC that all days are told in, and their pattern is of: a Monday, by summer time.
    private static let zoneMilliseconds: Int64 = 2 * 3_600_000
    private static let pattern = CalendarDate(daysSinceEpoch: 20_619)

    private let tokens: DeviceTokens
    private let people: LoadPeople
    private let count: Int
    private let days: [CalendarDate]
    private let wearers: Int
    /// By wearer, weekday and device; those who are ill follow.
    private let bodies: [UploadBody?]
    private var writer: UploadWriter
    private let firstNumber: Int64
    private var turn = 0
    private let stored = Array(#""refused_count":0"#.utf8)
    /// In what was sent so far.
    public private(set) var samples = 0
    public let requestBytesMax: Int

    /// How many uploads there are.
    public var uploads: Int { count * days.count * Self.devicesEach }

    /// - `tokens`: of `devicesEach` devices of each person.
    /// - `days`: in their order, at least one.
    public init(
        _ days: [CalendarDate], tokens: DeviceTokens, host: String, people: LoadPeople = LoadPeople(),
        at now: Timestamp = .now()
    ) {
        precondition(tokens.devicesEach == Self.devicesEach && !days.isEmpty, "tokens of other devices, or no days")
        self.tokens = tokens
        self.people = people
        self.days = days
        count = tokens.count / Self.devicesEach
        wearers = min(Self.wearersMax, count)
        firstNumber = now.milliseconds
        let weekdays = Set(days.map(Self.weekday))
        var bodies: [UploadBody?] = []
        for isIll in people.illnessShare > 0 ? [false, true] : [false] {
            for wearer in 0..<wearers {
                for weekday in 0..<7 {
                    bodies +=
                        weekdays.contains(weekday)
                        ? Self.bodies(of: people.wearer(wearer, isIll: isIll), weekday) : [nil, nil]
                }
            }
        }
        self.bodies = bodies
        writer = UploadWriter(host: host)
        requestBytesMax = writer.requestBytesMax(bodies.compactMap(\.self), tokenBytes: tokens.bytesEach)
    }

    private static func bodies(of wearer: SimulatedWearer, _ weekday: Int) -> [UploadBody] {
        let day = wearer.day(pattern.adding(days: weekday))
        return [day.watch, day.phone].map { UploadBody($0, spanMilliseconds: 86_400_000) }
    }

    /// From Monday, 0.
    private static func weekday(_ day: CalendarDate) -> Int { ((Int(day.daysSinceEpoch) + 3) % 7 + 7) % 7 }

    public func next(into target: UnsafeMutablePointer<UInt8>, at now: Timestamp) throws -> Int {
        precondition(turn < uploads, "more uploads than there are days")
        let (device, rest) = (turn % Self.devicesEach, turn / Self.devicesEach)
        let (person, number) = (rest % count, rest / count)
        turn += 1
        let wearer = person % wearers + (people.isIll(person) ? wearers : 0)
        guard let body = bodies[(wearer * 7 + Self.weekday(days[number])) * Self.devicesEach + device] else {
            preconditionFailure("a weekday of none of the days")
        }
        samples += body.sampleCount
        return writer.write(
            body, number: firstNumber + Int64(number),
            token: try tokens.bytes(person * Self.devicesEach + device, at: now), sentAt: now.milliseconds,
            start: days[number].startUTC.milliseconds - Self.zoneMilliseconds, into: target)
    }

    public func isGood(_ body: UnsafeBufferPointer<UInt8>) -> Bool { body.position(of: stored) != nil }
}

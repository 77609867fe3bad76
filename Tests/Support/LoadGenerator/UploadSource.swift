import Contracts
import Domain
import Glibc
public import Primitives
import SimulatedPeople

/// Uploads of many people in turn, as their watches send them. Bodies are made once; of each upload only the head, the
/// number and the times are written.
public final class UploadSource: LoadSource {
    /// What stands in an upload.
    public enum Content: Sendable {
        /// The vital signs of one moment, which is now: five samples.
        case live
        /// Vital signs of `turns` moments each, going back from `end` towards the past or on from `begin`.
        case history(turns: Int, from: Timestamp)
    }

    /// Different bodies.
    private static let bodiesMax = 2048
    private static let seed: UInt64 = 118
    /// Samples were measured so long before an upload is sent.
    private static let readingAge: Int64 = 300

    private let tokens: DeviceTokens
    private let bodies: [UploadBody]
    private let content: Content
    private let people: Range<Int>
    private let head: [UInt8]
    private let middle: [UInt8]
    private let stored: [UInt8]
    /// Numbers rise from run to run, so that no upload of a run is a repeat of an earlier run's.
    private let firstNumber: Int64
    /// How many uploads each person has sent.
    private var sent: [Int32]
    private var turn: Int
    private var bodyTurn = 0
    private var (sentText, startText) = (TimeText(), TimeText())
    public let requestBytesMax: Int
    public var samplesEach: Int { bodies[0].sampleCount }

    /// - `people`: those whose turn it is, of those who have tokens.
    public init(
        _ content: Content, of people: Range<Int>, tokens: DeviceTokens, host: String, at now: Timestamp = .now()
    ) {
        precondition(!people.isEmpty && people.upperBound <= tokens.count, "people without tokens")
        self.content = content
        self.people = people
        self.tokens = tokens
        turn = people.lowerBound
        firstNumber = now.milliseconds
        sent = [Int32](repeating: 0, count: people.count)
        switch content {
        case .live: bodies = Self.bodies(turns: 1)
        case .history(let turns, _): bodies = Self.bodies(turns: turns)
        }
        head = Array(
            "POST /ingestion/v1/uploads HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                .utf8)
        middle = Array("\r\nContent-Length: ".utf8)
        stored = Array("\"stored\":\(bodies[0].sampleCount),".utf8)
        requestBytesMax = head.count + tokens.bytesEach + middle.count + 32 + (bodies.map(\.bytes.count).max() ?? 0)
    }

    /// From the vital signs of a few wearers, at all times of a day.
    private static func bodies(turns: Int) -> [UploadBody] {
        var bodies: [UploadBody] = []
        let day = CalendarDate(daysSinceEpoch: 20_610)
        let interval = SimulatedDensity().vitalsEvery.milliseconds
        var wearer = 0
        while bodies.count < bodiesMax {
            let series = SimulatedWearer(seed: seed, number: wearer).vitals(on: day)
            wearer += 1
            // Readings that lack a type would make uploads of different sizes.
            let count = series.map(\.count).min() ?? 0
            let step = max(turns, count / 64)
            for first in stride(from: 0, through: count - turns, by: step) {
                let slices = series.map { $0.slice(first..<first + turns, interval: interval) }
                bodies.append(UploadBody(slices, spanMilliseconds: Int64(turns) * interval))
                if bodies.count == bodiesMax { break }
            }
        }
        return bodies
    }

    public func next(into target: UnsafeMutablePointer<UInt8>, at now: Timestamp) throws -> Int {
        let person = turn
        turn = turn + 1 == people.upperBound ? people.lowerBound : turn + 1
        bodyTurn = (bodyTurn + 1) % bodies.count
        let number = sent[person - people.lowerBound]
        sent[person - people.lowerBound] = number + 1
        var end = target
        func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard let base = bytes.baseAddress else { return }
            end.update(from: base, count: bytes.count)
            end += bytes.count
        }
        head.withUnsafeBufferPointer(add)
        add(try tokens.bytes(person, at: now))
        middle.withUnsafeBufferPointer(add)
        let body = bodies[bodyTurn]
        body.lengthLine.withUnsafeBufferPointer(add)
        let bodyStart = end
        body.bytes.withUnsafeBufferPointer(add)
        Self.write(firstNumber + Int64(number), to: bodyStart + body.numberAt)
        sentText.write(now.milliseconds, to: bodyStart + body.sentAt)
        let start: Int64 =
            switch content {
            case .live: now.milliseconds - Self.readingAge
            case .history(_, let begin): begin.milliseconds + Int64(number) * body.spanMilliseconds
            }
        for position in body.startsAt { startText.write(start, to: bodyStart + position) }
        return end - target
    }

    private static func write(_ number: Int64, to target: UnsafeMutablePointer<UInt8>) {
        var left = number
        for index in (0..<UploadBody.numberDigits).reversed() {
            target[index] = UInt8(ascii: "0") + UInt8(left % 10)
            left /= 10
        }
    }

    /// All of its samples are stored.
    public func isGood(_ body: UnsafeBufferPointer<UInt8>) -> Bool { body.position(of: stored) != nil }
}

extension SampleSeries {
    /// Some samples, with offsets from the nominal time of the first: as it was measured without a gap.
    fileprivate func slice(_ range: Range<Int>, interval: Int64) -> SampleSeries {
        let jitters = range.map { offsets[$0] % interval - interval / 2 }
        return SampleSeries(
            type: type, start: start, offsets: jitters.enumerated().map { Int64($0) * interval + $1 },
            zoneOffset: zoneOffset, values: Array((values ?? [])[range]), contact: contact.map { Array($0[range]) })
    }
}

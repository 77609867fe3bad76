import Contracts
public import Domain
import Glibc
public import Primitives
import SimulatedPeople

/// Uploads of many people's devices in turn. Bodies are made once; of each upload only the head, the
/// number and the times are written.
public final class UploadSource: LoadSource {
    /// What stands in an upload.
    public enum Content: Sendable {
        /// The vital signs of one moment, which is now: five samples.
        case live
        /// Vital signs of `turns` moments each, on from a time, which for each further device is `apart` later.
        case history(turns: Int, from: Timestamp, apart: Duration = .zero)
        /// So many positions each, one a second, on from `begin`.
        case positions(count: Int, from: Timestamp)
        /// An emergency: five low heart rates in as many seconds, and the position, the last of them just now. The places are taken in
        /// turn.
        case collapse(at: [Coordinate])
    }

    /// Different bodies.
    private static let bodiesMax = 2048
    /// Samples in all of them, about.
    private static let samplesMax = 500_000
    private static let waysMax = 64
    /// Samples were measured so long before an upload is sent.
    private static let readingAge: Int64 = 300
    /// From the first low heart rate to when the upload is sent.
    private static let collapseTime: Int64 = 4000

    private let tokens: DeviceTokens
    private let bodies: [UploadBody]
    /// Of people who are ill; none when nobody is.
    private let illBodies: [UploadBody]
    private let people: LoadPeople
    private let content: Content
    private let devices: [Int]
    private var writer: UploadWriter
    private let stored: [UInt8]
    /// Numbers rise from run to run, so that no upload of a run is a repeat of an earlier run's.
    private let firstNumber: Int64
    /// How many uploads each of them has sent.
    private var sent: [Int32]
    private var turn: Int
    private var bodyTurn = 0
    public let requestBytesMax: Int
    public var samplesEach: Int { bodies[0].sampleCount }

    /// - `devices`: those whose turn it is, one after the other, of those that have tokens.
    public init(
        _ content: Content, of devices: some Collection<Int>, tokens: DeviceTokens, host: String,
        people: LoadPeople = LoadPeople(), at now: Timestamp = .now()
    ) {
        precondition(!devices.isEmpty && devices.allSatisfy { $0 < tokens.count }, "devices without tokens")
        self.content = content
        self.devices = Array(devices)
        self.tokens = tokens
        turn = 0
        firstNumber = now.milliseconds
        sent = [Int32](repeating: 0, count: devices.count)
        self.people = people
        (bodies, illBodies) =
            switch content {
            case .live: Self.bothBodies(turns: 1, people)
            case .history(let turns, _, _): Self.bothBodies(turns: turns, people)
            case .positions(let count, _): (Self.ways(count: count, people), [])
            case .collapse(let places): (places.map(Self.collapse), [])
            }
        writer = UploadWriter(host: host)
        stored = Array("\"stored\":\(bodies[0].sampleCount),".utf8)
        requestBytesMax = writer.requestBytesMax(bodies + illBodies, tokenBytes: tokens.bytesEach)
    }

    private static func bothBodies(turns: Int, _ people: LoadPeople) -> (well: [UploadBody], ill: [UploadBody]) {
        (
            bodies(turns: turns) { people.wearer($0, isIll: false) },
            people.illnessShare > 0 ? bodies(turns: turns) { people.wearer($0, isIll: true) } : []
        )
    }

    /// From the vital signs of a few wearers, at all times of their days.
    private static func bodies(turns: Int, of person: (Int) -> SimulatedWearer) -> [UploadBody] {
        var bodies: [UploadBody] = []
        let interval = SimulatedDensity().vitalsEvery.milliseconds
        let wanted = min(bodiesMax, max(16, samplesMax / (SimulatedWearer.vitals.count * turns)))
        var wearer = 0
        while bodies.count < wanted {
            let series = vitals(of: person(wearer), turns: turns)
            wearer += 1
            // Readings that lack a type would make uploads of different sizes.
            let count = series.map(\.count).min() ?? 0
            for first in stride(from: 0, through: count - turns, by: max(turns, count / 64)) where bodies.count < wanted
            {
                let slices = series.map { $0.slice(first..<first + turns, interval: interval) }
                bodies.append(UploadBody(slices, spanMilliseconds: Int64(turns) * interval))
            }
        }
        return bodies
    }

    /// Of a day, or of as many as have so many turns.
    private static func vitals(of wearer: SimulatedWearer, turns: Int) -> [SampleSeries] {
        var day = CalendarDate(daysSinceEpoch: 20_610)
        var all = wearer.vitals(on: day)
        while all.contains(where: { $0.count < turns }) {
            day = day.adding(days: 1)
            for (index, more) in wearer.vitals(on: day).enumerated() {
                all[index].offsets += more.offsets
                all[index].values? += more.values ?? []
                all[index].contact? += more.contact ?? []
            }
        }
        return all
    }

    /// Of what a phone sees of walks and runs, without the fixes at rest.
    private static func ways(count: Int, _ people: LoadPeople) -> [UploadBody] {
        var density = SimulatedDensity()
        density.positionsEvery = .seconds(1)
        var bodies: [UploadBody] = []
        var day = CalendarDate(daysSinceEpoch: 20_610)
        while bodies.count < waysMax {
            let fixes = people.wearer(1, isIll: false).day(day, density).phone.filter { $0.type == .position }
            day = day.adding(days: 1)
            for series in fixes {
                let moving = series.offsets.indices.dropFirst().filter {
                    series.offsets[$0] - series.offsets[$0 - 1] == 1000
                }
                for first in stride(from: 0, through: moving.count - count, by: count) {
                    let indices = moving[first..<first + count]
                    let slice = SampleSeries(
                        type: .position, start: series.start, offsets: (0..<count).map { Int64($0) * 1000 },
                        zoneOffset: series.zoneOffset, latitudes: indices.compactMap { series.latitudes?[$0] },
                        longitudes: indices.compactMap { series.longitudes?[$0] },
                        accuracies: indices.map { series.accuracies?[$0] })
                    bodies.append(UploadBody([slice], spanMilliseconds: Int64(count) * 1000))
                }
            }
        }
        return bodies
    }

    private static func collapse(at place: Coordinate) -> UploadBody {
        let start = Timestamp(milliseconds: 0)
        let heart = SampleSeries(
            type: .heartRate, start: start, offsets: Array(stride(from: 0, through: collapseTime, by: 1000)),
            values: [34, 33, 31, 32, 30])
        let position = SampleSeries(
            type: .position, start: start, offsets: [collapseTime], latitudes: [place.latitude],
            longitudes: [place.longitude], accuracies: [8])
        return UploadBody([heart, position], spanMilliseconds: collapseTime)
    }

    public func next(into target: UnsafeMutablePointer<UInt8>, at now: Timestamp) throws -> Int {
        let place = turn
        turn = turn + 1 == devices.count ? 0 : turn + 1
        let isIll = !illBodies.isEmpty && people.isIll(devices[place] / tokens.devicesEach)
        let bodies = isIll ? illBodies : self.bodies
        bodyTurn = (bodyTurn + 1) % bodies.count
        let (body, number) = (bodies[bodyTurn], sent[place])
        sent[place] = number + 1
        let start: Int64 =
            switch content {
            case .live: now.milliseconds - Self.readingAge
            case .collapse: now.milliseconds - Self.collapseTime
            case .history(_, let begin, let apart):
                begin.milliseconds + Int64(place) * apart.milliseconds + Int64(number)
                    * body.spanMilliseconds
            case .positions(_, let begin): begin.milliseconds + Int64(number) * body.spanMilliseconds
            }
        return writer.write(
            body, number: firstNumber + Int64(number), token: try tokens.bytes(devices[place], at: now),
            sentAt: now.milliseconds, start: start, into: target)
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

import Contracts
import Domain
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
    }

    /// Different bodies.
    private static let bodiesMax = 2048
    /// Samples in all of them, about.
    private static let samplesMax = 500_000
    private static let waysMax = 64
    private static let seed: UInt64 = 118
    /// Samples were measured so long before an upload is sent.
    private static let readingAge: Int64 = 300

    private let tokens: DeviceTokens
    private let bodies: [UploadBody]
    private let content: Content
    private let devices: [Int]
    private let head: [UInt8]
    private let middle: [UInt8]
    private let stored: [UInt8]
    /// Numbers rise from run to run, so that no upload of a run is a repeat of an earlier run's.
    private let firstNumber: Int64
    /// How many uploads each of them has sent.
    private var sent: [Int32]
    private var turn: Int
    private var bodyTurn = 0
    private var (sentText, startText) = (TimeText(), TimeText())
    public let requestBytesMax: Int
    public var samplesEach: Int { bodies[0].sampleCount }

    /// - `devices`: those whose turn it is, one after the other, of those that have tokens.
    public init(
        _ content: Content, of devices: some Collection<Int>, tokens: DeviceTokens, host: String,
        at now: Timestamp = .now()
    ) {
        precondition(!devices.isEmpty && devices.allSatisfy { $0 < tokens.count }, "devices without tokens")
        self.content = content
        self.devices = Array(devices)
        self.tokens = tokens
        turn = 0
        firstNumber = now.milliseconds
        sent = [Int32](repeating: 0, count: devices.count)
        switch content {
        case .live: bodies = Self.bodies(turns: 1)
        case .history(let turns, _, _): bodies = Self.bodies(turns: turns)
        case .positions(let count, _): bodies = Self.ways(count: count)
        }
        head = Array(
            "POST /ingestion/v1/uploads HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                .utf8)
        middle = Array("\r\nContent-Length: ".utf8)
        stored = Array("\"stored\":\(bodies[0].sampleCount),".utf8)
        requestBytesMax = head.count + tokens.bytesEach + middle.count + 32 + (bodies.map(\.bytes.count).max() ?? 0)
    }

    /// From the vital signs of a few wearers, at all times of their days.
    private static func bodies(turns: Int) -> [UploadBody] {
        var bodies: [UploadBody] = []
        let interval = SimulatedDensity().vitalsEvery.milliseconds
        let wanted = min(bodiesMax, max(16, samplesMax / (SimulatedWearer.vitals.count * turns)))
        var wearer = 0
        while bodies.count < wanted {
            let series = vitals(of: SimulatedWearer(seed: seed, number: wearer), turns: turns)
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
    private static func ways(count: Int) -> [UploadBody] {
        var density = SimulatedDensity()
        density.positionsEvery = .seconds(1)
        var bodies: [UploadBody] = []
        var day = CalendarDate(daysSinceEpoch: 20_610)
        while bodies.count < waysMax {
            let fixes = SimulatedWearer(seed: seed, number: 1).day(day, density).phone.filter { $0.type == .position }
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

    public func next(into target: UnsafeMutablePointer<UInt8>, at now: Timestamp) throws -> Int {
        let place = turn
        turn = turn + 1 == devices.count ? 0 : turn + 1
        bodyTurn = (bodyTurn + 1) % bodies.count
        let number = sent[place]
        sent[place] = number + 1
        var end = target
        func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard let base = bytes.baseAddress else { return }
            end.update(from: base, count: bytes.count)
            end += bytes.count
        }
        head.withUnsafeBufferPointer(add)
        add(try tokens.bytes(devices[place], at: now))
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
            case .history(_, let begin, let apart):
                begin.milliseconds + Int64(place) * apart.milliseconds + Int64(number)
                    * body.spanMilliseconds
            case .positions(_, let begin): begin.milliseconds + Int64(number) * body.spanMilliseconds
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

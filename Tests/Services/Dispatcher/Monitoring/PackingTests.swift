import Domain
import Primitives
import SeededRandom
import Testing

@testable import Dispatcher

/// The compact form of monitors.
@Suite struct PackingTests {
    /// Uploads of every kind that there is, in random lives, and what the monitor is after each.
    private static func monitors(seed: UInt64, uploads: Int) -> [Monitor] {
        var random = SeededGenerator(seed: seed)
        var monitor = Monitor()
        var monitors = [monitor]
        let types: [DataType] = [
            .heartRate, .oxygenSaturation, .respirationRate, .bloodPressureSystolic, .bloodPressureDiastolic,
            .bodyTemperature, .glucose, .stressLevel,
        ]
        let rules = RuleSet.allCases.randomElement(using: &random) ?? .age
        var second = 0.0
        for _ in 0..<uploads {
            second +=
                Double.random(in: 0.2...20, using: &random) * (Int.random(in: 0..<20, using: &random) == 0 ? 60 : 1)
            let type = types.randomElement(using: &random) ?? .heartRate
            let count = Int.random(in: 1...8, using: &random)
            let steps = [1, 0.333, 0.25, 0.000_7]
            let step = steps.randomElement(using: &random) ?? 1
            let level = Double.random(in: type.plausible, using: &random)
            var beats: [Beat] = []
            for index in 0..<count {
                let isLost = Int.random(in: 0..<12, using: &random) == 0
                beats.append((second + Double(index) * step, isLost ? 0 : (level + Double(index)).rounded()))
            }
            let source = Bool.random(using: &random) ? watch : phone
            var seen = upload(
                beats, sent: second + 9, type: type, source: source,
                held: Int.random(in: 0..<3, using: &random) == 0 ? 40 : 0)
            seen.isProvisional = Int.random(in: 0..<6, using: &random) == 0
            seen.zoneMinutes = Bool.random(using: &random) ? 120 : nil
            if Bool.random(using: &random) { seen.unrest = [time(second)] }
            if Bool.random(using: &random) { seen.still = [time(second)] }
            if Bool.random(using: &random) { seen.sleep = [time(second)...time(second + 60)] }
            if Bool.random(using: &random) { (seen.exercise, seen.activity) = ([time(second)], [time(second)]) }
            if Bool.random(using: &random) {
                seen.shaking = (0..<12).map {
                    ShakingWatch.Reading(time: time(second + Double($0)), frequency: 4, amplitude: 0.5)
                }
            }
            if let place = Coordinate(
                latitude: Double.random(in: -90...90, using: &random), longitude: 9.1903,
                isRounded: Bool.random(using: &random))
            {
                seen.fixes = [
                    PositionFix(
                        time: time(second), coordinate: place, altitude: Bool.random(using: &random) ? 122.5 : nil,
                        accuracy: Bool.random(using: &random) ? 1 / 3 : nil)
                ]
            }
            _ = monitor.observe(seen, of: .aged(70, rules: rules))
            monitors.append(monitor)
        }
        return monitors
    }

    @Test("SOS-02 NFR-03: a monitor is the same after it was packed, whatever it has seen", arguments: 0..<40)
    func roundTrip(seed: UInt64) throws {
        for monitor in Self.monitors(seed: seed, uploads: 60) {
            let packed = monitor.packed
            let read = try Monitor(packed: packed)
            #expect(read == monitor)
            #expect(read.packed == packed)
        }
    }

    @Test("SOS-02: what is judged does not depend on whether the monitor was packed before each upload")
    func judgement() throws {
        let lives: [[Beat]] = [
            beats(70, from: 0, through: 30) + beats(38, from: 31, through: 36) + beats(70, from: 37, through: 50),
            beats(150, from: 0, through: 40), beats(0, from: 0, through: 60),
        ]
        for life in lives {
            var (kept, packed) = (Monitor(), Monitor())
            for beat in life {
                let seen = upload([beat])
                let expected = kept.observe(seen, of: .aged(70))
                packed = try Monitor(packed: packed.packed)
                #expect(packed.observe(seen, of: .aged(70)) == expected)
            }
            #expect(packed == kept)
        }
    }

    @Test("SOS-02: times and numbers at the ends of what there is come back as they were")
    func extremes() throws {
        var packer = Packer(bytesExpected: 0)
        let times: [Int64] = [0, .max, .min, 1, -1, 999, 1000, 1 << 59, -(1 << 61), 1_777_622_400_000_000]
        let numbers = [
            0, -0.0, 1.0 / 3, .infinity, -1, 1e15, 1e16, 0.1, 36.6, 45.464_203_5, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude,
        ]
        for time in times { packer.add(Timestamp(microseconds: time)) }
        for number in numbers { packer.add(number) }
        for number: UInt64 in [0, 127, 128, .max] { packer.add(number: number) }
        packer.add(Double.nan)
        var unpacker = Unpacker(packer.bytes)
        for time in times { #expect(try unpacker.time().microseconds == time) }
        for number in numbers { #expect(try unpacker.decimal().bitPattern == number.bitPattern) }
        for number: UInt64 in [0, 127, 128, .max] { #expect(try unpacker.number() == number) }
        #expect(try unpacker.decimal().isNaN)
        try unpacker.finish()
    }

    @Test("SOS-02 NFR-03: damaged bytes are refused or give some monitor, and never more than that", arguments: 0..<10)
    func damage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for monitor in Self.monitors(seed: seed, uploads: 12) {
            let packed = monitor.packed
            for length in packed.indices {
                #expect(throws: PackingError.self) { try Monitor(packed: Array(packed.prefix(length))) }
            }
            #expect(throws: PackingError.excess) { try Monitor(packed: packed + [0]) }
            for _ in 0..<100 {
                var damaged = packed
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
                if var read = try? Monitor(packed: damaged) {
                    _ = read.observe(upload([(1, 70)]), of: .aged(70))
                }
            }
        }
        var next = Monitor().packed
        next[0] = Monitor.packedVersion + 1
        #expect(throws: PackingError.version(Monitor.packedVersion + 1)) { try Monitor(packed: next) }
    }

    @Test("SOS-02: of a person with a watch that tells pulse, breath, saturation and place it is less than 600 bytes")
    func size() {
        var monitor = Monitor()
        for second in 0..<600 {
            let at = Double(second)
            var seen = upload([(at, 62 + at.truncatingRemainder(dividingBy: 7))])
            let others: [(DataType, Double)] = [
                (.respirationRate, 14), (.oxygenSaturation, 97), (.bodyTemperature, 36.6),
            ]
            for (type, value) in others {
                seen.vitals.append(.init(Measurement(type: type, time: time(at), value: value)))
            }
            if let place = Coordinate(latitude: 45.4642 + at / 1e5, longitude: 9.1903 + at / 1e6) {
                seen.fixes = [PositionFix(time: time(at), coordinate: place, altitude: 122.5, accuracy: 4.8)]
            }
            seen.still = [time(at)]
            seen.zoneMinutes = 120
            _ = monitor.observe(seen, of: .aged(70))
        }
        #expect(monitor.tracks.values.allSatisfy { $0.entries.count == VitalTrack.keptMin })
        #expect(monitor.packed.count < 600)
    }
}

extension Coordinate {
    /// As devices give it, or with all the digits that there are.
    fileprivate init?(latitude: Double, longitude: Double, isRounded: Bool) {
        self.init(latitude: isRounded ? (latitude * 1e6).rounded() / 1e6 : latitude, longitude: longitude)
    }
}

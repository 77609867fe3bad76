import Domain
import Primitives
import SeededRandom
import Testing

@testable import Ingestion

@Suite struct SampleCodecTests {
    private let zones: [Int16] = [ZoneColumn.unknown, 0, 60, 120, -210, 1080, -1080, 123]

    private func batch(_ random: inout SeededGenerator) -> SampleBatch {
        var batch = SampleBatch()
        for type in DataType.allCases where type != .position && Bool.random(using: &random) {
            let column = batch.column(of: type)
            var time = Int64.random(in: -1 << 41...1 << 41, using: &random)
            let contacts = Int.random(in: 0...2, using: &random)
            let lasts = Bool.random(using: &random)
            var zone = zones.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                time += Bool.random(using: &random) ? 1000 : .random(in: 0...1 << 36, using: &random)
                let value = Int64.random(in: Bool.random(using: &random) ? 0...3 : -1 << 50...1 << 50, using: &random)
                if Int.random(in: 0..<10, using: &random) == 0 { zone = zones.randomElement(using: &random)! }
                batch.append(
                    column: column, time: time,
                    duration: lasts ? .random(in: 0...Measurement.durationMax.milliseconds, using: &random) : 0,
                    value: value, contact: contacts == 0 ? nil : contacts == 1 || Bool.random(using: &random),
                    zone: zone)
            }
        }
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            func metres() -> Double? {
                Bool.random(using: &random) ? nil : Double(Int.random(in: -5000...9000, using: &random)) / 10
            }
            let coordinate = Coordinate(
                latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))!
            batch.positions.append(
                PositionFix(
                    time: Timestamp(milliseconds: .random(in: 0...1 << 42, using: &random)), coordinate: coordinate,
                    altitude: metres(), accuracy: metres(),
                    zoneOffset: ZoneOffset?(column: zones.randomElement(using: &random)!)))
        }
        batch.normalize()
        return batch
    }

    @Test("What is encoded is decoded again, whatever it is", arguments: 0..<100)
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let batch = batch(&random)
        #expect(try SampleCodec.decode(SampleCodec.encode(batch)) == batch)
    }

    @Test("Extreme integers survive")
    func extremes() throws {
        var column = ValueColumn(type: .steps)
        for value in [Int64.min, .max, 0, -1, .min, .min, .max] { column.append(time: value, value: ~value) }
        let batch = SampleBatch(values: [column])
        #expect(try SampleCodec.decode(SampleCodec.encode(batch)) == batch)
    }

    @Test("Altered and cut bytes are refused or read as something, and do no harm", arguments: 0..<20)
    func garbage(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = SampleCodec.encode(batch(&random))
        let readable = stride(from: 0, to: bytes.count, by: 5).filter { end in
            (try? SampleCodec.decode(Array(bytes[..<end]))) != nil
        }
        #expect(readable.isEmpty)
        for _ in 0..<20 {
            var altered = bytes
            altered[.random(in: 0..<altered.count, using: &random)] = .random(in: 0...255, using: &random)
            _ = try? SampleCodec.decode(altered)
        }
    }

    @Test("The format is the documented one")
    func knownAnswer() throws {
        let batch = SampleBatch(values: [
            ValueColumn(type: .heartRate, times: [1000, 2000, 3000], values: [600, 610, 600])
        ])
        let expected: [UInt8] = [
            0x41, 0x80, 0x01, 3,  // version, one column; heart rate without zone, durations and contact; three samples
            0xD0, 0x0F,  // 1000
            0xD0, 0x0F, 0, 0,  // a first difference of 1000, then one without change
            0xB0, 0x09, 0x14, 0x13,  // 600, +10, -10
        ]
        #expect(SampleCodec.encode(batch) == expected)
        #expect(throws: SampleCodecError.version(1)) { try SampleCodec.decode([0x21] + expected.dropFirst()) }
        #expect(throws: SampleCodecError.malformed("more bytes than columns")) {
            try SampleCodec.decode(expected + [0])
        }
        let told = SampleBatch(values: [
            ValueColumn(
                type: .heartRate, times: [1000, 2000, 3000], durations: [0, 500, 500], values: [600, 610, 600],
                contacts: [true, false, true], zones: ZoneColumn(repeating: 120, count: 3)),
            ValueColumn(
                type: .steps, times: [1000, 2000, 3000], values: [1, 1, 1],
                zones: ZoneColumn(repeating: 120, count: 3)),
        ])
        #expect(
            SampleCodec.encode(told) == [
                0x42, 0x96, 0x01, 3,  // two columns: heart rate with a zone, durations, and contact of some
                0xD0, 0x0F, 0xD0, 0x0F, 0, 0, 33,  // +02:00: eight quarters of an hour
                0, 0, 0xE8, 0x07, 0, 0,  // an instant, then 500 ms twice
                0xB0, 0x09, 0x14, 0x13, 0, 0, 2, 0, 0,
                0xA8, 0x05, 2, 0, 1,  // steps at the same times in the same zone
            ])
    }

    @Test("A zone that all samples share costs one byte, and that of the columns after the first nothing")
    func sharedZone() throws {
        func batch(_ zone: Int16) -> SampleBatch {
            SampleBatch(
                values: [DataType.heartRate, .steps].map { type in
                    let times = type == .steps ? [1, 2, 4] as [Int64] : [1, 2, 3]
                    return ValueColumn(
                        type: type, times: times, values: [1, 1, 1], zones: ZoneColumn(repeating: zone, count: 3))
                })
        }
        let without = SampleCodec.encode(batch(ZoneColumn.unknown)).count
        for zone in [0, 60, 120, 330, -210] as [Int16] {
            #expect(SampleCodec.encode(batch(zone)).count == without + 1)
            #expect(try SampleCodec.decode(SampleCodec.encode(batch(zone))) == batch(zone))
        }
    }

    @Test("Bytes that no writer makes are errors")
    func malformed() {
        let cases: [([UInt8], SampleCodecError)] = [
            ([], .truncated), ([0x41, 0xA0, 0x01, 0], .malformed("no times before")),
            ([0x41, 0], .malformed("an unknown data type")),
            ([0x41, 0x80, 0x01, 0xFF, 0xFF, 0x7F], .malformed("a count of 2097151, more than 100000")),
            ([0x41, 0x90, 0x01, 1, 2, 0xFF, 0x7F, 2], .malformed("an offset of more than 18 hours")),
            ([0x41, 0x98, 0x01, 1, 2, 1, 33, 0, 2], .malformed("zones of other samples")),
            ([0x41, 0x84, 0x01, 1, 2, 1, 2], .malformed("a duration out of range")),
            ([0x41, 0x83, 0x01, 1, 2, 2], .malformed("an unknown mark of contact")),
            ([0x41, 0x44, 1, 2], .malformed("positions with durations or contact")),
            ([0x42, 0x80, 0x01, 1, 2, 2, 0xA0, 0x01, 2], .malformed("a second column of a type")),
        ]
        for (bytes, error) in cases { #expect(throws: error) { try SampleCodec.decode(bytes) } }
    }

    @Test("A rate every second with small changes takes about a byte a sample")
    func size() {
        var random = SeededGenerator(seed: 1)
        var column = ValueColumn(type: .heartRate)
        for second in 0..<10_000 {
            column.append(time: Int64(second) * 1000, value: 700 + .random(in: -3...3, using: &random) * 10)
        }
        #expect(SampleCodec.encode(SampleBatch(values: [column])).count < 13_000)
    }

    @Test("ING-02ce: out-of-order samples are put in order, and exact repeats disappear")
    func normalizes() {
        var batch = SampleBatch(
            values: [ValueColumn(type: .weight, times: [3, 1, 3, 2, 3], values: [30, 10, 30, 20, 31])])
        batch.normalize()
        #expect(batch.values == [ValueColumn(type: .weight, times: [1, 2, 3, 3], values: [10, 20, 30, 31])])
        #expect(batch.span! == (1, 3))
    }
}

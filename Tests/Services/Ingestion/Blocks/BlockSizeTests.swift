import Domain
import Primitives
import SeededRandom
import Testing

@testable import Ingestion

/// Bytes of a sealed day. What is on the disk as well (row, index, tag of the encryption) is the benchmark's.
@Suite struct BlockSizeTests {
    private static let day = CalendarDate("2026-05-01")!
    private static let begin = Int64(day.daysSinceEpoch) * LocalTime.dayMilliseconds
    private static let count = 2880

    /// About normally distributed, with the standard deviation 1.
    private static func noise(_ random: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }

    private static func bytes(_ type: DataType, _ times: [Int64], _ values: [Double]) throws -> Int {
        let column = ValueColumn(
            type: type, times: times, values: values.map(type.scaled),
            zones: ZoneColumn(repeating: 120, count: times.count))
        let source = SourceSamples(source: 1, values: column, arrivals: times.indices.map { Int64($0) })
        let block = BlockSamples(type: type, day: day, sources: [source])
        let bytes = BlockCodec.encode(block)
        #expect(try BlockCodec.decode(bytes, type: type, day: day) == block)
        return bytes.count + SummaryCodec.encode(DaySummary(block)).count
    }

    @Test("A vital sign every 30 s with 200 ms of jitter and noise takes less than two bytes a sample, with its hours")
    func vitals() throws {
        var random = SeededGenerator(seed: 1)
        let times = (0..<Self.count).map { Self.begin + Int64($0) * 30_000 + .random(in: -200...200, using: &random) }
        var level = 65.0
        let rates = (0..<Self.count).map { index in
            level += (62 + 25 * Double(index % 900 / 450) - level) * 0.02 + 0.7 * Self.noise(&random)
            return (level + 1.5 * Self.noise(&random)).rounded()
        }
        let all: [(DataType, [Double])] = [
            (.heartRate, rates), (.oxygenSaturation, rates.map { _ in (97 + 0.7 * Self.noise(&random)).rounded() }),
            (.bodyTemperature, rates.map { _ in 36.6 + 0.05 * Self.noise(&random) }),
            (.respirationRate, rates.map { _ in (14 + Self.noise(&random)).rounded() }),
            (.stressLevel, rates.map { _ in (30 + 4 * Self.noise(&random)).rounded() }),
        ]
        var total = 0
        for (type, values) in all {
            let bytes = try Self.bytes(type, times, values)
            print("\(type): \(Double(bytes) / Double(Self.count)) bytes a sample with its summary")
            total += bytes
        }
        #expect(Double(total) / Double(all.count * Self.count) < 1.8)
        let missing = times.filter { _ in Int.random(in: 0..<20, using: &random) > 0 }
        #expect(try Self.bytes(.heartRate, missing, Array(rates.prefix(missing.count))) < 2 * missing.count)
    }

    @Test("Seconds of a clock that leaves most out, rounded and set now and then, take less than half a byte")
    func seconds() throws {
        var random = SeededGenerator(seed: 2)
        var (time, shift) = (Self.begin + 5_000_000, Int64(0))
        let times = (0..<1000).map { index in
            time += [4000, 4000, 4000, 5000, 3000, 5000, 6000, 4000].randomElement(using: &random)!
            if index.isMultiple(of: 150) { shift += .random(in: 0..<1000, using: &random) }
            return time + shift + (Int.random(in: 0..<12, using: &random) == 0 ? 1 : 0)
        }
        #expect(try Self.bytes(.stressLevel, times, times.map { _ in 30 }) < 500)
    }

    @Test("Times and values without noise take next to nothing, and one sample a few bytes")
    func regular() throws {
        let times = (0..<Self.count).map { Self.begin + Int64($0) * 30_000 }
        #expect(try Self.bytes(.stressLevel, times, times.map { _ in 30 }) < 500)
        #expect(try Self.bytes(.weight, [Self.begin + 5_000_000], [72.5]) < 60)
    }
}

import Domain
import Glibc
import Primitives
import Testing

@testable import Ingestion

/// What every sample passes through: putting columns in order.
@Suite struct ColumnTests {
    /// The other way round, each with a duration, every other one with contact told.
    private func backwards(_ count: Int) -> ValueColumn {
        var column = ValueColumn(type: .heartRate)
        for number in 0..<count {
            column.append(
                time: Int64(count - number) * 1000, duration: Int64(number % 7) * 100, value: Int64(60 + number % 40),
                contact: number % 2 == 0, zone: number % 1000 < 500 ? 60 : 120)
        }
        return column
    }

    @Test("ING-06 ING-07: ordering keeps of each sample its value, duration, contact and zone")
    func ordered() {
        let column = backwards(5000)
        var sorted = column
        sorted.normalize()
        #expect(sorted.count == 5000 && sorted.isAscending)
        for index in sorted.times.indices {
            let before = 4999 - index
            #expect(
                sorted.times[index] == column.times[before] && sorted.values[index] == column.values[before]
                    && sorted.duration(index) == column.duration(before)
                    && sorted.hasContact(index) == column.hasContact(before)
                    && sorted.zones[index] == column.zones[before])
        }
    }

    @Test("NFR-04: ten times as many samples in reverse order take ten times as long, not a hundred times")
    func reversedIsLinear() {
        func time(_ count: Int) -> Int64 {
            let column = backwards(count)
            return (0..<3).map { _ in
                var samples = SourceSamples(
                    source: 1, values: column, arrivals: [Int64](repeating: 1, count: column.count))
                let begin = Self.processorTime()
                samples.normalize()
                #expect(samples.values.isAscending)
                return Self.processorTime() - begin
            }.min() ?? 0
        }
        let (few, many) = (time(5_000), time(50_000))
        #expect(many < 40 * few, "\(few) ns for 5,000 samples, \(many) ns for 50,000")
    }

    /// Of the calling thread, in nanoseconds.
    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

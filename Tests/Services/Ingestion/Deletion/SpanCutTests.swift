import Domain
import Primitives
import SeededRandom
import Testing

@testable import Ingestion

@Suite struct SpanCutTests {
    /// The block of a sample, as `DaySplit` has it.
    private func day(_ type: DataType, _ time: Int64, _ duration: Int64, _ zone: Int16) throws -> CalendarDate {
        var column = ValueColumn(type: type)
        column.append(time: time, duration: duration, value: 1, zone: zone)
        var split = DaySplit { _ in 0 }
        split.add(SampleBatch(values: [column]), from: 1, arrival: 1)
        return try #require(split.take().first).day
    }

    @Test(
        "NFR-06a: whole days lie in the span in every zone, and no sample of the span is on a day that is not touched")
    func days() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let from = Int64.random(in: -100_000_000_000...2_000_000_000_000, using: &generator)
            let cut = SpanCut(
                types: .max, from: from, to: from + Int64.random(in: 1...1_000_000_000, using: &generator), through: 9,
                touching: .random(using: &generator))
            let type = [DataType.heartRate, .sleep, .steps].randomElement(using: &generator)!
            let time = Int64.random(in: cut.from - 400_000_000...cut.to + 400_000_000, using: &generator)
            let duration = Int64.random(in: 0...172_800_000, using: &generator)
            let zone = Int16.random(in: -ZoneOffset.minutesMax...ZoneOffset.minutesMax, using: &generator)
            let day = try day(type, time, duration, zone)
            let isInside = (cut.from..<cut.to).contains(time)
            let isCut = isInside || cut.touching && time < cut.from && time + duration > cut.from
            if isCut { #expect(cut.touchedDays.contains(day)) }
            if cut.wholeDays(of: type)?.contains(day) == true { #expect(isInside) }
        }
        // A week has some, an hour none.
        let monday = CalendarDate("2026-11-16")!.startUTC.milliseconds
        let week = SpanCut(types: .max, from: monday, to: monday + 7 * 86_400_000, through: 1)
        #expect(week.wholeDays(of: .heartRate) == CalendarDate("2026-11-16")!...CalendarDate("2026-11-22")!)
        #expect(week.wholeDays(of: .sleep) == CalendarDate("2026-11-18")!...CalendarDate("2026-11-22")!)
        #expect(SpanCut(types: .max, from: monday, to: monday + 3_600_000, through: 1).wholeDays(of: .steps) == nil)
    }
}

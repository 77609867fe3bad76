import Domain
import Postgres
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// Which process closes days, and how closing goes on where it was broken off.
@Suite struct ClosingTests {
    private let noon = Timestamp("2026-11-16T12:00:00Z")!
    private let day = CalendarDate("2026-11-16")!

    private static func begin(_ test: IngestionTest, seconds: Int32 = 60) async throws -> Int32? {
        try await test.database.queryOne(RollupStore.begin(after: 0, seconds: seconds), as: Int32.self)
    }

    @Test(
        "NFR-03: while one pass of closing is at work no other begins, and what one writes that was overtaken is refused"
    )
    func passes() async throws {
        try await IngestionTest.with { test in
            let one = try await test.counted(7)
            _ = try await test.upload(1, [heartRates([60], from: noon)], device: one.device, of: one.account)
            let first = try #require(try await Self.begin(test))
            #expect(try await Self.begin(test) == nil)
            // Its process has ended; and a clock was put back.
            for time in ["now() - interval '1 second'", "now() + interval '1 hour'"] {
                try await test.database.execute("update rollup_state set pass_until = \(raw: time)")
                #expect(try await Self.begin(test) != nil)
            }
            for refused in [
                RollupStore.advance(to: day, by: first, seconds: 60, rollups: 1), RollupStore.goOn(first, seconds: 60),
                RollupStore.count(day...day, by: first),
            ] { #expect(try await test.database.execute(refused) == 0) }
            // Beside people, too: as soon as a later one counts them.
            func count(_ pass: Int32) async throws -> Int32? {
                try await test.database.queryOne(CountingStore.begin(day...day, by: pass), as: Int32.self)
            }
            #expect(try await count(first) == 0)
            #expect(try await test.database.execute(CountingStore.advance(through: 1, by: first)) == 1)
            #expect(try await count(first + 1) == 1)
            #expect(try await test.database.execute(CountingStore.advance(through: 2, by: first)) == 0)
            #expect(try await count(first) == nil)
            // Other days, everybody.
            let next = day.adding(days: 1)
            let through = try await test.database.queryOne(
                CountingStore.begin(day...next, by: first + 1), as: Int32.self)
            #expect(through == 0)
            try await test.database.execute("update rollup_state set pass_until = null")
            #expect(try await test.close(through: "2026-11-16") == 1)
            #expect(try await test.rollups().map(\.value) == [60])
        }
    }

    @Test(
        "NFR-03: closing waits for the end of a pass whose process may be no more, and a restored schema's old number is skipped"
    )
    func waits() async throws {
        try await IngestionTest.with { test in
            let one = try await test.counted(7)
            _ = try await test.upload(1, [heartRates([60], from: noon)], device: one.device, of: one.account)
            try await test.database.execute("update counting set pass = 40")
            #expect(try await Self.begin(test, seconds: 1) == 1)
            try await test.withCloser { closer in
                try await closer.request(through: day)
                try await closer.closeDue()
                let state = try await closer.state()
                #expect(state.closedThrough == day && state.isFree)
            }
            #expect(try await test.database.queryOne("select pass from rollup_state", as: Int32.self) == 41)
            #expect(try await test.rollups().map(\.value) == [60])
        }
    }

    @Test(
        "NFR-03 GRP-09: counting that was broken off goes on after the last people who were counted, with nothing of the others",
        arguments: [6, 10_000])
    func goesOn(valuesMax: Int) async throws {
        try await IngestionTest.with { test in
            var people: [(account: UUID, device: UUID)] = []
            let days = [day, day.adding(days: 1)]
            func upload(_ number: Int64, _ value: Double) async throws {
                for person in people {
                    let series = days.map { heartRates([value], from: $0.startUTC + .seconds(40_000 + 600 * number)) }
                    _ = try await test.upload(number, series, device: person.device, of: person.account)
                }
            }
            for subject in 1...5 as ClosedRange<Int32> { people.append(try await test.counted(subject)) }
            try await upload(1, 60)
            #expect(try await test.close(through: days[1].description) == 10)
            let (before, second) = (try await test.publications(), try await test.number(of: people[1].account))
            // As if it had been killed when a page was written beyond one that was not.
            try await test.database.batch([
                "update counting set through = \(second)", "update rollup_state set closed_through = null",
                "delete from closed_day",
            ])
            try await upload(2, 80)
            for person in people { try await test.seal(person.account) }
            try await test.database.execute(
                "delete from block where person = \(try await test.number(of: people[4].account))")
            try await test.withCloser(valuesMax: valuesMax) { try await $0.closeDue() }
            let expected = days.flatMap { day in
                [60, 60, 70, 70].enumerated().map { index, value in
                    IngestionTest.RollupValue(
                        type: .heartRate, day: day.description, subject: Int32(index + 1), value: value)
                }
            }
            #expect(try await test.rollups(beside: before) == Set(expected))
            #expect(try await test.database.queryOne("select count(*) from day_value", as: Int.self) == 8)
            // Once more from where days were published: nobody is counted again.
            try await test.database.batch([
                "update rollup_state set closed_through = \(days[0])", "delete from closed_day where day > \(days[0])",
                "delete from block",
            ])
            let published = try await test.publications()
            try await test.withCloser(valuesMax: valuesMax) { try await $0.closeDue() }
            #expect(
                try await test.rollups(beside: published) == Set(expected.filter { $0.day == days[1].description }))
        }
    }

    @Test("NFR-03: of pages that end in any order the counting is through with those before which none is at work")
    func underWay() {
        let pages = PagesUnderWay()
        pages.begin(200)
        pages.begin(400)
        #expect(pages.through(400) == nil && pages.through(200) == 200)
        pages.end(400)
        pages.begin(600)
        #expect(pages.through(200) == 400 && pages.through(600) == nil)
        pages.end(200)
        #expect(pages.through(600) == 600)
        pages.end(600)
        pages.begin(650)
        #expect(pages.through(650) == 650)
    }

    @Test(
        "GRP-09 NFR-02: of more values than fit in memory all days are counted in one walk, and published from what is kept",
        arguments: [1, 6, 10])
    func room(valuesMax: Int) async throws {
        try await IngestionTest.with { test in
            let days = (15...19).map { "2026-11-\($0)" }
            for subject in 0..<5 as Range<Int32> {
                let one = try await test.counted(subject)
                let series = days.map { heartRates([60 + Double(subject)], from: Timestamp("\($0)T12:00:00Z")!) }
                _ = try await test.upload(1, series, device: one.device, of: one.account)
            }
            try await test.withCloser(valuesMax: valuesMax) { closer in
                try await closer.request(through: CalendarDate("2026-11-22")!)
                try await closer.closeDue()
            }
            #expect(try await test.database.queryOne("select pass from rollup_state", as: Int32.self) == 1)
            let expected = days.flatMap { day in
                (0..<5).map {
                    IngestionTest.RollupValue(type: .heartRate, day: day, subject: $0, value: 60 + Double($0))
                }
            }
            #expect(try await test.rollups() == Set(expected))
        }
    }

    @Test("NFR-02: of more values than there is room for the last days are given up, of one day none")
    func roomForDays() {
        let first = CalendarDate("2026-11-10")!
        let collected = CollectedValues(of: first...first.adding(days: 9), valuesMax: 100)
        var values = PublishedDay()
        values.add(70, of: .heartRate)
        values.add(1000, of: .steps)
        func add(_ subjects: Range<Int32>) {
            for subject in subjects {
                collected.add((0..<10).map { .init(subject: subject, day: first.adding(days: $0), values: values) })
            }
        }
        add(0..<5)
        #expect(collected.last == first.adding(days: 9))
        add(5..<12)
        #expect(collected.last == first.adding(days: 3))
        add(12..<200)
        #expect(collected.last == first && collected.take(first).count(on: first) == 400)
    }
}

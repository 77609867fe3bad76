import Contracts
import Domain
import Postgres
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// Closing when another pass overtakes it, a clock was set, keys are missing, or somebody is erased meanwhile.
@Suite struct ClosingFaultTests {
    private let day = CalendarDate("2026-11-16")!

    /// People with a heart rate at noon of each day, of 60 and their number, in blocks; from the first on.
    @discardableResult
    private static func people(
        _ count: Int32, of days: ClosedRange<CalendarDate>, in test: IngestionTest
    ) async throws -> [UUID] {
        var accounts: [UUID] = []
        for subject in 1...count {
            let one = try await test.counted(subject)
            let series = (0..<days.dayCount).map {
                heartRates([60 + Double(subject)], from: days.lowerBound.adding(days: $0).startUTC + .seconds(43_200))
            }
            _ = try await test.upload(1, series, device: one.device, of: one.account)
            try await test.seal(one.account)
            accounts.append(one.account)
        }
        let before = days.lowerBound.adding(days: -1)
        try await test.database.execute("update rollup_state set closed_through = \(before)")
        return accounts
    }

    private static func kept(_ test: IngestionTest) async throws -> Int? {
        try await test.database.queryOne("select count(*) from day_value", as: Int.self)
    }

    // MARK: Other passes

    @Test(
        "NFR-03: a pass that is overtaken keeps nothing more of those who are counted, and publishes nothing more",
        arguments: ["counting", "rollup_state"])
    func overtaken(table: String) async throws {
        try await IngestionTest.with { test in
            try await Self.people(3, of: day...day, in: test)
            try await test.withCloser { closer in
                try await closer.request(through: day)
                let held = EventCounter()
                async let closing: Void = {
                    _ = await held.wait(after: 0)
                    try await closer.closeDue()
                }()
                try await test.database.transaction { other in
                    try await other.execute("lock table block in access exclusive mode")
                    let backend = try await other.queryOne("select pg_backend_pid()", as: Int32.self)
                    held.raise()
                    // It has begun to count, and reads its first page.
                    try await test.untilBlocked(by: try #require(backend))
                    try await test.database.execute("update \(identifier: table) set pass = pass + 1")
                }
                try await closing
            }
            #expect(try await Self.kept(test) == (table == "counting" ? 0 : 3))
            #expect(try await test.rollups() == [])
            try await test.database.execute("update rollup_state set pass_until = null")
            #expect(try await test.close(through: day.description) == 3)
            #expect(try await test.rollups().map(\.value).sorted() == [61, 62, 63])
        }
    }

    @Test("NFR-03: a pass at work holds others off, and hears when one has begun all the same")
    func goesOn() async throws {
        try await IngestionTest.with { test in
            let begin = RollupStore.begin(after: 0, seconds: 1)
            let number = try #require(try await test.database.queryOne(begin, as: Int32.self))
            let pass = ClosingPass(number, home: test.database, interval: .zero)
            try await pass.goOn()
            let isLong: SQL = "select pass_until > now() + interval '30 seconds' from rollup_state"
            #expect(try await test.database.queryOne(isLong, as: Bool.self) == true)
            try await test.database.execute("update rollup_state set pass_until = null")
            #expect(try await test.database.queryOne(begin, as: Int32.self) == number + 1)
            await #expect(throws: ClosingPass.Overtaken.self) { try await pass.goOn() }
        }
    }

    // MARK: Clocks

    @Test("NFR-03: days that were begun under a clock that was set forward are not closed before their time")
    func begunInTheFuture() async throws {
        try await IngestionTest.with { test in
            try await Self.people(2, of: day...day, in: test)
            let last = day.adding(days: 30)
            try await test.database.batch([
                "update rollup_state set counting_first = \(day), counting_last = \(last)",
                "update counting set first_day = \(day), last_day = \(last), through = \(CountingStore.everybody)",
            ])
            try await test.withCloser { closer in
                try await closer.request(through: day)
                try await closer.closeDue()
                #expect(try await closer.state().closedThrough == day)
            }
            #expect(try await test.rollups().count == 2)
        }
    }

    @Test("NFR-03: a clock that is set forward closes no day before its time", arguments: [false, true])
    func future(isRequested: Bool) async throws {
        try await IngestionTest.with { test in
            let clock = TestClock(Timestamp("2080-01-01T00:00:00Z")!)
            try await test.withCloser(clock: clock) { closer in
                try await test.database.execute("update rollup_state set is_released = true")
                if isRequested { try await closer.request(through: CalendarDate("2079-12-31")!) }
                try await closer.closeDue()
                let closed = try #require(try await closer.state().closedThrough)
                #expect(closed < Timestamp.now().dateUTC.adding(days: isRequested ? 0 : -2))
            }
        }
    }

    // MARK: What cannot be read

    @Test(
        "GRP-09: people whose keys cannot be read are left out; where a key is missing in the ring, nothing is closed"
    )
    func unreadable() async throws {
        try await IngestionTest.with { test in
            let accounts = try await Self.people(8, of: day...day, in: test)
            func close(_ cipher: FieldCipher) async throws {
                try await test.database.execute("update rollup_state set pass_until = null")
                let keys = SubjectKeys(store: test.keyStore, cipher: cipher)
                try await test.withCloser(keys: keys) { closer in
                    try await closer.request(through: day)
                    try await closer.closeDue()
                }
            }
            func damage(_ accounts: some Sequence<UUID>) async throws {
                try await test.keyStore.database.execute(
                    "update subject_key set wrapped = wrapped || '\\x00' where account_id = any(\(Array(accounts)))")
            }
            let cipher = FieldCipher(test.service.context.keys.fields)
            let other = FieldCipher(try KeyRing(["other": .random()], current: "other"))
            await #expect(throws: RollupPage.Unreadable.self) { try await close(other) }
            #expect(try await Self.kept(test) == 0)
            try await damage(accounts[..<3])
            try await close(cipher)
            #expect(try await test.rollups().map(\.value).sorted() == [64, 65, 66, 67, 68])
            #expect(test.service.log.lines.count { $0.contains("left out of rollups") } == 3)
            // Nor is it published once more with fewer.
            let before = try await test.publications()
            let keys = SubjectKeys(store: test.keyStore, cipher: other)
            try await test.withCloser(keys: keys) { closer in
                closer.wanted.add([day])
                await #expect(throws: RollupPage.Unreadable.self) { try await closer.publishWanted() }
            }
            #expect(try await test.publications() == before)
        }
    }

    // MARK: What is kept

    @Test("NFR-04: what was counted of a day is kept for as long as the day may be asked for")
    func forgets() async throws {
        try await IngestionTest.with { test in
            let account = try await Self.people(1, of: day...day.adding(days: 2), in: test)[0]
            _ = try await test.close(through: day.description)
            let number = try await test.number(of: account)
            let oldest = day.adding(days: 1 - RollupCloser.daysMax)
            for old in [oldest, oldest.adding(days: -1)] {
                try await test.database.execute("insert into day_value values (\(number), \(old), '\\x00')")
            }
            func isKept(_ day: CalendarDate) async throws -> Bool? {
                try await test.database.queryOne(
                    "select exists (select from day_value where day = \(day))", as: Bool.self)
            }
            // Counted, but not published yet: the oldest is still listed.
            try await test.withCloser { closer in
                let number = try await test.database.queryOne(RollupStore.begin(after: 0, seconds: 60), as: Int32.self)
                let pass = ClosingPass(try #require(number), home: test.database)
                let next = day.adding(days: 1)
                _ = try await closer.counter.count(next...next, by: pass) { _ in }
            }
            #expect(try await isKept(oldest) == true)
            #expect(try await isKept(oldest.adding(days: -1)) == false)
            try await test.database.execute("update rollup_state set pass_until = null")
            _ = try await test.close(through: day.adding(days: 1).description)
            _ = try await test.close(through: day.adding(days: 2).description)
            #expect(try await isKept(oldest) == false)
            #expect(try await isKept(day) == true)
        }
    }

    @Test("NFR-06a: who is erased while what was counted is being kept leaves nothing of it behind")
    func erased() async throws {
        try await IngestionTest.with { test in
            let account = try await Self.people(1, of: day...day, in: test)[0]
            let number = try await test.number(of: account)
            let held = EventCounter()
            async let erasing: Void = {
                _ = await held.wait(after: 0)
                try await test.erase(account)
            }()
            try await test.database.transaction { page in
                _ = try await page.execute(CountingStore.advance(through: number, by: 0))
                let values = [CountingStore.DayValue(person: number, day: day, sealed: [0])]
                for statement in CountingStore.keep(values, of: [number], day...day) {
                    _ = try await page.execute(statement)
                }
                let backend = try await page.queryOne("select pg_backend_pid()", as: Int32.self)
                held.raise()
                try await test.untilBlocked(by: try #require(backend))
            }
            try await erasing
            #expect(try await Self.kept(test) == 0)
        }
    }

    @Test(
        "NFR-04: closed days that are asked for are read together as far as there is room, and what is due comes between",
        arguments: [(1, 5), (4, 3), (10_000, 2)])
    func wanted(valuesMax: Int, walks: Int) async throws {
        try await IngestionTest.with { test in
            let days = day.adding(days: -4)...day
            try await Self.people(2, of: days, in: test)
            _ = try await test.close(through: day.description)
            // Less on the first day than there is room for on the others.
            let person: SQL = "(select min(person) from day_value)"
            try await test.database.execute(
                "delete from day_value where day = \(days.lowerBound) and person = \(sql: person)")
            let (all, before) = (try await test.rollups(), try await test.publications())
            try await test.withCloser(valuesMax: valuesMax) { closer in
                closer.wanted.add((0...days.dayCount).map { days.lowerBound.adding(days: $0) })
                var count = 0
                try await closer.publishWanted { count += 1 }
                #expect(count == walks)
            }
            let again = try await test.rollups(beside: before)
            #expect(again == all.filter { $0.day != days.lowerBound.description || $0.subject == 2 })
            #expect(try await test.publications().count == before.count + days.dayCount)
        }
    }
}

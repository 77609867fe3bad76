import Contracts
import Domain
import Postgres
import Primitives
import Security
import Testing

@testable import Ingestion

/// What PostgreSQL does with the statements of uploads in the first minutes of a database, before it knows its tables.
@Suite struct PlanTests {
    private let account = UUID.random()
    private let device = UUID.random()

    /// A person with many uploads, among others, in tables that were never analysed.
    private func fill(_ test: IngestionTest) async throws {
        let people: SQL = "(select number from person where account_id = \(account))"
        let others: SQL = "case when n % 4 = 0 then n else \(sql: people) end"
        try await test.database.batch([
            "alter table person set (autovacuum_enabled = false)",
            "alter table source set (autovacuum_enabled = false)",
            "insert into person (account_id) select gen_random_uuid() from generate_series(1, 20000)",
            "insert into person (account_id) values (\(account))",
            """
            insert into source (person, number, kind, identity)
            select number, 1, 'device', gen_random_uuid() from person where account_id <> \(account)
            """,
            "insert into source (person, number, kind, identity) values (\(sql: people), 1, 'device', \(device))",
            """
            insert into upload (person, source, upload, content, received_at, samples)
            select \(sql: others), 1, n, n, now(), 5 from generate_series(1, 20000) n
            """,
            """
            insert into arrival (stored_at, person, arrival, source, sealed)
            select clock_timestamp(), \(sql: others), n, 1, convert_to(repeat('x', 100), 'UTF8')
            from generate_series(1, 20000) n
            """,
        ])
        #expect(
            try await test.database.queryOne(
                "select count(*) from pg_stats where schemaname = current_schema() and tablename like 'arrival%'",
                as: Int.self) == 0)
    }

    private func plan(_ sql: SQL, _ test: IngestionTest) async throws -> String {
        try await test.database.query("explain \(sql: sql)", as: String.self).joined(separator: "\n")
    }

    /// The plan that is kept for any values.
    private func genericPlan(
        _ sql: SQL, _ test: IngestionTest, after setting: SQL? = nil
    ) async throws -> String {
        try await test.database.transaction { transaction in
            if let setting { try await transaction.execute(setting) }
            try await transaction.execute("set local plan_cache_mode = force_generic_plan")
            return try await transaction.query("explain \(sql: sql)", as: String.self).joined(separator: "\n")
        }
    }

    @Test("NFR-01: what an upload needs to know is found by indexes, whatever the planner knows")
    func lookUps() async throws {
        try await IngestionTest.with { test in
            let statements = [
                ArrivalStore.lookUp(
                    [
                        .init(account: account, identity: device, upload: 5, content: nil),
                        .init(
                            account: account, identity: device, upload: 5, content: nil,
                            known: .init(account: account, version: 0, number: 1, types: nil)),
                        .init(account: account, identity: nil, upload: nil, content: .random()),
                    ], since: ArrivalStore.beginning, watchedAt: IngestionTest.start),
                ArrivalStore.lastArrivals(of: [account]),
            ]
            // Also as it was planned while the tables were empty, for the plan is kept.
            for isFilled in [false, true] {
                if isFilled { try await fill(test) }
                for statement in statements {
                    let plan = try await genericPlan(statement, test)
                    for table in ["person", "arrival", "upload", "source", "import_part"] {
                        #expect(!plan.contains("Seq Scan on \(table)"), "\(plan)")
                    }
                    // Of many rows of a person the last one is read, and no others.
                    #expect(!plan.contains("Bitmap Heap Scan on arrival"), "\(plan)")
                }
            }
        }
    }

    @Test("NFR-01 SUB-01: what arrived lately of many people is read by indexes, whatever the planner knows")
    func many() async throws {
        try await IngestionTest.with { test in
            let accounts = [account] + (0..<499).map { _ in UUID.random() }
            let statements = [
                ReadStore.arrivals(
                    accounts.map { .init(account: $0, after: 10) }, rowsMax: 200, bytesMax: 1 << 20),
                StoredPerson.select(of: accounts),
            ]
            // Also as it was planned while the tables were empty, for the plan is kept.
            for isFilled in [false, true] {
                if isFilled { try await fill(test) }
                for statement in statements {
                    let plan = try await genericPlan(statement, test)
                    for table in ["person", "arrival", "source"] {
                        #expect(!plan.contains("Seq Scan on \(table)"), "\(plan)")
                    }
                }
            }
        }
    }

    @Test("NFR-01: pages of a person's arrivals are read by an index, whatever the planner knows")
    func pages() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            let (start, end) = (IngestionTest.start, Timestamp.now() + .seconds(60))
            let today = try #require(try await ArrivalDays.list(in: test.database).days.first)
            let statements = [
                ArrivalStore.after(10, of: account, rowsMax: 200),
                ReceivedArrivals.page(after: 10, of: account, from: start, to: end, rowsMax: 200),
                ReceivedArrivals.beginning(of: account, at: end),
                ReadStore.arrivals([.init(account: account, after: 10)], rowsMax: 200, bytesMax: 1 << 20),
                ReadStore.lastArrival(of: account),
                ArrivalDays.people(on: today, after: 0, countMax: 100),
            ]
            for statement in statements {
                let plan = try await plan(statement, test)
                #expect(plan.contains(/arrival_\d+_key/) && !plan.contains("Seq Scan"), "\(plan)")
            }
        }
    }

    @Test("NFR-01: a page of a walk over everybody reads no table as a whole")
    func walks() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            try await test.database.execute("update person set subject = number, types = 1")
            try await test.database.execute("analyze person, source, upload")
            let statements = [
                (SilentDevices.page(after: 10, 1), SilentDevices.pageMax),
                (ReportJob.due(after: 10, CalendarDate("2026-11-16")!), ReportJob.pageMax),
                (RollupStore.people(after: 10, countMax: DayCounter.peopleMax), DayCounter.peopleMax),
            ]
            for (statement, pageMax) in statements {
                let plan = try await genericPlan(statement, test)
                #expect(plan.contains("person_number") && !plan.contains("Seq Scan"), "\(plan)")
                // With a million people the planner sorts them all when it takes a page for a tenth of them.
                #expect(plan.contains(try Regex("Limit  .*rows=\(pageMax) ")), "\(plan)")
            }
        }
    }

    @Test(
        "NFR-01: what is kept of a page of people's days is read and replaced by an index, whatever the planner knows")
    func dayValues() async throws {
        try await IngestionTest.with { test in
            let days = CalendarDate("2026-11-01")!...CalendarDate("2026-11-28")!
            let people = (1...DayCounter.peopleMax).map { Int32($0) }
            let statements = [
                CountingStore.values(of: people, days), CountingStore.forget(people, days),
                CountingStore.forget(people, before: days.lowerBound),
            ]
            for isAnalyzed in [false, true] {
                if isAnalyzed {
                    try await test.database.batch([
                        """
                        insert into day_value (person, day, sealed)
                        select p, d, convert_to(repeat('x', 40), 'UTF8')
                        from generate_series(1, 2000) p, generate_series(date '2026-10-20', date '2026-11-28', '1 day') d
                        """,
                        "analyze day_value",
                    ])
                }
                for statement in statements {
                    let plan = try await genericPlan(statement, test, after: CountingStore.byIndex)
                    #expect(plan.contains("day_value_key") && !plan.contains("Seq Scan on day_value"), "\(plan)")
                }
            }
        }
    }

    /// Blocks of ten years, of twenty types, of one person among others.
    private func fillBlocks(_ test: IngestionTest) async throws -> Int32 {
        try await test.database.batch([
            "alter table block set (autovacuum_enabled = false)",
            "insert into person (account_id) values (\(account))",
            """
            insert into block (person, type, day, last_arrival, summary, samples)
            select p, t, date '2016-11-20' + d, d, convert_to('summary', 'UTF8'),
              case when d > 1000 then convert_to(repeat('x', 40), 'UTF8') end
            from generate_series(1, 20) t, generate_series(0, 3650, 10) d,
              (select number from person union all select generate_series(100000, 100009)) as o (p)
            """,
        ])
        return try await test.number(of: account)
    }

    @Test("NFR-01: a page of a pass through ten years, and the oldest samples, are read in the order of an index")
    func passes() async throws {
        try await IngestionTest.with { test in
            let number = try await fillBlocks(test)
            let day = CalendarDate("2020-01-01")!
            let pass = Ingestion.ReadCursor.Pass(through: 9999, day: day, type: 4)
            let statements = [
                ReadStore.blocks(
                    .init(after: 10, pass: pass), pass, of: account, types: .max, through: day.adding(days: 9000),
                    rowsMax: 50, bytesMax: 1 << 20),
                BlockStore.oldest(of: number, after: BlockKey(type: .steps, day: day), countMax: 1000),
            ]
            for isAnalysed in [false, true] {
                if isAnalysed { try await test.database.execute("analyze block") }
                for statement in statements {
                    let plan = try await plan(statement, test)
                    #expect(plan.contains("block_day") && !plan.contains("Seq Scan on block"), "\(plan)")
                    // Before that, all of the person's is sorted for a page.
                    guard isAnalysed else { continue }
                    let walk = try await test.database.query(
                        "explain (analyze, costs off, timing off) \(sql: statement)", as: String.self)
                    let rows = walk.filter { $0.contains("block_day") }.compactMap { line in
                        line.firstMatch(of: /rows=(\d+)/).flatMap { Int($0.1) }
                    }
                    #expect(rows.allSatisfy { $0 <= 1000 } && !rows.isEmpty, "\(walk)")
                }
            }
        }
    }

    @Test("NFR-01: blocks are replaced, dropped and deleted by one look-up each, not by all that a person has")
    func changes() async throws {
        try await IngestionTest.with { test in
            let number = try await fillBlocks(test)
            let key = BlockKey(type: .steps, day: CalendarDate("2020-01-01")!)
            let block = BlockStore.Block(key: key, lastArrival: 1, summary: [1], samples: [2])
            for isAnalysed in [false, true] {
                if isAnalysed { try await test.database.execute("analyze block") }
                for statement in [
                    BlockStore.replace([block], of: number), BlockStore.dropSamples([key], of: number),
                    DeletionStore.delete([key], of: number),
                ] {
                    let plan = try await genericPlan(statement, test)
                    #expect(plan.contains("Tid Scan") && plan.contains("Index Cond: ((person ="), "\(plan)")
                    #expect(!plan.contains("Hash") && !plan.contains("Merge"), "\(plan)")
                }
            }
        }
    }
}

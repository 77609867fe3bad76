import Postgres
import PostgresTesting
import Primitives
import Testing

@testable import Service

/// What operators read of an audit trail.
@Suite struct AuditEntryTests {
    /// Entries on a page.
    private static let pageCount = 100

    private struct Trail: Sendable {
        let audit: AuditTrail
        let database: Database
        let entries: SQL
        /// Whose entries are all old: the first 5,000 of the trail.
        let anna = UUID(high: 0, low: 1)

        /// A trail with 20,000 entries, of which every 500th is an operator's.
        static func with(_ body: @escaping @Sendable (Trail) async throws -> Void) async throws {
            try await TestDatabase.with { test in
                try await test.addAudit()
                let trail = Trail(
                    audit: AuditTrail(database: test.database), database: test.database,
                    entries: "\(identifier: AuditTables.schema(beside: test.schema)).audit_entry")
                try await test.database.batch([
                    "alter table \(sql: trail.entries) set (autovacuum_enabled = false)",
                    """
                    insert into \(sql: trail.entries)
                      (sequence, recorded_at, actor, action, pseudonym, on_behalf_of, purpose, hash)
                    select n, now(),
                      case when n % 500 = 0 then (array['operator rosa', 'command', 'operator'])[n / 500 % 3 + 1]
                        else (array['query', 'ingestion', 'operators', 'commands', 'an operator'])[n % 5 + 1] end,
                      'accounts.find',
                      case when n <= 5000 then \(trail.anna) when n % 7 > 0 then gen_random_uuid() end,
                      case when n % 2 = 0 then \(trail.anna) end, 'request', sha256(int8send(n))
                    from generate_series(1::int8, 20000) n
                    """,
                ])
                try await body(trail)
            }
        }

        /// All of a selection, page after page.
        func walk(_ selection: AuditTrail.Selection) async throws -> [Int64] {
            var (all, before): ([Int64], Int64) = ([], .max)
            while true {
                let page = try await audit.entries(selection, before: before, limit: pageCount, in: database)
                all += page.map(\.sequence)
                guard page.count == pageCount, let last = page.last else { return all }
                before = last.sequence
            }
        }

        func plan(_ selection: AuditTrail.Selection, before: Int64) async throws -> String {
            try await database.query(
                """
                explain (analyze, buffers, costs off, timing off)
                \(sql: audit.statement(selection, before: before, limit: pageCount))
                """, as: String.self
            ).joined(separator: "\n")
        }
    }

    @Test(
        "NFR-06b: Operators' acts are read page after page, each once and no others"
    )
    func selections() async throws {
        try await Trail.with { trail in
            #expect(try await trail.walk(.operators) == (1...40).reversed().map { $0 * 500 })
            #expect(try await trail.walk(.all) == (1...20_000).reversed().map { $0 })
            let bounds: [Int64] = [1, 0, -1, .min]
            for before in bounds {
                for selection in [AuditTrail.Selection.all, .operators] {
                    let found = try await trail.audit.entries(
                        selection, before: before, limit: Self.pageCount, in: trail.database)
                    #expect(found.isEmpty)
                }
            }
        }
    }

    @Test(
        "NFR-06b: Entries about one account are looked for in bounded steps, and each is found once, however they lie")
    func aboutAccount() async throws {
        try await Trail.with { trail in
            func walk(_ pseudonym: UUID, from before: Int64 = .max) async throws -> (found: [Int64], steps: Int) {
                var (all, next, steps): ([Int64], Int64?, Int) = ([], before, 0)
                while let before = next {
                    let page = try await trail.audit.entries(
                        about: pseudonym, before: before, limit: Self.pageCount, scanned: 3000, in: trail.database)
                    #expect(page.entries.count <= Self.pageCount)
                    #expect(page.next.map { $0 < before } ?? true)
                    all += page.entries.map(\.sequence)
                    (next, steps) = (page.next, steps + 1)
                }
                return (all, steps)
            }
            let anna = try await walk(trail.anna)
            #expect(anna.found == (1...5000).reversed().map { $0 })
            let nobody = try await walk(.random())
            #expect(nobody.found == [] && nobody.steps == 7)
            for before in [Int64.min, -1, 0, 1] { #expect(try await walk(trail.anna, from: before).found == []) }
            #expect(try await walk(trail.anna, from: 3).found == [2, 1])
            try await trail.database.execute("delete from \(sql: trail.entries) where sequence <= 4990")
            #expect(try await walk(trail.anna).found.last == 4991)
            try await trail.database.execute("delete from \(sql: trail.entries)")
            #expect(try await walk(trail.anna).found == [])
        }
    }

    @Test("NFR-06b: A page of operators' acts is read from an index, however the entries lie")
    func plans() async throws {
        try await Trail.with { trail in
            for isAnalysed in [false, true] {
                if isAnalysed { try await trail.database.execute("analyze \(sql: trail.entries)") }
                let pages: [(AuditTrail.Selection, Int64, String)] = [
                    (.operators, .max, "audit_entry_operators"), (.operators, 9000, "audit_entry_operators"),
                ]
                for (selection, before, index) in pages {
                    let plan = try await trail.plan(selection, before: before)
                    #expect(plan.contains(index) && !plan.contains("Filter"), "\(plan)")
                    // A page of the table for each entry and a few of the index; the table has more than three hundred.
                    let buffers = plan.matches(of: /Buffers: shared((?: \w+=\d+)+)/).first.map { line in
                        line.1.matches(of: /(?:hit|read)=(\d+)/).compactMap { Int($0.1) }.reduce(0, +)
                    }
                    #expect(try #require(buffers) <= Self.pageCount + 10, "\(plan)")
                }
            }
        }
    }
}

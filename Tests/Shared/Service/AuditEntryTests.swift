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
        /// Whose entries are all old: the first 5,000 of the trail. Before all others in the order of pseudonyms, where a planner
        /// expects fewest.
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
        "NFR-06b: Operators' acts, and the entries about one account, are read page after page, each once and no others"
    )
    func selections() async throws {
        try await Trail.with { trail in
            #expect(try await trail.walk(.operators) == (1...40).reversed().map { $0 * 500 })
            #expect(try await trail.walk(.about(trail.anna)) == (1...5000).reversed().map { $0 })
            #expect(try await trail.walk(.about(.random())).isEmpty)
            #expect(try await trail.walk(.all) == (1...20_000).reversed().map { $0 })
            let bounds: [Int64] = [1, 0, -1, .min]
            for before in bounds {
                for selection in [AuditTrail.Selection.all, .operators, .about(trail.anna)] {
                    let found = try await trail.audit.entries(
                        selection, before: before, limit: Self.pageCount, in: trail.database)
                    #expect(found.isEmpty)
                }
            }
        }
    }

    @Test("NFR-06b: A page of operators' acts, or about one account, is read from an index, however the entries lie")
    func plans() async throws {
        try await Trail.with { trail in
            for isAnalysed in [false, true] {
                if isAnalysed { try await trail.database.execute("analyze \(sql: trail.entries)") }
                let pages: [(AuditTrail.Selection, Int64, String)] = [
                    (.operators, .max, "audit_entry_operators"), (.operators, 9000, "audit_entry_operators"),
                    (.about(trail.anna), .max, "audit_entry_about"), (.about(trail.anna), 2500, "audit_entry_about"),
                    (.about(.random()), .max, "audit_entry_about"),
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

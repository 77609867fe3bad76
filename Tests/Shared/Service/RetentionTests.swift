import Postgres
import PostgresTesting
import Primitives
import ServiceTesting
import Synchronization
import Testing

@testable import Service

@Suite struct RetentionTests {
    @Test("NFR-06: What is older than the deployment keeps it is deleted in bounded steps, and the rest stays")
    func rules() async throws {
        try await TestDatabase.with { test in
            let database = test.database
            try await database.execute("create table history (at timestamptz not null, kept boolean not null)")
            let clock = TestClock()
            try await database.execute(
                """
                insert into history select \(clock.now()) - interval '1 hour' * n, n % 100 = 0 from generate_series(1, 2400) n
                """)
            let rule = RetentionRule(
                "history", days: 90, table: "history", column: "at", where: "not kept", in: database)
            func count() async throws -> Int? {
                try await database.queryOne("select count(*) from history", as: Int.self)
            }
            try await Retention([rule], days: [:], clock: clock, database: database).enforce()
            #expect(try await count() == 2400 - 240 + 3)
            try await Retention([rule], days: ["history": 10], clock: clock, database: database).enforce()
            #expect(try await count() == 240 + 24 - 2)
            // A clock that is years ahead deletes nothing that the database does not find old, too.
            try await database.execute("insert into history values (now() - interval '1 day', false)")
            let ahead = TestClock(Timestamp.now() + .seconds(86_400 * 3650))
            try await Retention([rule], days: [:], clock: ahead, database: database).enforce()
            #expect(
                try await database.queryOne("select count(*) from history where not kept", as: Int.self) == 1)
        }
    }

    @Test("A retention that no rule has, or of no time, is refused")
    func wrong() async throws {
        try await TestDatabase.with { test in
            let rule = RetentionRule("history", days: 1) { _ in 0 }
            try await test.database.execute("select 1")
            for days in [["histories": 1], ["history": 0], ["history": 36_501]] {
                #expect(throws: ConfigurationError.self) {
                    try Retention([rule], days: days, clock: TestClock(), database: test.database)
                }
            }
        }
    }
}

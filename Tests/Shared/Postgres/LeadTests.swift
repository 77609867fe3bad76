import PostgresTesting
import Reactor
import Synchronization
import Testing

@testable import Postgres

@Suite struct LeadTests {
    private final class Asked: Sendable {
        let count = Mutex(0)
    }

    @Test("A database that is led elsewhere uses no connection of before, and its listeners begin anew")
    func lead() async throws {
        try await TestDatabase.with { test in
            let database = test.another { $0.connectionsPerLoopMax = 2 }
            let name: SQL = "select current_database()::text"
            let before = try #require(try await database.queryOne(name, as: String.self))
            var listening = database.listen(to: ["lead"]).makeAsyncIterator()
            #expect(await listening.next() == .listening)
            let found = try await database.withConnection { connection in
                await database.lead(to: database.configuration.connectionInfo + " dbname=postgres")
                // What was under way ends where it began.
                return (
                    try await database.queryOne(name, as: String.self),
                    try await connection.queryOne(name, as: String.self)
                )
            }
            #expect(found.0 == "postgres" && found.1 == before)
            for _ in 0..<3 { #expect(try await database.queryOne(name, as: String.self) == "postgres") }
            #expect(await listening.next() == .listening)
            try await database.execute("notify lead, 'there'")
            #expect(await listening.next() == .message(channel: "lead", payload: "there"))
            await database.close()
        }
    }

    @Test("What is not there is asked for, and the statement or transaction run once more when it has moved")
    func missing() async throws {
        try await TestDatabase.with { test in
            let asked = Asked()
            let other = test.database
            let database = test.another {
                $0.whenMissing = {
                    let count = asked.count.withLock { count in
                        count += 1
                        return count
                    }
                    guard count < 4 else { return false }
                    _ = try? await other.execute("create table \(raw: "item\(count)") (value int)")
                    return true
                }
            }
            try await database.execute("insert into item1 values (1)")
            try await database.batch(["insert into item1 values (2)", "insert into item2 values (1)"])
            try await database.transaction { transaction in
                try await transaction.execute("insert into item1 values (3)")
                try transaction.beforeCommit("insert into item3 values (1)")
            }
            #expect(try await other.queryOne("select count(*) from item1", as: Int.self) == 3)
            #expect(asked.count.withLock { $0 } == 3)
            await #expect(throws: PostgresError.self) { try await database.execute("insert into item4 values (1)") }
            // Other errors are nobody's business.
            await #expect(throws: PostgresError.self) { try await database.execute("insert into item1 values ('x')") }
            #expect(asked.count.withLock { $0 } == 4)
            await database.close()
        }
    }
}

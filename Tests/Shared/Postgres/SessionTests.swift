import Postgres
import PostgresTesting
import Primitives
import Reactor
import Testing

/// What the server does with sessions whose client has gone or sleeps.
@Suite struct SessionTests {
    @Test("Sessions tell the server when to give up on them")
    func settings() async throws {
        try await TestDatabase.with { test in
            for (name, value) in [
                ("idle_in_transaction_session_timeout", "30s"), ("client_connection_check_interval", "5s"),
                ("statement_timeout", "1min"),
            ] {
                let shown = try await test.database.queryOne("show \(identifier: name)", as: String.self)
                #expect(shown == value, "\(name)")
            }
            // On a unix socket these are 0: the session's settings, not what is in force, is what can be looked at.
            let network = try await test.database.query(
                """
                select name from pg_settings where source = 'client'
                  and name in ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout')
                """, as: String.self)
            #expect(network.count == 4)
        }
    }

    @Test("A prepared statement that is called with few values has one plan, where plans are kept")
    func keptPlans() async throws {
        for isKept in [false, true] {
            try await TestDatabase.with {
                $0.keepsPlans = isKept
                $0.connectionsPerLoopMax = 1
            } _: { test in
                try await test.database.execute("create table item (id int8 primary key)")
                for id in 0..<20 as Range<Int64> {
                    _ = try await test.database.query(
                        """
                        select item.id from unnest(\([id])) as i (id) cross join lateral (
                          select id from item where id = i.id limit 1) item
                        """, as: Int64.self)
                }
                let custom = try await test.database.queryOne(
                    "select sum(custom_plans)::int8 from pg_prepared_statements where statement like '%unnest%item%'",
                    as: Int64.self)
                #expect(isKept ? custom == 0 : custom == 20)
            }
        }
    }

    @Test("A transaction that is left open without a statement is ended by the server, and its locks with it")
    func stuckTransaction() async throws {
        try await TestDatabase.with {
            $0.idleInTransactionTime = .milliseconds(100)
        } _: { test in
            try await test.database.execute("create table item (id int8)")
            let (locked, release) = (EventCounter(), EventCounter())
            let stuck = test.loops.loops[0].task { () -> PostgresError? in
                do {
                    try await test.database.transaction { transaction in
                        try await transaction.execute("lock table item in access exclusive mode")
                        locked.raise()
                        _ = await release.wait(after: 0, deadline: .after(.seconds(20)))
                        try await transaction.execute("insert into item values (1)")
                    }
                    return nil
                } catch { return (error as? TransactionError)?.postgres }
            }
            _ = await locked.wait(after: 0)
            // Waits for the lock, and gets it while the other client still sleeps.
            try await test.database.execute("insert into item values (2)", deadline: .after(.seconds(15)))
            release.raise()
            guard case .connection = await stuck.value else {
                Issue.record("\(String(describing: await stuck.value))")
                return
            }
            #expect(try await test.database.query("select id from item", as: Int.self) == [2])
        }
    }

    @Test("A migration that cannot have its locks stands aside for others, and is applied when they are free")
    func migrationLocks() async throws {
        try await TestDatabase.with { test in
            let first = Migration(1, "items", Array("create table item (id int8)".utf8))
            let second = Migration(2, "names", Array("alter table item add name text".utf8))
            try await Migrations(schema: test.schema, [first]).run(on: test.database)
            let (locked, release) = (EventCounter(), EventCounter())
            let reader = test.loops.loops[0].throwingTask {
                try await test.database.transaction { transaction in
                    _ = try await transaction.query("select id from item", as: Int.self)
                    locked.raise()
                    _ = await release.wait(after: 0, deadline: .after(.seconds(20)))
                }
            }
            _ = await locked.wait(after: 0)
            let both = Migrations(schema: test.schema, [first, second])
            let error = await #expect(throws: MigrationError.self) {
                try await both.run(on: test.database, wait: .milliseconds(200))
            }
            guard case .failed(2, "names", let reason) = error, reason.sqlState == .lockNotAvailable else {
                Issue.record("\(String(describing: error))")
                return
            }
            let applied = test.loops.loops[0].throwingTask { try await both.run(on: test.database) }
            // Stands in nobody's way for long.
            try await test.database.execute("select from item", deadline: .after(.seconds(15)))
            release.raise()
            try await reader.value
            #expect(try await applied.value == [2])
        }
    }
}

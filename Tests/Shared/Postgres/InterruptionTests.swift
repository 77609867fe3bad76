import Postgres
import PostgresTesting
import Primitives
import Reactor
import Synchronization
import Testing

@Suite struct InterruptionTests {
    @Test("A statement is cancelled when its deadline passes, and the connection is used again")
    func deadline() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
        } _: { test in
            let database = test.database
            let before = try await database.queryOne("select pg_backend_pid()", as: Int.self)
            await #expect(throws: PostgresError.timedOut) {
                try await database.execute("select pg_sleep(60)", deadline: .after(.milliseconds(50)))
            }
            #expect(try await database.queryOne("select pg_backend_pid()", as: Int.self) == before)
        }
    }

    @Test("A cancelled task's statement is cancelled; a task cancelled before sends nothing")
    func cancellation() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
        } _: { test in
            let database = test.database
            let before = try await database.queryOne("select pg_backend_pid()", as: Int.self)
            let running = test.loops.loops[0].task { () -> PostgresError? in
                do throws(PostgresError) {
                    try await database.execute("select pg_sleep(60) /* cancel me */")
                    return nil
                } catch { return error }
            }
            let other = test.another()
            try await waitUntil(other) {
                "select exists (select from pg_stat_activity where query like '%cancel me%' and pid = \(before))"
            }
            running.cancel()
            #expect(await running.value == .cancelled)
            #expect(try await database.queryOne("select pg_backend_pid()", as: Int.self) == before)
            await other.close()
        }
    }

    @Test("A server that does not stop in time loses the connection, and the next call gets another")
    func unwillingServer() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
            $0.cancelTime = .milliseconds(100)
        } _: { test in
            let other = test.another()
            // The block swallows requests to cancel and goes on sleeping; the server may signal each of them twice.
            let sql: SQL = """
                do $$ begin
                  for n in 1..4 loop
                    begin perform pg_sleep(20); exception when query_canceled then null; end;
                  end loop;
                end $$
                """
            let before = try await test.database.queryOne("select pg_backend_pid()", as: Int.self)
            let database = test.database
            let sleeping = test.loops.loops[0].task { await failure { try await database.execute(sql) } }
            try await waitUntil(other) {
                "select exists (select from pg_stat_activity where pid = \(before) and wait_event = 'PgSleep')"
            }
            sleeping.cancel()
            let error = await sleeping.value
            guard case .outcomeUnknown = error else {
                Issue.record("a DO block may have changed something: \(String(describing: error))")
                return
            }
            let after = try await test.database.queryOne("select pg_backend_pid()", as: Int.self)
            #expect(before != after)
            await other.close()
        }
    }

    @Test("A backend that is killed: idle nobody notices; in a read it is a lost connection; in a write nobody knows")
    func killed() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
        } _: { test in
            let database = test.database
            let other = test.another()
            for _ in 0..<3 {
                try await kill(try await database.queryOne("select pg_backend_pid()", as: Int.self), from: other)
                #expect(try await database.queryOne("select 1", as: Int.self) == 1)
            }
            try await database.execute("create table item (id int8)")
            for (sql, isKnown) in [
                ("select pg_sleep(60)", true), ("insert into item select 1 from pg_sleep(60)", true),
            ] {
                let pid = try await database.queryOne("select pg_backend_pid()", as: Int.self)
                async let failure = failure { try await database.execute(SQL(raw: sql)) }
                try await waitUntil(other) {
                    "select exists (select from pg_stat_activity where pid = \(pid) and wait_event = 'PgSleep')"
                }
                try await kill(pid, from: other)
                let error = await failure
                if case .connection(let detail) = error {
                    #expect(isKnown && detail.contains("57P01"))
                } else {
                    Issue.record("\(String(describing: error))")
                }
            }
            #expect(try await database.queryOne("select count(*) from item", as: Int.self) == 0)
            await other.close()
        }
    }

    @Test("A backend that is killed within a transaction fails the next statement; the pool recovers")
    func killedInTransaction() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
        } _: { test in
            let other = test.another()
            try await test.database.execute("create table item (id int8)")
            let error = await #expect(throws: TransactionError.self) {
                try await test.database.transaction { transaction in
                    try await transaction.execute("insert into item values (1)")
                    try await kill(transaction.queryOne("select pg_backend_pid()", as: Int.self), from: other)
                    try await transaction.execute("insert into item values (2)")
                }
            }
            #expect(error?.stage == .body)
            guard case .connection = error?.postgres else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await test.database.queryOne("select count(*) from item", as: Int.self) == 0)
            await other.close()
        }
    }

    @Test("A connection lost during COMMIT: the outcome is unknown")
    func killedInCommit() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
        } _: { test in
            let other = test.another()
            try await slowCommits(on: test.database)
            let pid = try await test.database.queryOne("select pg_backend_pid()", as: Int.self)
            let database = test.database
            let committing = test.loops.loops[0].task { () -> TransactionError? in
                do throws(TransactionError) {
                    try await database.transaction(deadline: .after(.seconds(1))) {
                        _ = try await $0.execute("insert into item values (1)")
                    }
                    return nil
                } catch { return error }
            }
            try await waitUntil(other) {
                "select exists (select from pg_stat_activity where pid = \(pid) and wait_event = 'PgSleep')"
            }
            committing.cancel()  // A commit is never cancelled.
            try await kill(pid, from: other)
            let error = await committing.value
            #expect(error?.stage == .commit)
            guard case .outcomeUnknown = error?.postgres else {
                Issue.record("\(String(describing: error))")
                return
            }
            await other.close()
        }
    }

    @Test(
        "A commit that is not answered in its time: the outcome is unknown, and the connection is given up; what holds only after a commit is not done"
    )
    func endlessCommit() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
            $0.commitTime = .milliseconds(300)
        } _: { test in
            try await slowCommits(on: test.database)
            let began = Deadline.now()
            let hooks = Mutex<[String]>([])
            func transaction(_ sql: SQL) async throws {
                try await test.database.transaction { transaction -> Void in
                    transaction.afterCommit { hooks.withLock { $0.append("any") } }
                    transaction.afterCommit(onlyIfCertain: true) { hooks.withLock { $0.append("certain") } }
                    try await transaction.execute(sql)
                }
            }
            let error = await #expect(throws: TransactionError.self) {
                try await transaction("insert into item values (1)")
            }
            #expect(hooks.withLock { $0 } == ["any"])
            await #expect(throws: TransactionError.self) { try await transaction("select 1 / 0") }
            try await transaction("select 1")
            #expect(hooks.withLock { $0 } == ["any", "any", "certain"])
            guard case .outcomeUnknown = error?.postgres else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(Deadline.now().since(began) < .seconds(10))
            #expect(try await test.database.queryOne("select 1", as: Int.self) == 1)
        }
    }

    /// Makes a table `item` whose changes take a minute to commit.
    private func slowCommits(on database: Database) async throws {
        try await database.execute("create table item (id int8)")
        try await database.execute(
            """
            create function slow() returns trigger language plpgsql as
            $$ begin perform pg_sleep(60); return null; end $$
            """)
        try await database.execute(
            """
            create constraint trigger slow after insert on item deferrable initially deferred
            for each row execute function slow()
            """)
    }

    private func failure(_ body: () async throws -> Void) async -> PostgresError? {
        do {
            try await body()
            return nil
        } catch { return error as? PostgresError }
    }

    private func kill(_ pid: Int?, from database: Database) async throws {
        try await database.execute("select pg_terminate_backend(\(Int32(try #require(pid))), 5000)")
    }

    /// Asks until it is so; the call's own deadline bounds it.
    private func waitUntil(_ database: Database, _ condition: () -> SQL) async throws {
        let deadline = Deadline.after(.seconds(10))
        while try await database.queryOne(condition(), as: Bool.self, deadline: deadline) != true {}
    }
}

import Postgres
import PostgresTesting
import Primitives
import Reactor
import Synchronization
import Testing

@Suite struct TransactionTests {
    private struct Refusal: Error {}

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    @Test("What the body did is committed together; what it threw rolls back and is told as it was")
    func commitAndRollback() async throws {
        try await TestDatabase.with { test in
            let database = test.database
            try await database.execute("create table item (id int8)")
            let count = try await database.transaction { transaction in
                try await transaction.batch(["insert into item values (1)", "insert into item values (2)"])
                return try await transaction.queryOne("select count(*) from item", as: Int.self)
            }
            #expect(count == 2)
            let error = await #expect(throws: TransactionError.self) {
                try await database.transaction { transaction in
                    try await transaction.execute("delete from item")
                    throw Refusal()
                }
            }
            #expect(error?.stage == .body && error?.underlying is Refusal && error?.rollback == nil)
            #expect(try await database.queryOne("select count(*) from item", as: Int.self) == 2)
            try await database.transaction { _ in }
            #expect(await database.connectionCount == 1)
        }
    }

    @Test("A body that hides a statement's failure does not commit")
    func hiddenFailure() async throws {
        try await TestDatabase.with { test in
            try await test.database.execute("create table item (id int8 primary key)")
            let error = await #expect(throws: TransactionError.self) {
                try await test.database.transaction { transaction in
                    try await transaction.execute("insert into item values (1)")
                    _ = try? await transaction.execute("insert into item values (1)")
                }
            }
            #expect(error?.stage == .commit && error?.postgres?.sqlState == .inFailedTransaction)
            #expect(try await test.database.queryOne("select count(*) from item", as: Int.self) == 0)
        }
    }

    @Test("Constraints checked at the commit fail it")
    func deferredConstraint() async throws {
        try await TestDatabase.with { test in
            try await test.database.execute(
                "create table item (id int8 constraint item_key unique deferrable initially deferred)")
            let error = await #expect(throws: TransactionError.self) {
                try await test.database.transaction { transaction in
                    try await transaction.batch(["insert into item values (1)", "insert into item values (1)"])
                }
            }
            #expect(error?.stage == .commit && error?.postgres?.constraint == "item_key")
        }
    }

    @Test("Serializable transactions that conflict are run again until both have had their turn")
    func retries() async throws {
        try await TestDatabase.with { test in
            let database = test.database
            try await database.execute("create table counter (value int8)")
            try await database.execute("insert into counter values (0)")
            let runs = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<10 {
                            try await database.transaction(isolation: .serializable, retriesMax: 100) { transaction in
                                runs.add()
                                let value = try await transaction.queryOne("select value from counter", as: Int.self)
                                try await transaction.execute("update counter set value = \((value ?? 0) + 1)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await database.queryOne("select value from counter", as: Int.self) == 40)
            #expect(runs.count > 40)
        }
    }

    @Test("After the last repetition the conflict is told; a read-only transaction does not write")
    func retriesEnd() async throws {
        try await TestDatabase.with { test in
            let runs = Counter()
            let error = await #expect(throws: TransactionError.self) {
                try await test.database.transaction(retriesMax: 2) { transaction in
                    runs.add()
                    try await transaction.execute("do $$ begin raise sqlstate '40001'; end $$")
                }
            }
            #expect(error?.postgres?.isRetryable == true && runs.count == 3)
            let readOnly = await #expect(throws: TransactionError.self) {
                try await test.database.transaction(readOnly: true) {
                    _ = try await $0.execute("create table t (a int4)")
                }
            }
            #expect(readOnly?.postgres?.sqlState == .readOnlyTransaction)
        }
    }

    @Test("Transactions do not nest, and are over at their end")
    func misuse() async throws {
        try await TestDatabase.with { test in
            try await test.database.withConnection { connection in
                let outer = try await connection.transaction { outer in
                    try await outer.execute("select 1")
                    let inner = await #expect(throws: TransactionError.self) {
                        try await connection.transaction { _ in }
                    }
                    #expect(inner?.stage == .begin)
                    return outer
                }
                await #expect(throws: PostgresError.closed) { try await outer.execute("select 1") }
            }
        }
    }

    @Test("A transaction left open by hand never reaches the next user")
    func leftOpen() async throws {
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
        } _: { test in
            try await test.database.execute("create table item (id int8)")
            try await test.database.withConnection { connection in
                try await connection.execute("begin")
                try await connection.execute("insert into item values (1)")
            }
            #expect(try await test.database.queryOne("select count(*) from item", as: Int.self) == 0)
        }
    }
}

import Postgres
import PostgresTesting
import Primitives
import Reactor
import Testing

@Suite struct NotificationTests {
    @Test("Notifications arrive in order; after a lost connection the listener says so and goes on")
    func listens() async throws {
        try await TestDatabase.with { test in
            let database = test.database
            let channel = test.schema + "_ä"
            let reader = database.listen(to: [channel]).makeAsyncIterator()
            var iterator = reader
            #expect(await iterator.next() == .listening)
            for number in 1...3 { try await database.execute("select pg_notify(\(channel), \("n\(number)"))") }
            for number in 1...3 {
                #expect(await iterator.next() == .message(channel: channel, payload: "n\(number)"))
            }
            try await database.execute(
                """
                select pg_terminate_backend(pid, 5000) from pg_stat_activity
                where application_name = \(test.schema) and query like 'LISTEN%'
                """)
            #expect(await iterator.next() == .listening)
            try await database.execute("select pg_notify(\(channel), 'again')")
            #expect(await iterator.next() == .message(channel: channel, payload: "again"))
        }
    }

    @Test("NFR-03: a listener whose connection is lost comes back in the way that is configured by then")
    func reconfigured() async throws {
        try await TestDatabase.with { test in
            let database = test.database
            var iterator = database.listen(to: [test.schema]).makeAsyncIterator()
            #expect(await iterator.next() == .listening)
            database.reconnect(with: database.configuration.connectionInfo + " dbname=postgres")
            let listeners: SQL = """
                from pg_stat_activity where application_name = \(test.schema) and query like 'LISTEN%'
                """
            try await database.execute("select pg_terminate_backend(pid, 5000) \(sql: listeners)")
            #expect(await iterator.next() == .listening)
            #expect(try await database.query("select datname::text \(sql: listeners)", as: String.self) == ["postgres"])
        }
    }

    @Test("A reader that is too slow learns how much it missed")
    func overflows() async throws {
        try await TestDatabase.with { test in
            let channel = test.schema
            var iterator = test.database.listen(to: [channel], bufferMax: 4).makeAsyncIterator()
            #expect(await iterator.next() == .listening)
            try await test.database.execute("select pg_notify(\(channel), n::text) from generate_series(1, 10000) n")
            // The last one may be missed as well, so it is said until it is heard.
            let database = test.database
            let speaker = test.loops.loops[0].throwingTask {
                while !Task.isCancelled { try await database.execute("select pg_notify(\(channel), 'last')") }
            }
            var numbers: [Int] = []
            var missed = 0
            reading: while let notification = await iterator.next() {
                switch notification {
                case .message(_, "last"): break reading
                case .message(_, let payload): numbers.append(Int(payload) ?? 0)
                case .missed(let count): missed += count
                case .listening: Issue.record("the connection was not lost")
                }
            }
            speaker.cancel()
            _ = await speaker.result
            #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
            #expect(missed > 0 && numbers.count + missed >= 10_000)
        }
    }
}

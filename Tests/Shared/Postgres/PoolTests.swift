import Glibc
import Postgres
import PostgresTesting
import Primitives
import Reactor
import Telemetry
import Testing

@Suite struct PoolTests {
    @Test("Callers beyond the limit wait for their turn, others are refused, and none waits beyond its deadline")
    func limits() async throws {
        let observer = Observer.silent
        try await TestDatabase.with {
            $0.connectionsPerLoopMax = 1
            $0.waitersPerLoopMax = 1
            $0.observer = observer
        } _: { test in
            let database = test.database
            try await database.withConnection { _ in
                await #expect(throws: PostgresError.timedOut) {
                    try await database.execute("select 1", deadline: .after(.milliseconds(20)))
                }
                let waiting = test.loops.loops[0].throwingTask {
                    try await database.queryOne("select 7", as: Int.self)
                }
                // Queued behind the task above, on the same loop.
                let refused = test.loops.loops[0].task { () -> PostgresError? in
                    do throws(PostgresError) {
                        try await database.execute("select 1")
                        return nil
                    } catch { return error }
                }
                #expect(await refused.value == .overloaded)
                waiting.cancel()
                await #expect(throws: PostgresError.cancelled) { try await waiting.value }
            }
            #expect(try await database.queryOne("select 8", as: Int.self) == 8)
            #expect(await database.connectionCount == 1)
            let text = String(decoding: await observer.metrics.text(), as: UTF8.self)
            #expect(text.contains("trackme_database_overloads_total{schema=\"\(test.schema)\"} 1"))
            #expect(text.contains("trackme_database_waiting{schema=\"\(test.schema)\"} 0"))
            // The very first connection is waited for, too.
            #expect(text.contains("trackme_database_wait_seconds_count{schema=\"\(test.schema)\"} 3"))
        }
    }

    @Test("Many callers share few connections, on every loop and from outside")
    func sharing() async throws {
        try await TestDatabase.with(loops: 2) { test in
            let database = test.database
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<200 {
                    group.addTask(executorPreference: test.loops.loops[number % 2]) {
                        try await database.queryOne("select \(number)", as: Int.self)
                    }
                }
                var sum = 0
                for try await value in group { sum += try #require(value) }
                #expect(sum == 19_900)
            }
            #expect(await database.connectionCount <= 2 * TestDatabase.connectionsMax)
            let outside = try await Task.detached { try await database.queryOne("select 5", as: Int.self) }.value
            #expect(outside == 5)
            let transaction = try await Task.detached {
                try await database.transaction { try await $0.queryOne("select 6", as: Int.self) }
            }.value
            #expect(transaction == 6)
        }
    }

    @Test("A server that cannot be reached is told after the deadline; one that refuses for good, at once")
    func refusals() async throws {
        try await TestDatabase.with { test in
            let nobody = test.another { $0.connectionInfo = "host=127.0.0.1 port=1 dbname=x" }
            let error = await #expect(throws: PostgresError.self) {
                try await nobody.execute("select 1", deadline: .after(.milliseconds(200)))
            }
            guard case .connection = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            await nobody.close()
            let wrong = test.another { $0.connectionInfo += " dbname=there_is_no_such_database" }
            let refusal = await #expect(throws: PostgresError.self) { try await wrong.execute("select 1") }
            #expect(refusal?.sqlState == .invalidCatalogName)
            await wrong.close()
            await #expect(throws: PostgresError.closed) { try await wrong.execute("select 1") }
        }
    }

    @Test("NFR-02a: A request is told soon that no server can be reached; other work waits until its deadline")
    func unreachable() async throws {
        try await TestDatabase.with { test in
            let nobody = test.another {
                $0.connectionInfo = "host=127.0.0.1 port=1 dbname=x"
                $0.unreachableTime = .milliseconds(100)
                $0.reconnect = BackOff(max: .milliseconds(10))
            }
            func told(before deadline: Duration, in scope: RequestScope) async throws -> Duration {
                try await RequestScope.$current.withValue(scope) {
                    let begun = Deadline.now()
                    let error = await #expect(throws: PostgresError.self) {
                        try await nobody.execute("select 1", deadline: .after(deadline))
                    }
                    guard case .connection = error else { throw try #require(error) }
                    return Deadline.now().since(begun)
                }
            }
            let request = RequestScope(deadline: .after(.seconds(100)), trace: .root())
            let soon = try await told(before: .seconds(60), in: request)
            #expect(soon < .seconds(30))
            let work = RequestScope(deadline: .never, trace: .root())
            let late = try await told(before: .milliseconds(400), in: work)
            #expect(late >= .milliseconds(400))
            await nobody.close()
        }
    }

    @Test("NFR-02a: A request is told soon of a server that does not answer attempts to connect, too")
    func silent() async throws {
        try await TestDatabase.with { test in
            // The kernel takes the connection; nobody says anything.
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(server) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    try #require(
                        bind(server, pointer, length) == 0 && listen(server, 16) == 0
                            && getsockname(server, pointer, &length) == 0)
                }
            }
            let port = UInt16(bigEndian: address.sin_port)
            let silent = test.another {
                $0.connectionInfo = "host=127.0.0.1 port=\(port) dbname=x"
                $0.unreachableTime = .milliseconds(100)
                $0.connectTime = .seconds(5)
            }
            let request = RequestScope(deadline: .after(.seconds(100)), trace: .root())
            let begun = Deadline.now()
            let error = await #expect(throws: PostgresError.self) {
                try await RequestScope.$current.withValue(request) {
                    try await silent.execute("select 1", deadline: .after(.seconds(50)))
                }
            }
            #expect(error == .connection(detail: "the server does not answer"))
            #expect(Deadline.now().since(begun) < .seconds(30))
            await silent.close()
        }
    }

    @Test("Who waits for a connection that others have waits until the deadline, however long")
    func patience() async throws {
        try await TestDatabase.with { test in
            let narrow = test.another {
                $0.connectionsPerLoopMax = 1
                $0.unreachableTime = .milliseconds(1)
            }
            let request = RequestScope(deadline: .after(.seconds(100)), trace: .root())
            let waiting = try await narrow.withConnection { connection in
                let waiting = test.loops.loops[0].throwingTask {
                    try await RequestScope.$current.withValue(request) {
                        try await narrow.queryOne("select 2", as: Int.self)
                    }
                }
                _ = try await connection.queryOne("select 1 from pg_sleep(0.05)", as: Int.self)
                return waiting
            }
            #expect(try await waiting.value == 2)
            await narrow.close()
        }
    }

    @Test("Of several hosts the first that answers and accepts writes is used")
    func severalHosts() async throws {
        let good = try #require(parameters(try TestDatabase.connectionInfo()))
        try await TestDatabase.with { test in
            let several = test.another {
                $0.connectionInfo = "\(good.rest) host=/run/no-such-folder,\(good.host) port=1,\(good.port)"
            }
            let readOnly = try await several.queryOne("show transaction_read_only", as: String.self)
            #expect(readOnly == "off")
            await several.close()
            let standby = test.another {
                $0.connectionInfo =
                    "\(good.rest) host=\(good.host) port=\(good.port)"
                    + " target_session_attrs=read-only"
            }
            let error = await #expect(throws: PostgresError.self) {
                try await standby.execute("select 1", deadline: .after(.milliseconds(300)))
            }
            #expect(error?.debugDescription.contains("read-only") == true)
            await standby.close()
        }
    }

    @Test("Idle connections are closed after their time")
    func idle() async throws {
        try await TestDatabase.with { test in
            let short = test.another { $0.idleTime = .milliseconds(1) }
            try await short.execute("select 1")
            #expect(await short.connectionCount == 1)
            let deadline = Deadline.after(.seconds(10))
            while await short.connectionCount > 0, !deadline.hasPassed {
                try await test.database.execute("select 1")
            }
            #expect(await short.connectionCount == 0)
            await short.close()
        }
    }

    /// Host, port and what else a `key=value` connection string says.
    private func parameters(_ text: String) -> (host: String, port: String, rest: String)? {
        var host = "127.0.0.1"
        var port = "5432"
        var rest: [Substring] = []
        for part in text.split(separator: " ") {
            if part.hasPrefix("host=") {
                host = String(part.dropFirst(5))
            } else if part.hasPrefix("port=") {
                port = String(part.dropFirst(5))
            } else {
                rest.append(part)
            }
        }
        return (host, port, rest.joined(separator: " "))
    }

    @Test("NFR-03: a pool connects in another way from the moment it is told to, without being made anew")
    func reconnect() async throws {
        try await TestDatabase.with { test in
            let good = test.database.configuration.connectionInfo
            let database = test.another { $0.connectionInfo = "host=127.0.0.1 port=1 user=u dbname=d" }
            await #expect(throws: PostgresError.self) {
                try await database.execute("select 1", deadline: .after(.milliseconds(200)))
            }
            database.reconnect(with: good)
            let one = try await database.queryOne("select 1", as: Int.self)
            #expect(one == 1)
            await database.close()
        }
    }
}

import Contracts
import Domain
import HTTP
import LoadGenerator
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import Security
import SuiteClient
import Synchronization

/// What others wait for while log-ins keep hashing busy: `GET /me`, for which the token and its session are checked,
/// and look-ups over RPC; against the same in quiet. In turn.
enum HashingBench {
    private static let rate = 200
    private static let turns = 4
    private static let turnSeconds = 4
    /// More than are ever hashed at a time, so that the others wait.
    private static let logInsAtOnce = 12
    private static let population = "bench-population-beside-hashing!"

    static func run(_ report: inout Report) async throws {
        // Each log-in comes from an address of its own, as those of an attacker would.
        let proxied: @Sendable (String) -> String = {
            $0.replacing("\"public\": {", with: "\"public\": {\"trusted_proxies\": [\"127.0.0.1\"], ")
        }
        let (quiet, busy, logIns) = try await ServicesBed.with([.accounts], configured: proxied) { bed in
            let calls = try await Calls(bed)
            let result: Result<(Waits, Waits, Double), any Error>
            do { result = .success(try await measure(calls)) } catch { result = .failure(error) }
            await calls.close()
            return try result.get()
        }
        report.note("\(rounded(logIns)) log-ins a second")
        for (name, waits) in [("GET /me", \Waits.me), ("look-up over RPC", \Waits.find)] {
            let (loaded, alone) = (busy[keyPath: waits], quiet[keyPath: waits])
            report.note("\(name), p50: \(rounded(loaded.p50)) ms; in quiet: \(rounded(alone.p50)) ms")
            report.add(
                "\(name) while hashing is saturated, p99", loaded.p99, against: "in quiet", alone.p99, "ms", .atMost(3))
        }
    }

    private struct Waits: Sendable {
        var me = TimedCalls()
        var find = TimedCalls()

        mutating func measure(_ calls: Calls) async throws {
            try await me.run(rate: rate, seconds: turnSeconds) { _ in try await calls.me() }
            try await find.run(rate: rate, seconds: turnSeconds) { _ in try await calls.find() }
        }
    }

    private static func measure(_ calls: Calls) async throws -> (quiet: Waits, busy: Waits, logIns: Double) {
        var (warm, quiet, busy) = (Waits(), Waits(), Waits())
        try await warm.measure(calls)
        var (logIns, time) = (0, 0.0)
        for _ in 0..<turns {
            try await quiet.measure(calls)
            calls.isOver.store(false, ordering: .relaxed)
            let begin = Deadline.now()
            (busy, logIns) = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<logInsAtOnce {
                    group.addTask {
                        var count = 0
                        while !calls.isOver.load(ordering: .relaxed) {
                            try await calls.logIn()
                            count += 1
                        }
                        return count
                    }
                }
                var waits = busy
                let result: Result<Void, any Error>
                do { result = .success(try await waits.measure(calls)) } catch { result = .failure(error) }
                calls.isOver.store(true, ordering: .relaxed)
                try result.get()
                return (waits, try await group.reduce(logIns, +))
            }
            time += seconds(since: begin)
        }
        return (quiet, busy, Double(logIns) / time)
    }

    /// One person who was provisioned, and is logged in.
    private final class Calls: Sendable {
        private let bed: ServicesBed
        private let rpc: RPCClient
        private let http: HTTPClient
        private let person: SimulatedPerson
        private let token: String
        private let number = Atomic(0)
        /// Whether no more log-ins are to begin.
        let isOver = Atomic(false)

        init(_ bed: ServicesBed) async throws {
            guard let loop = EventLoop.current, let person = Population(count: 1).people.first else {
                throw BenchError.failed("outside an event loop")
            }
            (self.bed, self.person) = (bed, person)
            let made = try await bed.calling(.accounts, as: "simulator") { client in
                try await client.call(
                    Accounts.Provision.self, .init(population: population, people: [person.provision]))
            }
            guard let account = made.people.first?.accountID else { throw BenchError.failed("nobody was made") }
            let (session, now) = (UUID.random(), Timestamp.now())
            try await bed.database(of: .accounts).execute(
                """
                insert into session (id, account, created_at, used_at, expires_at)
                values (\(session), \(account), \(now), \(now), \(now + .seconds(86_400)))
                """)
            token = try AccessTokens(key: bed.key).owner(.individual, of: account, session: session)
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            configuration.connectionsPerOriginMax = 64
            http = HTTPClient(on: loop, configuration: configuration)
            rpc = try bed[.accounts].client(as: "query", loops: bed.loops)
        }

        func close() async {
            http.close()
            await rpc.close()
        }

        func find() async throws {
            _ = try await rpc.call(
                Accounts.Find.self, Accounts.Find.Params(fiscalCode: person.fiscalCode, purpose: "bench"))
        }

        func me() async throws {
            try await send(.get, "/me", ["Authorization": "Bearer \(token)"], [], expecting: .ok)
        }

        /// Of nobody, so that it hashes and opens no session.
        func logIn() async throws {
            let number = number.wrappingAdd(1, ordering: .relaxed).newValue
            let body = #"{"login": "nobody.\#(number)@example.org", "password": "quattro-passi-al-lago"}"#
            let address = "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
            try await send(
                .post, "/sessions", ["X-Forwarded-For": address, "Content-Type": "application/json"], Array(body.utf8),
                expecting: .unauthorized)
        }

        private func send(
            _ method: HTTPMethod, _ path: String, _ fields: HTTPFields, _ body: [UInt8], expecting status: HTTPStatus
        ) async throws {
            guard let url = HTTPURL("http://127.0.0.1:\(bed[.accounts].httpPort)/accounts/v1\(path)") else {
                throw BenchError.failed("no address")
            }
            let response = try await http.send(
                HTTPClientRequest(method, url, fields: fields, body: body), deadline: .after(.seconds(30)))
            guard response.status == status else {
                throw BenchError.failed("\(method) \(path): \(response.status) \(response.text)")
            }
        }
    }
}

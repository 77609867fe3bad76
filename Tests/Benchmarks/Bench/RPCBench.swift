import Glibc
import JSON
import RPC
import Reactor

/// Calls between two processes, plain and with mutual TLS, against the raw echo of the same message on the same loops.
enum RPCBench {
    enum Sum: RPCMethod {
        struct Params: Codable, Sendable {
            var account: String
            var values: [Int]
            var note: String
        }
        struct Result: Codable, Sendable {
            var account: String
            var sum: Int
            var note: String
        }
        static let name = "bench.sum"
        static let isIdempotent = true
    }

    private static let calls = 20_000
    private static let repetitions = 5
    private static let params = Sum.Params(
        account: "0190f5a2-7a3e-7c11-9d2f-3b6a5e1c8f42", values: [72, 74, 71, 70, 69, 75, 77, 80],
        note: "a note of the length that small calls have")

    static func run(_ report: inout Report) async throws {
        let server = try Child(Programs.own, ["serve-rpc"])
        let (plainPort, tlsPort, echoPort) = (try server.port(), try server.port(), try server.port())
        let tls = try TLSContext.client(
            authorityFile: file("ca.pem"), certificateFile: file("query.pem"), keyFile: file("query.key"))
        let loops = try EventLoopGroup(count: 1)
        defer { loops.shutdown() }
        func client(_ port: UInt16, _ tls: TLSContext?) -> RPCClient {
            var configuration = RPCClientConfiguration(
                service: "accounts", endpoints: [Endpoint(host: "127.0.0.1", port: port)])
            configuration.callsPerConnectionMax = 64
            return RPCClient(configuration, loops: loops, tls: tls)
        }
        let (plain, secure) = (client(plainPort, nil), client(tlsPort, tls))
        let loop = loops.loops[0]
        let figures = try await loop.throwingTask { () -> (Figures, Figures, [Double]) in
            var (one, other, echo) = (Figures(), Figures(), [Double]())
            for _ in 0..<repetitions {
                echo.append(try await echoRoundTrip(echoPort))
                one.add(try await measure(plain))
                other.add(try await measure(secure))
            }
            await plain.close()
            await secure.close()
            return (one, other, echo)
        }.value
        let echo = percentile(figures.2.sorted(), 0.5)
        report.add("round trip p50, plain", figures.0.roundTrip, against: "raw echo", echo, "µs", .atMost(2))
        report.add("round trip p50, mutual TLS", figures.1.roundTrip, against: "raw echo", echo, "µs", .atMost(3))
        report.add(
            "calls/s with 64 in flight, plain", figures.0.parallelRate, against: "one in flight",
            figures.0.serialRate, "/s", .atLeast(6))
        report.add(
            "calls/s with 64 in flight, mutual TLS", figures.1.parallelRate, against: "one in flight",
            figures.1.serialRate, "/s", .atLeast(6))
    }

    /// Prints the ports of the plain server, of the one with TLS, and of the raw echo.
    static func serve(_ loops: EventLoopGroup) async throws {
        var router = RPCRouter()
        router.register(Sum.self, allow: ["query"]) { params, _ in
            Sum.Result(account: params.account, sum: params.values.reduce(0, +), note: params.note)
        }
        let endpoint = Endpoint(host: "127.0.0.1", port: 0)
        let plain = try await RPCServer.start(
            at: endpoint, loops: loops, tls: nil, router: router,
            configuration: RPCServerConfiguration(clientNames: [], plainClientName: "query"))
        let tls = try TLSContext.server(
            certificateFile: file("accounts.pem"), keyFile: file("accounts.key"), clientAuthorityFile: file("ca.pem"))
        let secure = try await RPCServer.start(
            at: endpoint, loops: loops, tls: tls, router: router,
            configuration: RPCServerConfiguration(clientNames: ["query"]))
        emit("\(plain.port)\n\(secure.port)")
        try await ReactorBench.serve(loops)
    }

    private struct Figures: Sendable {
        private var samples: [(roundTrip: Double, serialRate: Double, parallelRate: Double)] = []
        mutating func add(_ sample: (Double, Double, Double)) { samples.append(sample) }
        var roundTrip: Double { percentile(samples.map(\.roundTrip).sorted(), 0.5) }
        var serialRate: Double { percentile(samples.map(\.serialRate).sorted(), 0.5) }
        var parallelRate: Double { percentile(samples.map(\.parallelRate).sorted(), 0.5) }
    }

    private static func measure(_ client: RPCClient) async throws -> (Double, Double, Double) {
        for _ in 0..<200 { _ = try await client.call(Sum.self, params) }
        var times: [Double] = []
        let start = Deadline.now()
        for _ in 0..<calls {
            let before = Deadline.now()
            let result = try await client.call(Sum.self, params)
            guard result.sum == 588 else { throw BenchError.failed("a wrong answer") }
            times.append(Double(Deadline.now().since(before).components.attoseconds) / 1e12)
        }
        let serial = Double(calls) / seconds(since: start)
        let parallelStart = Deadline.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask { for _ in 0..<calls / 16 { _ = try await client.call(Sum.self, params) } }
            }
            try await group.waitForAll()
        }
        return (percentile(times.sorted(), 0.5), serial, Double(calls * 4) / seconds(since: parallelStart))
    }

    /// The same bytes as a call, there and back, between the same two processes, in µs.
    private static func echoRoundTrip(_ port: UInt16) async throws -> Double {
        let stream = try await ByteStream.connect(
            to: Endpoint(host: "127.0.0.1", port: port), deadline: .after(.seconds(1)))
        defer { stream.close() }
        let message = try JSONEncoder().encode(params) + [UInt8](repeating: 32, count: 120)
        var times: [Double] = []
        for _ in 0..<calls {
            let before = Deadline.now()
            try await stream.write(message)
            var answer = ByteBuffer()
            while answer.count < message.count { try await stream.read(into: &answer) }
            times.append(Double(Deadline.now().since(before).components.attoseconds) / 1e12)
        }
        return percentile(times.sorted(), 0.5)
    }

    private static func file(_ name: String) throws -> String {
        guard let directory = getenv("TRACKME_TEST_TLS") else {
            throw BenchError.failed("TRACKME_TEST_TLS is not set: run deploy/bench")
        }
        return "\(String(cString: directory))/\(name)"
    }
}

func seconds(since start: Deadline) -> Double {
    let (whole, part) = Deadline.now().since(start).components
    return Double(whole) + Double(part) / 1e18
}

import Glibc
import ProcessTesting
import Reactor

/// A small JSON answer under `wrk`: through nginx as `deploy/` configures it, against the same server asked directly. Load,
/// proxy and server share the machine's cores.
enum ProxyBench {
    private static let path = "/query/v1/things/7"
    private static let repetitions = 5

    static func run(_ report: inout Report) async throws {
        guard let deploy = getenv("TRACKME_BENCH_DEPLOY").map({ String(cString: $0) }) else {
            throw BenchError.failed("TRACKME_BENCH_DEPLOY does not name the directory deploy/")
        }
        let loops = try EventLoopGroup(count: 1)
        defer { loops.shutdown() }
        let (through, direct) = try await loops.loops[0].throwingTask {
            try await TestDirectory.with { directory in try measure(deploy, directory) }
        }.value
        report.add("small JSON GET through nginx", through, against: "direct", direct, "/s", .atLeast(0.4))
    }

    /// Requests per second through the proxy, and direct.
    private static func measure(_ deploy: String, _ directory: TestDirectory) throws -> (Double, Double) {
        let server = try Child(Programs.own, ["serve-http"], on: .both)
        let (port, proxyPort) = (try server.port(), try Ports.free())
        // One process, which ends with its `Child`.
        let proxy = try Child(
            "bash", ["\(deploy)/lib/bench-proxy.sh", directory.path, "\(proxyPort)", "\(port)"], on: .both)
        return try withExtendedLifetime((server, proxy)) {
            try waitForAnswer(proxyPort)
            var through: [Double] = []
            var direct: [Double] = []
            for repetition in 0..<repetitions {
                if repetition.isMultiple(of: 2) { direct.append(try requestsPerSecond(port)) }
                through.append(try requestsPerSecond(proxyPort))
                if !repetition.isMultiple(of: 2) { direct.append(try requestsPerSecond(port)) }
            }
            return (percentile(through.sorted(), 0.5), percentile(direct.sorted(), 0.5))
        }
    }

    private static func requestsPerSecond(_ port: UInt16) throws -> Double {
        try HTTPBench.requestsPerSecond(port, path, on: .both)
    }

    private static func waitForAnswer(_ port: UInt16) throws {
        let ask = try Child(
            "curl",
            [
                "--silent", "--fail", "--output", "/dev/null", "--max-time", "20", "--retry", "20", "--retry-delay",
                "1",
                "--retry-connrefused", "http://127.0.0.1:\(port)\(path)",
            ], on: .client)
        _ = try ask.wholeOutput()
    }
}

import Glibc
import HTTP
import JSON
import Reactor

/// A small JSON answer under `wrk`, against a minimal epoll responder in C with an answer of the same size.
enum HTTPBench {
    private struct Answer: Encodable, Sendable {
        var id: Int
        var name: String
        var value: Double
    }

    private static let bodyBytes = 41
    private static let repetitions = 5

    static func run(_ report: inout Report) async throws {
        let server = try Child(Programs.own, ["serve-http"])
        let reference = try Child(Programs.baseline, ["http-server", "\(bodyBytes)"])
        let (port, referencePort) = (try server.port(), try reference.port())
        var own: [Double] = []
        var baseline: [Double] = []
        for repetition in 0..<repetitions {
            if repetition.isMultiple(of: 2) { baseline.append(try requestsPerSecond(referencePort)) }
            own.append(try requestsPerSecond(port))
            if !repetition.isMultiple(of: 2) { baseline.append(try requestsPerSecond(referencePort)) }
        }
        report.add(
            "small JSON GET", percentile(own.sorted(), 0.5), against: "epoll responder in C",
            percentile(baseline.sorted(), 0.5), "/s", .atLeast(0.6))
    }

    static func serve(_ loops: EventLoopGroup) async throws {
        var router = HTTPRouter()
        // The longer path is for ProxyBench: nginx knows the services' prefixes only.
        for path in ["/things/:id", "/query/v1/things/:id"] {
            router.on(.get, path) { request throws(Problem) in
                try .json(Answer(id: try request.parameter("id", as: Int.self), name: "heart rate", value: 71.5))
            }
        }
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.idle = .seconds(300)
        let server = try await HTTPServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), router: router, configuration: configuration, loops: loops)
        emit("\(server.port)")
        try await loops.loops[0].sleep(until: .never)
    }

    static func requestsPerSecond(
        _ port: UInt16, _ path: String = "/things/7", on side: Side = .client
    ) throws -> Double {
        let wrk = try Child("wrk", ["-t1", "-c64", "-d2s", "http://127.0.0.1:\(port)\(path)"], on: side)
        let output = try wrk.wholeOutput()
        guard !output.contains("Non-2xx"), !output.contains("Socket errors"),
            let line = output.split(separator: "\n").first(where: { $0.hasPrefix("Requests/sec:") }),
            let rate = Double(line.dropFirst(13).drop { $0 == " " })
        else { throw BenchError.failed("wrk says: \(output)") }
        return rate
    }
}

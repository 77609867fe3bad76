import Glibc
import Reactor

/// Echo round trips by one blocking C client, against a blocking C server and against a server on the event loop.
enum ReactorBench {
    static let messageBytes = 223
    private static let roundTrips = 30_000
    private static let repetitions = 5

    static func run(_ report: inout Report) async throws {
        let reference = try Child(Programs.baseline, ["echo-server"])
        let server = try Child(Programs.own, ["serve-echo"])
        let (referencePort, port) = (try reference.port(), try server.port())
        var own: [Double] = []
        var baseline: [Double] = []
        // In turns, and the medians of the repetitions: the machine's speed drifts.
        for _ in 0..<repetitions {
            baseline.append(try medianRoundTrip(referencePort))
            own.append(try medianRoundTrip(port))
        }
        report.add(
            "echo round trip p50", percentile(own.sorted(), 0.5), against: "blocking C",
            percentile(baseline.sorted(), 0.5),
            "µs", .atMost(1.3))
    }

    /// Answers each message with itself.
    static func serve(_ loops: EventLoopGroup) async throws {
        let server = try await ConnectionServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), loops: loops, tls: nil, limits: .init(connectionsMax: 100)
        ) { stream in
            var buffer = ByteBuffer()
            do {
                while try await stream.read(into: &buffer) > 0 { try await stream.write(&buffer) }
            } catch {
                emit("echo connection: \(error)")
            }
        }
        emit("\(server.port)")
    }

    /// In µs.
    static func medianRoundTrip(_ port: UInt16) throws -> Double {
        let client = try Child(
            Programs.baseline, ["echo-client", "\(port)", "\(roundTrips)", "\(messageBytes)"], on: .client)
        let times = try client.wholeOutput().split(separator: "\n").compactMap { Double($0) }
        guard times.count == roundTrips else { throw BenchError.failed("the echo client lost messages") }
        return percentile(times, 0.5) / 1000
    }
}

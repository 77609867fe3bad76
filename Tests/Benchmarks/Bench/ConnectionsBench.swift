import Glibc
import Reactor

/// Ten thousand idle keep-alive connections: what each costs in memory, and what they do to other requests.
enum ConnectionsBench {
    private static let connections = 10_000
    private static let requests = 5_000
    private static let repetitions = 5
    private static let request = Array("GET /things/7 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

    static func run(_ report: inout Report) async throws {
        let (server, empty) = (try Child(Programs.own, ["serve-http"]), try Child(Programs.own, ["serve-http"]))
        let port = try server.port()
        let (other, only) = (try connect(port), try connect(try empty.port()))
        defer {
            close(other)
            close(only)
        }
        for descriptor in [other, only] { _ = try tail(descriptor) }
        let before = try server.residentBytes
        var idle: [Int32] = []
        defer { for descriptor in idle { close(descriptor) } }
        for _ in 0..<connections {
            let descriptor = try connect(port)
            idle.append(descriptor)
            // Each has been used: it is the idle state between requests that is measured.
            _ = try roundTrip(descriptor)
        }
        let each = (try server.residentBytes - before) / Double(connections) / 1024
        var (crowded, alone): ([Double], [Double]) = ([], [])
        // In turns, and the medians of the repetitions: the machine's speed drifts.
        for repetition in 0..<repetitions {
            if repetition.isMultiple(of: 2) { alone.append(try tail(only)) }
            crowded.append(try tail(other))
            if !repetition.isMultiple(of: 2) { alone.append(try tail(only)) }
        }
        // All of them were there to the end.
        for descriptor in idle { _ = try roundTrip(descriptor) }
        report.add("memory of an idle connection, plain", each, "KiB", atMost: 16)
        report.add(
            "p99 of other requests beside \(connections) idle connections", percentile(crowded.sorted(), 0.5),
            against: "without", percentile(alone.sorted(), 0.5), "µs", .atMost(2))
    }

    /// The p99 round trip of one busy connection, in µs.
    private static func tail(_ descriptor: Int32) throws -> Double {
        var times: [Double] = []
        for _ in 0..<requests { times.append(try roundTrip(descriptor)) }
        return percentile(times.sorted(), 0.99)
    }

    private static func roundTrip(_ descriptor: Int32) throws -> Double {
        let start = Deadline.now()
        guard write(descriptor, request, request.count) == request.count else {
            throw BenchError.system("write", errno)
        }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &answer, answer.count)
        guard count > 0, answer[9] == UInt8(ascii: "2") else { throw BenchError.failed("not a good answer") }
        return seconds(since: start) * 1e6
    }

    private static func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError.system("socket", errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw BenchError.system("connect", errno) }
        return descriptor
    }
}

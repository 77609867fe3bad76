import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// Devices that send what no device should, over real connections, beside others that do what they should.
@Suite struct BadDeviceTests {
    /// A connection of one device.
    private final class Connection {
        private let stream: ByteStream
        private var input = ByteBuffer()

        init(to port: UInt16) async throws(IOError) {
            stream = try await ByteStream.connect(
                to: Endpoint(host: "127.0.0.1", port: port), deadline: .after(.patience))
        }

        func send(_ bytes: [UInt8]) async throws(IOError) {
            try await stream.write(bytes, deadline: .after(.patience))
        }

        func send(_ text: String) async throws(IOError) { try await send(Array(text.utf8)) }

        /// All until the server closes.
        func answer() async throws(IOError) -> String {
            do throws(IOError) {
                while try await stream.read(into: &input, deadline: .after(.patience)) > 0 {}
            } catch {
                // What came before the server gave the connection up is the answer.
                guard error != .timedOut else { throw error }
            }
            stream.close()
            return input.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    private func head(_ test: IngestionTest, _ framing: String) throws -> String {
        """
        POST /ingestion/v1/uploads HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r
        Authorization: Bearer \(try test.token(device: .random(), of: .random()))\r\n\(framing)\r\n\r\n
        """
    }

    /// The server's own timeouts are minutes; a test has no such patience.
    private static var configuration: HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.timeouts.head = .seconds(2)
        configuration.timeouts.body = .seconds(2)
        configuration.timeouts.linger = .milliseconds(200)
        return configuration
    }

    private func with(_ body: @escaping @Sendable (IngestionTest, UInt16) async throws -> Void) async throws {
        try await IngestionTest.with { test in
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: test.service.assembled.http,
                configuration: Self.configuration, loops: test.service.loops)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(test, server.port)) } catch { outcome = .failure(error) }
            await server.shutdown(grace: .seconds(2))
            try outcome.get()
        }
    }

    /// An upload of somebody else, in one piece; returns how many samples were stored.
    private func upload(_ test: IngestionTest, _ port: UInt16) async throws -> Int64? {
        struct Upload: Encodable {
            let upload: Int64
            let sentAt: Timestamp
            let series: [SampleSeries]
        }
        let body = try JSONEncoder().encode(
            Upload(upload: 1, sentAt: test.service.clock.now(), series: [heartRates([61, 62, 63])]))
        let connection = try await Connection(to: port)
        try await connection.send(Array(try head(test, "Content-Length: \(body.count)").utf8) + body)
        let answer = try await connection.answer()
        guard answer.hasPrefix("HTTP/1.1 200 "), let text = answer.split(separator: "\r\n\r\n").last else {
            Issue.record("\(answer)")
            return nil
        }
        return try JSONDecoder().decode(JSONValue.self, from: Array(text.utf8))["stored"]?.integer
    }

    @Test(
        "ING-02a NFR-03: while one device sends garbage, one 100 MB and one a byte at a time, others' uploads are answered"
    )
    func badDevices() async throws {
        try await with { test, port in
            // A byte of a head, and a byte of a body: no more comes as long as the others go on.
            let slowHead = try await Connection(to: port)
            try await slowHead.send("P")
            let slowBody = try await Connection(to: port)
            try await slowBody.send(try head(test, "Content-Length: 1000") + "{")
            let large = try await Connection(to: port)
            try await large.send(try head(test, "Content-Length: 100000000") + String(repeating: " ", count: 100_000))
            let noise = try await Connection(to: port)
            try await noise.send(
                (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ 130) } + Array("\r\n\r\n".utf8))
            let garbage = try await Connection(to: port)
            let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
            try await garbage.send(Array(try head(test, "Content-Length: \(bytes.count)").utf8) + bytes)

            for _ in 0..<20 { #expect(try await upload(test, port) == 3) }

            func expect(_ connection: Connection, _ status: Int, _ code: String) async throws {
                let answer = try await connection.answer()
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(code): \(answer.prefix(200))")
                #expect(answer.contains("\"\(code)\""), "\(answer.suffix(300))")
            }
            try await expect(large, 413, "content-too-large")
            try await expect(noise, 400, "malformed-request")
            try await expect(garbage, 400, "invalid-json")
            try await expect(slowBody, 408, "request-timeout")
            #expect(try await slowHead.answer().hasPrefix("HTTP/1.1 408 "))
            // Nothing of what they sent is stored.
            #expect(try await test.database.queryOne("select count(*) from arrival", as: Int.self) == 20)
        }
    }

    @Test("ING-02a NFR-03: a body of which the head tells no size is refused where the limit is, while others upload")
    func endless() async throws {
        try await with { test, port in
            let connection = try await Connection(to: port)
            try await connection.send(try head(test, "Transfer-Encoding: chunked"))
            let piece = Array("100000\r\n".utf8) + [UInt8](repeating: 32, count: 1 << 20) + Array("\r\n".utf8)
            // As many as an upload may have, and a few bytes more; the end of the body never comes.
            for _ in 0..<UploadRoutes.bodyBytesMax >> 20 {
                try await connection.send(piece)
                #expect(try await upload(test, port) == 3)
            }
            try await connection.send("3\r\nand\r\n")
            let answer = try await connection.answer()
            #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("content-too-large"), "\(answer.prefix(300))")
        }
    }
}

import LoadGenerator
import Primitives

/// Requests of a load that a function makes, by their numbers from 0.
final class MadeRequests: LoadSource {
    static let bytesMax = 64 * 1024

    let requestBytesMax = MadeRequests.bytesMax
    private let wanted: [UInt8]
    private let make: @Sendable (Int, Timestamp) throws -> [UInt8]
    private var number = 0

    /// - `wanted`: what a good answer holds in its first kilobytes.
    init(wanted: String, _ make: @escaping @Sendable (Int, Timestamp) throws -> [UInt8]) {
        self.wanted = Array(wanted.utf8)
        self.make = make
    }

    func next(into target: UnsafeMutablePointer<UInt8>, at now: Timestamp) throws -> Int {
        let bytes = try make(number, now)
        guard bytes.count <= requestBytesMax else { throw BenchError.failed("a request of \(bytes.count) bytes") }
        number += 1
        target.update(from: bytes, count: bytes.count)
        return bytes.count
    }

    func isGood(_ body: UnsafeBufferPointer<UInt8>) -> Bool { body.holds(wanted) }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func holds(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return true }
        guard count >= bytes.count else { return false }
        for start in 0...(count - bytes.count) where self[start] == first {
            if bytes.indices.allSatisfy({ self[start + $0] == bytes[$0] }) { return true }
        }
        return false
    }
}

/// A request as it goes over the wire.
enum RequestText {
    static func make(
        _ method: String, _ path: String, token: String, accept: String = "application/json", body: String = ""
    ) -> [UInt8] {
        let length = method == "GET" ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return Array(
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: \(accept)\r\nAuthorization: Bearer \(token)\r\n\(length)\r\n\(body)"
                .utf8)
    }
}

import Reactor

@testable import HTTP

/// Requests of one connection, head and body, counted or in chunks: the same however the bytes arrive, and within limits,
/// which are small here so that they are reached.
enum HTTPTarget {
    static let limits: HTTPLimits = {
        var limits = HTTPLimits()
        limits.requestLineBytesMax = 128
        limits.fieldBytesMax = 256
        limits.fieldCountMax = 6
        limits.bodyBytesMax = 200
        limits.chunkLineBytesMax = 24
        limits.trailerBytesMax = 48
        return limits
    }()

    /// What one connection has brought.
    private struct Reading: Equatable {
        var requests: [Request] = []
        var error: HTTPParseError?
        /// Bytes of a body that goes on.
        var partial: [UInt8] = []
    }

    private struct Request: Equatable {
        let head: [String]
        let body: [UInt8]
    }

    static func run(_ input: [UInt8]) -> Int32 {
        Pieces(input).check { pieces in
            var connection = Connection()
            for piece in pieces where !connection.take(piece) { break }
            return connection.reading
        }
        return 0
    }

    /// Reads as a server does.
    private struct Connection {
        var reading = Reading()
        private var buffer = ByteBuffer()
        private var parser = HTTPRequestParser(limits: HTTPTarget.limits)
        private var current: (head: HTTPRequestHead, body: BodyDecoder)?

        /// `false` once the connection is to be closed.
        mutating func take(_ piece: ArraySlice<UInt8>) -> Bool {
            buffer.append(contentsOf: piece)
            do throws(HTTPParseError) {
                while try step() {}
                return true
            } catch {
                (reading.error, reading.partial) = (error, [])
                return false
            }
        }

        /// Reads a head, or of a body what is there; `false` when more is needed.
        private mutating func step() throws(HTTPParseError) -> Bool {
            guard let (head, begun) = current else {
                let found = try buffer.withUnsafeBytes { (octets) throws(HTTPParseError) in
                    try parser.head(in: octets)
                }
                guard let found else { return false }
                precondition(found.byteCount <= buffer.count, "a head that is longer than what came")
                precondition(found.allFields.count <= HTTPTarget.limits.fieldCountMax, "too many fields")
                buffer.consume(found.byteCount)
                let limits = HTTPTarget.limits
                current = (found, try BodyDecoder(found, limits: limits, bytesMax: limits.bodyBytesMax))
                return true
            }
            var body = begun
            let bytesMax = HTTPTarget.limits.bodyBytesMax
            try body.decode(&buffer, into: &reading.partial, outputBytesMax: bytesMax + 1)
            precondition(reading.partial.count <= bytesMax, "a body that is larger than allowed")
            precondition(body.byteCount == reading.partial.count, "a body that was counted wrongly")
            current = (head, body)
            guard body.isDone else { return false }
            reading.requests.append(Request(head: HTTPTarget.words(of: head), body: reading.partial))
            (current, reading.partial) = (nil, [])
            return true
        }
    }

    /// All that a head says.
    private static func words(of head: HTTPRequestHead) -> [String] {
        [
            "\(head.method)", head.path, head.query ?? "-", head.authority ?? "-", "\(head.minorVersion)",
            "\(head.byteCount) \(head.contentLength ?? -1) \(head.isChunked) \(head.keepsAlive) \(head.expectsContinue)",
        ] + head.allFields.map { "\($0.name): \($0.value)" }
    }
}

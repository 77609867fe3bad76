import Reactor

@testable import HTTP

/// What an HTTP client is answered: the response's head, its body in chunks or counted, and the body as an event stream;
/// the same however the bytes arrive.
enum ClientTarget {
    private static let eventBytesMax = 100

    private struct Reading: Equatable {
        var head: [String] = []
        var body: [UInt8] = []
        var events: [ServerSentEventParser.Event] = []
        var errors: [String] = []
    }

    static func run(_ input: [UInt8]) -> Int32 {
        Pieces(input).check { pieces in
            var reading = Reading()
            do throws(HTTPParseError) { try read(pieces, &reading) } catch {
                // How much of a body comes before its fault depends on the pieces.
                (reading.body, reading.errors) = ([], ["\(error)"])
            }
            return reading
        }
        Pieces(input).check { pieces in
            var reading = Reading()
            var parser = ServerSentEventParser(eventBytesMax: eventBytesMax)
            for piece in pieces {
                do throws(HTTPClientError) { reading.events += try parser.events(in: Array(piece)) } catch {
                    (reading.events, reading.errors) = ([], ["\(error)"])
                    break
                }
            }
            precondition(reading.events.allSatisfy { $0.data.utf8.count <= 3 * eventBytesMax }, "an event is too large")
            return reading
        }
        return 0
    }

    private static func read(_ pieces: [ArraySlice<UInt8>], _ reading: inout Reading) throws(HTTPParseError) {
        let limits = HTTPTarget.limits
        var buffer = ByteBuffer()
        var parser = HTTPResponseParser(limits: limits)
        var body: BodyDecoder?
        for piece in pieces {
            buffer.append(contentsOf: piece)
            if body == nil {
                let found = try buffer.withUnsafeBytes { (octets) throws(HTTPParseError) in
                    try parser.head(in: octets)
                }
                guard let head = found else { continue }
                buffer.consume(head.byteCount)
                reading.head =
                    ["\(head.status) \(head.byteCount) \(head.keepsAlive)"]
                    + head.fields.entries.map { "\($0.name): \($0.value)" }
                let framing: BodyDecoder.Framing =
                    head.isChunked
                    ? .chunked(ChunkedDecoder(limits: limits))
                    : head.contentLength.map { .counted(left: $0) } ?? .untilEnd
                body = BodyDecoder(framing, bytesMax: limits.bodyBytesMax)
            }
            try body?.decode(&buffer, into: &reading.body, outputBytesMax: limits.bodyBytesMax + 1)
        }
    }
}

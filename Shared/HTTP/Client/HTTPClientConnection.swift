import Reactor

/// A connection to an origin. Belongs to the client's loop.
final class HTTPClientConnection {
    let stream: ByteStream
    /// Whether it has answered before: then its being closed is no surprise.
    var isReused = false
    private var input = ByteBuffer()

    init(_ stream: ByteStream) {
        self.stream = stream
    }

    func send(_ message: [UInt8], deadline: Deadline) async throws(HTTPClientError) {
        do throws(IOError) { try await stream.write(message, deadline: deadline) } catch { throw .io(error) }
    }

    /// Reads more. 0 at the end.
    private func fill(_ deadline: Deadline) async throws(HTTPClientError) -> Int {
        var received = input
        input = ByteBuffer()
        defer { input = received }
        do throws(IOError) { return try await stream.read(into: &received, deadline: deadline) } catch {
            throw .io(error)
        }
    }

    /// The final response's head. `nil` when the connection ended before its first byte.
    func receiveHead(_ limits: HTTPLimits, deadline: Deadline) async throws(HTTPClientError) -> HTTPResponseParser.Head?
    {
        var parser = HTTPResponseParser(limits: limits)
        var interimCount = 0
        while true {
            let head: HTTPResponseParser.Head?
            do throws(HTTPParseError) {
                head = try input.withUnsafeBytes { (octets) throws(HTTPParseError) in try parser.head(in: octets) }
            } catch { throw .malformedResponse(error.detail) }
            if let head {
                input.consume(head.byteCount)
                if head.status.rawValue >= 200 { return head }
                interimCount += 1
                guard interimCount <= 16, head.status.rawValue != 101 else {
                    throw .malformedResponse("interim responses")
                }
                continue
            }
            if try await fill(deadline) == 0 {
                guard input.isEmpty, interimCount == 0 else { throw .malformedResponse("the response is incomplete") }
                return nil
            }
        }
    }

    /// The next piece of the body; `nil` at its end.
    func receive(_ decoder: inout BodyDecoder, bytesMax: Int, deadline: Deadline) async throws(HTTPClientError)
        -> [UInt8]?
    {
        while true {
            var chunk: [UInt8] = []
            do throws(HTTPParseError) {
                try decoder.decode(&input, into: &chunk, outputBytesMax: bytesMax)
            } catch {
                throw error.status == .contentTooLarge ? .responseTooLarge : .malformedResponse(error.detail)
            }
            if !chunk.isEmpty { return chunk }
            if decoder.isDone { return nil }
            if try await fill(deadline) == 0 {
                guard decoder.endsWithConnection else { throw .malformedResponse("the response is incomplete") }
                return nil
            }
        }
    }

    /// Whether nothing has arrived that was not asked for.
    var isClean: Bool { input.isEmpty }
}

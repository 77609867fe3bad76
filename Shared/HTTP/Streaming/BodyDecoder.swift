import Reactor

/// Takes one request's or response's body out of a connection's input: counted, in chunks, or until the end.
struct BodyDecoder: Sendable {
    enum Framing: Sendable {
        case counted(left: Int)
        case chunked(ChunkedDecoder)
        case untilEnd
    }

    private var framing: Framing
    private let bytesMax: Int
    /// Body bytes so far.
    private(set) var byteCount = 0

    init(_ framing: Framing, bytesMax: Int) {
        self.framing = framing
        self.bytesMax = bytesMax
    }

    /// 413 when the head promises too much.
    init(_ head: HTTPRequestHead, limits: HTTPLimits, bytesMax: Int) throws(HTTPParseError) {
        let promised = head.contentLength ?? 0
        guard promised <= bytesMax else { throw Self.tooLarge }
        self.init(
            head.isChunked ? .chunked(ChunkedDecoder(limits: limits)) : .counted(left: promised), bytesMax: bytesMax)
    }

    var isDone: Bool {
        switch framing {
        case .counted(let left): left == 0
        case .chunked(let decoder): decoder.isDone
        case .untilEnd: false
        }
    }

    /// Whether the end of the connection is the end of the body.
    var endsWithConnection: Bool {
        if case .untilEnd = framing { true } else { false }
    }

    /// The promised count, for reserving memory.
    var expectedCount: Int {
        if case .counted(let left) = framing { left } else { 0 }
    }

    /// Moves what is there of the body from `input` to `output`, up to `outputBytesMax` bytes in it.
    mutating func decode(
        _ input: inout ByteBuffer, into output: inout [UInt8], outputBytesMax: Int = .max
    ) throws(HTTPParseError) {
        let before = output.count
        let used: Int
        switch framing {
        case .counted(let left):
            used = min(left, input.count, outputBytesMax - before)
            input.withUnsafeBytes { output.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<used])) }
            framing = .counted(left: left - used)
        case .untilEnd:
            used = min(input.count, outputBytesMax - before)
            input.withUnsafeBytes { output.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<used])) }
        case .chunked(var decoder):
            framing = .untilEnd  // so that the decoder is not copied
            used = try input.withUnsafeBytes { (octets) throws(HTTPParseError) in
                try decoder.decode(octets, into: &output, outputBytesMax: outputBytesMax)
            }
            framing = .chunked(decoder)
        }
        input.consume(used)
        byteCount += output.count - before
        guard byteCount <= bytesMax else { throw Self.tooLarge }
    }

    private static var tooLarge: HTTPParseError { HTTPParseError(.contentTooLarge, "the body is too large") }
}

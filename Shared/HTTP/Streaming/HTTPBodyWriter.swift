public import Reactor

/// Writes a response body while it is made. Small pieces are gathered; waiting for the client is the back-pressure.
/// Belongs to the loop of its connection.
public final class HTTPBodyWriter {
    private enum Sink {
        case stream(ByteStream, stallMax: Duration)
        case memory
    }

    private static let gatheredBytesMax = 16 * 1024

    private let sink: Sink
    private let isChunked: Bool
    private let encoder: GzipEncoder?
    private var left: Int?
    private var gathered: [UInt8] = []
    /// Body bytes so far.
    public private(set) var byteCount = 0

    /// `count`: how many bytes were promised. An encoder is given only where none were.
    init(_ stream: ByteStream, count: Int?, isChunked: Bool, stallMax: Duration, encoder: GzipEncoder? = nil) {
        self.encoder = encoder
        sink = .stream(stream, stallMax: stallMax)
        left = count
        self.isChunked = isChunked
    }

    /// Into memory.
    init(count: Int?) {
        sink = .memory
        left = count
        isChunked = false
        encoder = nil
    }

    var collected: [UInt8] { gathered }

    /// Sends `bytes` soon. Errors: `closed`, `timedOut` when the client takes nothing for too long, `limit` beyond the
    /// promised count.
    public func write(_ bytes: [UInt8]) async throws(IOError) {
        if let left {
            guard bytes.count <= left else { throw .limit("bytes promised for this body") }
            self.left = left - bytes.count
        }
        byteCount += bytes.count
        gathered.append(contentsOf: bytes)
        if gathered.count >= Self.gatheredBytesMax { try await flush() }
    }

    public func write(_ text: String) async throws(IOError) { try await write(Array(text.utf8)) }

    /// Sends now what was gathered.
    public func flush() async throws(IOError) {
        guard !gathered.isEmpty else { return }
        try await send(.piece)
    }

    private func send(_ end: GzipEncoder.End) async throws(IOError) {
        guard case .stream(let stream, let stallMax) = sink else { return }
        let bytes = encoder?.encode(gathered, end) ?? gathered
        gathered.removeAll(keepingCapacity: gathered.count <= 2 * Self.gatheredBytesMax)
        guard !bytes.isEmpty else { return }
        guard isChunked else { return try await stream.write(bytes, stallMax: stallMax) }
        var framed: [UInt8] = []
        framed.reserveCapacity(bytes.count + 16)
        framed.append(hexadecimal: bytes.count)
        framed.append("\r\n")
        framed.append(contentsOf: bytes)
        framed.append("\r\n")
        try await stream.write(framed, stallMax: stallMax)
    }

    /// Ends the body. Errors: as `write`; `limit` when less came than was promised.
    func finish() async throws(IOError) {
        guard (left ?? 0) == 0 else { throw .limit("bytes promised for this body") }
        if encoder == nil { try await flush() } else { try await send(.body) }
        if isChunked, case .stream(let stream, let stallMax) = sink {
            try await stream.write(Array("0\r\n\r\n".utf8), stallMax: stallMax)
        }
    }
}

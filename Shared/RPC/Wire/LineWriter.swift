import Reactor

/// What a connection has to send: everything that is appended in one turn of the loop leaves in one write. Confined to
/// the actor that owns the connection.
final class LineWriter {
    /// Buffers that grew beyond this are given back once they are empty.
    private static let keptBytesMax = 256 * 1024

    /// What waits for the next write; ends with a whole line.
    private(set) var pending: [UInt8] = []
    private var sendingBytes = 0
    private var isEnding = false
    private var idle: UnsafeContinuation<Void, Never>?
    private let writeTimeout: Duration

    /// `writeTimeout` is how long the peer may take nothing.
    init(writeTimeout: Duration) {
        self.writeTimeout = writeTimeout
    }

    /// Bytes that the peer has not taken yet.
    var backlogBytes: Int { pending.count + sendingBytes }

    /// Adds one line; `line` writes it with its line feed.
    func append(_ line: (inout [UInt8]) -> Void) {
        guard !isEnding else { return }
        line(&pending)
        wake()
    }

    /// Sends what is pending, then `run` returns. Later lines are dropped.
    func end() {
        isEnding = true
        wake()
    }

    /// Sends until `end()`; calls `progress` after each write.
    func run(on stream: ByteStream, progress: () -> Void) async throws(IOError) {
        var sending: [UInt8] = []
        while true {
            if pending.isEmpty {
                if isEnding { return }
                await withUnsafeContinuation { idle = $0 }
                continue
            }
            swap(&sending, &pending)
            sendingBytes = sending.count
            defer { sendingBytes = 0 }
            try await stream.write(sending, stallMax: writeTimeout)
            sending.removeAll(keepingCapacity: sending.capacity <= Self.keptBytesMax)
            sendingBytes = 0
            progress()
        }
    }

    private func wake() {
        guard let waiter = idle else { return }
        idle = nil
        waiter.resume()
    }
}

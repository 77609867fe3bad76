import HTTP
import Primitives
import Reactor
import Synchronization

/// One client that watches a run (RUN-09). Queued messages are not copied: all spectators share their bytes, so the
/// memory is about that of the client furthest behind, however many there are and however slowly they read.
final class SpectatorStream: Sendable {
    /// Messages and bytes that may be queued; a client further behind is disconnected, and reconnects for a new
    /// snapshot.
    static let waitingMax = 300
    static let waitingBytesMax = 16 << 20
    /// Bytes handed to the connection at a time.
    private static let pieceBytes = 16 * 1024
    /// Silence after which it is said that nothing has changed; `stream.js` relies on it.
    private static let stillEvery = Duration.seconds(15)

    private struct State {
        var waiting: [LiveMessage] = []
        var waitingBytes = 0
        var isEnded = false
        var isCutOff = false
    }

    /// The client's `Last-Event-ID`: the last event it has seen before it lost the connection.
    let lastEventID: String?
    private let state = Mutex(State())
    private let changed = EventCounter()

    init(lastEventID: String?) {
        self.lastEventID = lastEventID
    }

    /// Whether nothing more can be sent.
    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Queues a message without waiting. A client too far behind is disconnected.
    func send(_ message: LiveMessage) {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.waitingBytes += message.bytes.count
            guard state.waiting.count < Self.waitingMax, state.waitingBytes <= Self.waitingBytesMax else {
                state.isEnded = true
                state.isCutOff = true
                state.waiting = []
                return
            }
            state.waiting.append(message)
        }
        changed.raise()
    }

    /// Ends the stream after the queued messages.
    func end() {
        state.withLock { $0.isEnded = true }
        changed.raise()
    }

    /// The queued messages; `nil` at the end.
    func take() -> [LiveMessage]? {
        state.withLock { state in
            if state.waiting.isEmpty, state.isEnded { return nil }
            defer {
                state.waiting = []
                state.waitingBytes = 0
            }
            return state.waiting
        }
    }

    /// Writes all messages to `writer` until the end. Errors: the writer's, when the client has gone or reads nothing.
    func drain(into writer: HTTPBodyWriter) async throws(IOError) {
        while !Task.isCancelled {
            let seen = changed.value
            guard let messages = take() else { return }
            for message in messages { try await write(message, to: writer) }
            guard messages.isEmpty else { continue }
            let deadline = Deadline.after(Self.stillEvery)
            guard await changed.wait(after: seen, deadline: deadline) == seen, deadline.hasPassed else { continue }
            try await writer.write(ServerSentEvent.still)
            try await writer.flush()
        }
    }

    /// Stops when the client is disconnected meanwhile, so that it holds no message that all others have had.
    private func write(_ message: LiveMessage, to writer: HTTPBodyWriter) async throws(IOError) {
        var rest = message.bytes[...]
        while !rest.isEmpty {
            guard !state.withLock(\.isCutOff) else { throw .limit("messages waiting for a slow spectator") }
            try await writer.write(Array(rest.prefix(Self.pieceBytes)))
            rest = rest.dropFirst(Self.pieceBytes)
        }
        try await writer.flush()
    }
}

public import Reactor
import Synchronization

/// A stream of events to one client (WHATWG HTML §9.2). Sending never waits: events go into a bounded buffer, from any
/// thread, and a client that does not keep up is cut off. Comments as heartbeats keep proxies from hanging up.
public final class ServerSentEvents: Sendable {
    public struct Limits: Sendable {
        /// Bytes that may wait for the client; one event beyond them ends the connection.
        public var pendingBytesMax: Int
        /// Silence after which a heartbeat is sent.
        public var heartbeat: Duration

        public init(pendingBytesMax: Int = 256 * 1024, heartbeat: Duration = .seconds(15)) {
            self.pendingBytesMax = pendingBytesMax
            self.heartbeat = heartbeat
        }
    }

    private struct State {
        var pending: [UInt8] = []
        var isEnded = false
        var hasOverflowed = false
    }

    /// The client's `Last-Event-ID`: the last event it has seen before it lost the connection.
    public let lastEventID: String?
    let limits: Limits
    private let state = Mutex(State())
    private let changed = EventCounter()
    private let overflowed: @Sendable () -> Void

    /// `overflowed` is called, from any thread, when the client is cut off.
    init(limits: Limits, lastEventID: String?, overflowed: @escaping @Sendable () -> Void = {}) {
        self.limits = limits
        self.lastEventID = lastEventID
        self.overflowed = overflowed
    }

    /// Queues one event; a line break in `data` becomes another `data` line. Errors: `closed` after the end, `limit`
    /// when the client is too slow (it is cut off).
    public func send(_ data: some Sequence<UInt8>, event: String? = nil, id: String? = nil) throws(IOError) {
        try queue { Self.write(data, event: event, id: id, into: &$0) }
    }

    public func send(_ data: String, event: String? = nil, id: String? = nil) throws(IOError) {
        try send(data.utf8, event: event, id: id)
    }

    /// Queues what is an event in its text form already, ended by an empty line: for one event to many clients, encoded once.
    /// Errors: as above.
    public func send(encoded bytes: [UInt8]) throws(IOError) {
        try queue { $0.append(contentsOf: bytes) }
    }

    /// Tells the client how long to wait before it connects again.
    public func setRetry(_ delay: Duration) throws(IOError) {
        let milliseconds = Int(delay / .milliseconds(1))
        try queue { $0.append("retry: \(milliseconds)\n\n") }
    }

    /// A line that clients ignore.
    public func comment(_ text: String) throws(IOError) {
        try queue {
            Self.writeLines("", text.utf8, into: &$0); $0.append(10)
        }
    }

    /// Whether nothing more can be sent.
    public var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Returns when the client has gone, the server stops, or the task is cancelled: what a handler waits for whose
    /// events come from elsewhere. Call on a loop.
    public func waitUntilEnd() async {
        var seen = changed.value
        while !isEnded, !Task.isCancelled { seen = await changed.wait(after: seen) }
    }

    /// What is queued is still sent.
    public func end() {
        state.withLock { $0.isEnded = true }
        changed.raise()
    }

    /// What is queued is dropped.
    func abort() {
        state.withLock { state in
            state.isEnded = true
            state.pending = []
        }
        changed.raise()
    }

    private func queue(_ write: (inout [UInt8]) -> Void) throws(IOError) {
        var bytes: [UInt8] = []
        write(&bytes)
        let failure: IOError? = state.withLock { state in
            guard !state.isEnded else { return state.hasOverflowed ? Self.tooSlow : .closed }
            guard state.pending.count + bytes.count <= limits.pendingBytesMax else {
                state.isEnded = true
                state.hasOverflowed = true
                state.pending = []
                return Self.tooSlow
            }
            state.pending.append(contentsOf: bytes)
            return nil
        }
        guard let failure else { return changed.raise() }
        if failure == Self.tooSlow { overflowed() }
        throw failure
    }

    private static var tooSlow: IOError { .limit("bytes waiting for a slow reader of events") }

    /// What is queued; `nil` at the end.
    func takePending() -> [UInt8]? {
        state.withLock { state in
            if state.pending.isEmpty, state.isEnded { return nil }
            defer { state.pending = [] }
            return state.pending
        }
    }

    /// Hands everything to `writer` until the end. Errors: the writer's.
    func drain(into writer: HTTPBodyWriter) async throws(IOError) {
        while !Task.isCancelled {
            let seen = changed.value
            guard var bytes = takePending() else { return }
            if bytes.isEmpty {
                let deadline = Deadline.after(limits.heartbeat)
                guard await changed.wait(after: seen, deadline: deadline) == seen, deadline.hasPassed else { continue }
                bytes.append(":\n\n")
            }
            try await writer.write(bytes)
            try await writer.flush()
        }
    }

    // MARK: Text form

    static func write(_ data: some Sequence<UInt8>, event: String?, id: String?, into output: inout [UInt8]) {
        if let event { writeLine("event: ", event, into: &output) }
        if let id { writeLine("id: ", id, into: &output) }
        writeLines("data", data, into: &output)
        output.append(10)
    }

    /// One line: what would end it, or is not allowed in an id, is left out.
    private static func writeLine(_ name: StaticString, _ value: String, into output: inout [UInt8]) {
        output.append(name)
        output.append(contentsOf: value.utf8.filter { $0 != 10 && $0 != 13 && $0 != 0 })
        output.append(10)
    }

    private static func writeLines(_ name: StaticString, _ text: some Sequence<UInt8>, into output: inout [UInt8]) {
        output.append(name)
        output.append(": ")
        var afterReturn = false
        for octet in text {
            if octet == 10, afterReturn {
                afterReturn = false
                continue
            }
            afterReturn = octet == 13
            if octet == 10 || octet == 13 {
                output.append(10)
                output.append(name)
                output.append(": ")
            } else {
                output.append(octet)
            }
        }
        output.append(10)
    }
}

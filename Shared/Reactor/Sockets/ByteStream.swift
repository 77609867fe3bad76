import CLinux
import Glibc

/// A connected stream of bytes: TCP or unix socket, with or without TLS. It belongs to one loop, where all calls are made;
/// it is not Sendable. One task reads and one task writes at a time.
public final class ByteStream {
    public let loop: EventLoop
    /// The other end; `nil` when the kernel does not say.
    public let peerAddress: SocketAddress?
    let descriptor: Int32
    private let watch: Watch
    private var session: TLSSession?
    private var isClosed = false
    /// The last read left nothing behind, so that the next one waits first instead of asking the kernel in vain.
    private var isDrained = true
    private var isReading = false
    private var isWriting = false
    private var readsWithoutWait = 0
    private var isAwaitingRead = false
    private var isAwaitingWrite = false
    /// Counts the ends of such waits; made when somebody waits for one.
    private var waitsEnded: EventCounter?
    /// A peer that sends faster than it is served holds up the other connections of its loop for this many reads.
    private static let readsWithoutWaitMax = 4

    /// Takes over a connected, non-blocking descriptor.
    init(adopting descriptor: Int32, on loop: EventLoop) throws(IOError) {
        self.loop = loop
        self.descriptor = descriptor
        peerAddress = Socket.address(descriptor, getpeername)
        do { watch = try Watch(descriptor: descriptor, on: loop) } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    deinit {
        if !isClosed {
            // Reached only when the owning task dropped the stream, on the loop.
            session?.free()
            watch.close()
            Glibc.close(descriptor)
        }
    }

    /// Whether TLS is in use.
    public var isTLS: Bool { session != nil }

    /// The peer's verified certificate names; `nil` without TLS or without a certificate.
    public var peerIdentity: PeerIdentity? { session?.peerIdentity }

    /// Whether TLS resumed an earlier session, without a new certificate exchange.
    public var isResumed: Bool { session?.isResumed ?? false }

    /// Two connected ends on one loop, for tests.
    public static func pair(on loop: EventLoop) throws(IOError) -> (ByteStream, ByteStream) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .last("socketpair") }
        return (try ByteStream(adopting: ends[0], on: loop), try ByteStream(adopting: ends[1], on: loop))
    }

    /// Connects on the current loop, to the endpoint's addresses in turn; with TLS also shakes hands.
    /// `serverName` is the name that the server's certificate must carry (the endpoint's host when nil).
    /// Errors: the last address's; `resolve`, `timedOut`, `cancelled`, `tls`.
    public static func connect(
        to endpoint: Endpoint, tls: TLSContext? = nil, serverName: String? = nil, deadline: Deadline
    ) async throws(IOError) -> ByteStream {
        try await connect(
            toFirstOf: try await endpoint.resolve(deadline: deadline), tls: tls,
            serverName: serverName ?? endpoint.host, deadline: deadline)
    }

    /// Connects to the first of `addresses` that takes the connection, for callers that check addresses first. One that
    /// swallows packets costs a moment and not the time of the others. Errors: those of the address that failed last;
    /// `resolve` when there is none, `timedOut`, `cancelled`, `tls`.
    public static func connect(
        toFirstOf addresses: [SocketAddress], tls: TLSContext? = nil, serverName: String,
        keepAlive: TCPKeepAlive = .patient, deadline: Deadline
    ) async throws(IOError) -> ByteStream {
        guard let loop = EventLoop.current else { preconditionFailure("ByteStream.connect outside an event loop") }
        var (left, failure) = (addresses, IOError.resolve("\(serverName): no address"))
        while !left.isEmpty {
            let winner = try await ConnectRace.run(left, on: loop, deadline: deadline)
            let (descriptor, address) = (winner.descriptor, left.remove(at: winner.index))
            let stream = try ByteStream(adopting: descriptor, on: loop)
            if address.family != .unix { Socket.tune(descriptor, keepAlive) }
            guard let tls else { return stream }
            do throws(IOError) {
                try await stream.startTLS(try tls.clientSession(descriptor, serverName: serverName), deadline: deadline)
                return stream
            } catch {
                stream.close()
                failure = error
                if error == .cancelled || error == .timedOut { break }
            }
        }
        throw failure
    }

    /// Shakes hands; on failure the stream must be closed. Errors: `tls`, `timedOut`, `cancelled`, `system`.
    func startTLS(_ session: TLSSession, deadline: Deadline) async throws(IOError) {
        self.session = session
        while true {
            switch try session.handshake() {
            case .done:
                isDrained = false
                return
            case .wantRead: try await watch.readable(deadline: deadline)
            case .wantWrite: try await watch.writable(deadline: deadline)
            case .end: throw .tls("the peer hung up during the handshake")
            }
        }
    }

    /// Appends what has arrived, at least one byte and at most `max`; 0 when the peer has ended its side.
    /// Errors: `timedOut`, `cancelled`, `closed`, `system`, `tls`. After an error the stream is good for closing only,
    /// except after `timedOut` and `cancelled`.
    @discardableResult
    public func read(
        into buffer: inout ByteBuffer, max: Int = EventLoop.readBytesMax, deadline: Deadline = .never
    ) async throws(IOError) -> Int {
        precondition(!isReading, "two tasks read one stream")
        isReading = true
        defer { isReading = false }
        let space = UnsafeMutableRawBufferPointer(rebasing: loop.scratch[..<min(max, loop.scratch.count)])
        while true {
            if isDrained {
                try await waitToRead(deadline)
                isDrained = false
                readsWithoutWait = 0
            } else if readsWithoutWait >= Self.readsWithoutWaitMax {
                await loop.nextTurn()
                readsWithoutWait = 0
            }
            guard !isClosed else { throw .closed }
            readsWithoutWait += 1
            switch try receive(into: space) {
            case .bytes(let count):
                if count > 0 { buffer.append(UnsafeRawBufferPointer(rebasing: space[..<count])) }
                return count
            case .wantRead: isDrained = true
            case .wantWrite: try await waitToWrite(deadline)
            }
        }
    }

    /// Sends all of `bytes`. Errors as for `read`; `timedOut` and `cancelled` leave the stream in the middle of them.
    public func write(_ bytes: [UInt8], deadline: Deadline = .never) async throws(IOError) {
        try await write(bytes, .until(deadline))
    }

    /// As `write`, however long it takes in all: `timedOut` when the peer has taken nothing for `stallMax`.
    public func write(_ bytes: [UInt8], stallMax: Duration) async throws(IOError) {
        try await write(bytes, .stall(stallMax))
    }

    /// Sends all of `buffer`, consuming it.
    public func write(_ buffer: inout ByteBuffer, deadline: Deadline = .never) async throws(IOError) {
        let bytes = buffer.take(buffer.count)
        try await write(bytes, deadline: deadline)
    }

    /// Whether nothing has arrived since the last read, not even the peer's end: else a connection that was kept for
    /// later is of no more use. The kernel is asked only when the loop has seen something.
    public var isQuiet: Bool {
        guard !isClosed, session?.hasPending != true else { return false }
        if isDrained, watch.isQuiet { return true }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0
            && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    /// Tells the peer that nothing more comes (TLS close_notify, then FIN); reading goes on.
    public func finishWriting() throws(IOError) {
        guard !isClosed else { throw .closed }
        session?.finish()
        guard shutdown(descriptor, Int32(SHUT_WR)) == 0 || errno == ENOTCONN else { throw .last("shutdown") }
    }

    /// Wakes a reader and a writer with `closed`. A second call does nothing.
    public func close() {
        guard !isClosed else { return }
        loop.preconditionCurrent()
        isClosed = true
        session?.finish()
        session?.free()
        session = nil
        watch.close()
        Glibc.close(descriptor)
    }

    /// Makes the calling task's waits on this stream cancellable once for all of `body`: cheaper than in each wait.
    public func withCancellation<R>(_ body: () async -> R) async -> R { await watch.withCancellation(body) }

    // MARK: System calls

    private enum Progress {
        case bytes(Int)
        case wantRead
        case wantWrite
    }

    private enum Patience {
        case until(Deadline)
        case stall(Duration)
    }

    private func write(_ bytes: [UInt8], _ patience: Patience) async throws(IOError) {
        precondition(!isWriting, "two tasks write one stream")
        isWriting = true
        defer { isWriting = false }
        var sent = 0
        while true {
            guard !isClosed else { throw .closed }
            let progress: Progress
            if sent < bytes.count {
                progress = try bytes.withUnsafeBufferPointer { (all) throws(IOError) -> Progress in
                    try send(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(all)[sent...]))
                }
            } else {
                guard let session, try !session.flush() else { return }
                progress = .wantWrite
            }
            switch progress {
            case .bytes(let count): sent += count
            case .wantWrite:
                switch patience {
                case .until(let deadline): try await waitToWrite(deadline)
                case .stall(let longest): try await waitToWrite(.after(longest))
                }
            case .wantRead:
                switch patience {
                case .until(let deadline): try await waitToRead(deadline)
                case .stall(let longest): try await waitToRead(.after(longest))
                }
            }
        }
    }

    /// Until a read would not block. The reader and the writer may want the same of the descriptor at the same time (a peer
    /// that changes its keys gets answers, and is read no further when it takes none of them while a send waits, too): the
    /// second waits for the first one's wait to end, and tries again.
    @inline(__always)
    func waitToRead(_ deadline: Deadline) async throws(IOError) {
        guard !isAwaitingRead else { return try await waitForOther(deadline) }
        isAwaitingRead = true
        defer {
            isAwaitingRead = false
            waitsEnded?.raise()
        }
        try await watch.readable(deadline: deadline)
    }

    /// Until a write would not block; as `waitToRead`.
    @inline(__always)
    func waitToWrite(_ deadline: Deadline) async throws(IOError) {
        guard !isAwaitingWrite else { return try await waitForOther(deadline) }
        isAwaitingWrite = true
        defer {
            isAwaitingWrite = false
            waitsEnded?.raise()
        }
        try await watch.writable(deadline: deadline)
    }

    private func waitForOther(_ deadline: Deadline) async throws(IOError) {
        let ended = waitsEnded ?? EventCounter()
        waitsEnded = ended
        let seen = ended.value
        guard await ended.wait(after: seen, deadline: deadline) == seen else { return }
        throw Task.isCancelled ? .cancelled : .timedOut
    }

    private func receive(into space: UnsafeMutableRawBufferPointer) throws(IOError) -> Progress {
        if let session {
            switch try session.read(into: space) {
            case .done(let count):
                isDrained = !session.hasPending && count < space.count
                return .bytes(count)
            case .end: return .bytes(0)
            case .wantRead: return .wantRead
            case .wantWrite: return .wantWrite
            }
        }
        while true {
            let count = recv(descriptor, space.baseAddress, space.count, 0)
            if count >= 0 {
                isDrained = count > 0 && count < space.count
                return .bytes(count)
            }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wantRead }
            if errno != EINTR { throw .last("recv") }
        }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) throws(IOError) -> Progress {
        if let session {
            switch try session.write(bytes) {
            case .done(let count): return .bytes(count)
            case .end: throw .system(operation: "send", errno: EPIPE)
            case .wantRead: return .wantRead
            case .wantWrite: return .wantWrite
            }
        }
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wantWrite }
            if errno != EINTR { throw .last("send") }
        }
    }
}

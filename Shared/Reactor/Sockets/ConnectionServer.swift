import CLinux
import Glibc
import Synchronization
public import Telemetry

/// Listens, shakes hands, and gives each connection to a handler on one of the loops in turn.
public final class ConnectionServer: Sendable {
    /// Limits of one server.
    public struct Limits: Sendable {
        /// Connections at the same time; one more gets `refusal` and is closed. Fewer when the process may not have so
        /// many files open (`OpenFiles`).
        public var connectionsMax: Int
        /// Time for a TLS handshake.
        public var handshakeMax: Duration
        /// What a refused connection is sent, as far as it fits into the socket (plain connections only).
        public var refusal: [UInt8]
        public var keepAlive: TCPKeepAlive

        public init(
            connectionsMax: Int, handshakeMax: Duration = .seconds(10), refusal: [UInt8] = [],
            keepAlive: TCPKeepAlive = .patient
        ) {
            self.connectionsMax = connectionsMax
            self.handshakeMax = handshakeMax
            self.refusal = refusal
            self.keepAlive = keepAlive
        }
    }

    private struct State {
        var connections: [UInt64: Task<Void, Never>] = [:]
        var lastID: UInt64 = 0
        var acceptor: Task<Void, Never>?
        var isStopping = false
        var connectionsMax: Int
    }

    /// The address that it listens at, with the port that the system chose.
    public let address: SocketAddress
    private let limits: Limits
    private let tls: TLSContext?
    private let metrics: ConnectionMetrics
    private let loops: EventLoopGroup
    private let handler: @Sendable (ByteStream) async -> Void
    private let state: Mutex<State>
    private let ended = EventCounter()
    private let refusals = Atomic<Int>(0)

    public var port: UInt16 { address.port }
    /// Connections that are served at the same time.
    public var connectionsMax: Int { state.withLock { $0.connectionsMax } }
    public var connectionCount: Int { state.withLock { $0.connections.count } }
    /// Connections turned away because of `connectionsMax`.
    public var refusedCount: Int { refusals.load(ordering: .relaxed) }

    /// Starts to listen at the first address of `endpoint`. The handler owns its stream until it returns; then the stream
    /// is closed. Errors: `system` (the address is in use, say), `resolve`.
    public static func start(
        at endpoint: Endpoint, loops: EventLoopGroup, tls: TLSContext?, limits: Limits, listener: String = "",
        observer: Observer = .silent, handler: @escaping @Sendable (ByteStream) async -> Void
    ) async throws(IOError) -> ConnectionServer {
        guard let address = try await endpoint.resolve().first else { throw .resolve(endpoint.host) }
        let descriptor = try Socket.listen(at: address, backlog: 4096)
        let bound = address.family == .unix ? address : Socket.address(descriptor, getsockname) ?? address
        let server = ConnectionServer(
            address: bound, loops: loops, tls: tls, limits: limits,
            metrics: ConnectionMetrics(listener: listener, observer), handler: handler)
        let acceptor = loops.loops[0].task { await server.accept(descriptor) }
        server.state.withLock { $0.acceptor = acceptor }
        return server
    }

    private init(
        address: SocketAddress, loops: EventLoopGroup, tls: TLSContext?, limits: Limits, metrics: ConnectionMetrics,
        handler: @escaping @Sendable (ByteStream) async -> Void
    ) {
        self.address = address
        self.loops = loops
        self.tls = tls
        self.limits = limits
        state = Mutex(State(connectionsMax: OpenFiles.connections(wanted: limits.connectionsMax)))
        self.metrics = metrics
        self.handler = handler
    }

    /// Sets another limit of connections (lower when the process may not have so many files open). Connections beyond it
    /// stay until they end.
    public func limit(connectionsTo wanted: Int) {
        state.withLock { $0.connectionsMax = OpenFiles.connections(wanted: wanted) }
    }

    /// New connections are refused by the kernel from now on.
    public func stopAccepting() async {
        let acceptor = state.withLock { state in
            state.isStopping = true
            return state.acceptor
        }
        acceptor?.cancel()
        await acceptor?.value
    }

    /// Stops accepting, gives the handlers `grace` to return, then cancels them and waits until they have. Call on a
    /// loop. A second call waits for the same end.
    public func shutdown(grace: Duration) async {
        await stopAccepting()
        let deadline = Deadline.after(grace)
        var seen = ended.value
        while connectionCount > 0, !deadline.hasPassed, !Task.isCancelled {
            seen = await ended.wait(after: seen, deadline: deadline)
        }
        let left = state.withLock { Array($0.connections.values) }
        for task in left { task.cancel() }
        for task in left { await task.value }
    }

    /// A full backlog holds up what else is due on the acceptor's loop for so many connections at a time.
    static let acceptsPerTurnMax = 64

    private func accept(_ descriptor: Int32) async {
        defer { close(descriptor) }
        guard let watch = try? Watch(descriptor: descriptor, on: loops.loops[0]) else { return }
        defer { watch.close() }
        var acceptedInTurn = 0
        while !Task.isCancelled {
            if acceptedInTurn == Self.acceptsPerTurnMax {
                await loops.loops[0].nextTurn()
                acceptedInTurn = 0
            }
            let connection = tm_accept(descriptor)
            if connection >= 0 {
                admit(connection)
                acceptedInTurn += 1
                continue
            }
            acceptedInTurn = 0
            do {
                switch errno {
                case EAGAIN: try await watch.readable()
                // Out of descriptors or memory: what waits in the backlog is taken when some are free again.
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: try await loops.loops[0].sleep(for: .milliseconds(50))
                // The connection ended before it was taken.
                default: continue
                }
            } catch { return }
        }
    }

    private func admit(_ descriptor: Int32) {
        if address.family != .unix { Socket.tune(descriptor, limits.keepAlive) }
        let loop = loops.next()
        let isAdmitted = state.withLock { state in
            guard state.connections.count < state.connectionsMax, !state.isStopping else { return false }
            state.lastID += 1
            let id = state.lastID
            state.connections[id] = loop.task { [self] in
                metrics.opened()
                await serve(descriptor, on: loop)
                metrics.closed()
                connectionEnded(id)
            }
            return true
        }
        guard !isAdmitted else { return }
        refusals.add(1, ordering: .relaxed)
        metrics.wasRefused()
        if tls == nil { _ = send(descriptor, limits.refusal, limits.refusal.count, Int32(MSG_NOSIGNAL)) }
        close(descriptor)
    }

    private func connectionEnded(_ id: UInt64) {
        state.withLock { $0.connections[id] = nil }
        ended.raise()
    }

    private func serve(_ descriptor: Int32, on loop: EventLoop) async {
        do {
            let stream = try ByteStream(adopting: descriptor, on: loop)
            defer { stream.close() }
            if let tls {
                do throws(IOError) {
                    try await stream.startTLS(try tls.serverSession(descriptor), deadline: .after(limits.handshakeMax))
                } catch {
                    metrics.handshakeFailed(error)
                    throw error
                }
            }
            await stream.withCancellation { await handler(stream) }
        } catch {
            // A peer that cannot shake hands is told by OpenSSL's alert.
        }
    }
}

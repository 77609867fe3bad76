public import Reactor
public import Telemetry

/// Answers JSON-RPC 2.0 calls: one JSON text per line, over TCP with mutually authenticated TLS 1.3, or plain on
/// loopback and unix sockets. Requests are pipelined and answered as they are ready.
public final class RPCServer: Sendable {
    private let service: ServedMethods
    private let connections: ConnectionRegistry
    private let listener: ConnectionServer

    /// Starts to listen. Without `tls` the address must be a loopback address or a unix socket, and the configuration
    /// must name plain clients. Errors: `limit` when that is not so; otherwise those of `ConnectionServer.start`.
    public static func start(
        at endpoint: Endpoint, loops: EventLoopGroup, tls: TLSContext?, router: RPCRouter,
        configuration: RPCServerConfiguration, observer: Observer = .silent
    ) async throws(IOError) -> RPCServer {
        if tls == nil {
            guard configuration.plainClientName != nil else {
                throw .limit("RPC without TLS needs a name for its clients")
            }
            guard try await endpoint.isLocal else {
                throw .limit("RPC without TLS is for loopback only, not \(endpoint)")
            }
        }
        let service = ServedMethods(router: router, configuration: configuration, observer: observer)
        let connections = ConnectionRegistry()
        let listener = try await ConnectionServer.start(
            at: endpoint, loops: loops, tls: tls,
            limits: ConnectionServer.Limits(
                connectionsMax: configuration.connectionsMax, handshakeMax: configuration.frameTimeout,
                refusal: refusal, keepAlive: .prompt),
            listener: "internal", observer: observer
        ) { stream in
            await serve(stream, service, connections)
        }
        return RPCServer(service: service, connections: connections, listener: listener)
    }

    private init(service: ServedMethods, connections: ConnectionRegistry, listener: ConnectionServer) {
        self.service = service
        self.connections = connections
        self.listener = listener
    }

    public var port: UInt16 { listener.port }
    public var connectionCount: Int { listener.connectionCount }
    /// Calls that run now.
    public var callCount: Int { service.callCount }

    /// Stops: accepts nothing more, says goodbye, lets what is in flight finish within `grace`, then cancels the rest and
    /// waits until all handlers have returned. Call on a loop.
    public func stop(grace: Duration) async {
        await listener.stopAccepting()
        for connection in connections.stop() { await connection.goodbye() }
        await listener.shutdown(grace: grace)
    }

    /// What a connection beyond `connectionsMax` is told.
    private static let refusal: [UInt8] = {
        var line: [UInt8] = []
        let answer = Result<[UInt8], RPCError>.failure(RPCError(.overloaded, "Too many connections."))
        ResponseEnvelope.write(id: .null, answer, bytesMax: .max, to: &line)
        line.append(UInt8(ascii: "\n"))
        return line
    }()

    private static func serve(
        _ stream: ByteStream, _ service: ServedMethods, _ connections: ConnectionRegistry
    ) async {
        let names = stream.peerIdentity?.names ?? []
        let known = service.configuration.clientNames
        let caller = stream.isTLS ? names.first(where: known.contains) : service.configuration.plainClientName
        // The stream's only user from here on is the connection, on the same loop.
        nonisolated(unsafe) let stream = stream
        let id = connections.nextID()
        let connection = ServerConnection(id: id, caller: caller ?? "", service: service, stream: stream)
        if caller == nil {
            service.metrics.clientRefused(names)
            await connection.refuse(RPCError(.notAllowed, "This client is not known here."))
        }
        if connections.add(connection, id: id) { await connection.goodbye() }
        await connection.run()
        connections.remove(id)
    }
}

extension Endpoint {
    /// Whether nobody outside this machine can be at the other end.
    var isLocal: Bool {
        get async throws(IOError) {
            if isUnix { return true }
            return try await resolve().allSatisfy(\.isLoopback)
        }
    }
}

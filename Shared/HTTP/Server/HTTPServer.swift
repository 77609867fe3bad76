public import Reactor
import Synchronization
public import Telemetry

/// An HTTP/1.1 server (RFC 9110, RFC 9112): one task per connection, on the loop that owns it.
public final class HTTPServer: Sendable {
    private let connections: ConnectionServer
    private let core: HTTPServerCore

    /// Listens at `endpoint`. Errors: the address is taken or unknown.
    public static func start(
        at endpoint: Endpoint, router: HTTPRouter, configuration: HTTPServerConfiguration = .init(),
        loops: EventLoopGroup, tls: TLSContext? = nil, observer: Observer = .silent,
        listener: String = "public"
    ) async throws(IOError) -> HTTPServer {
        let core = HTTPServerCore(router: router, configuration: configuration, loops: loops.loops, observer: observer)
        let limits = ConnectionServer.Limits(connectionsMax: configuration.connectionsMax, refusal: refusal)
        let connections = try await ConnectionServer.start(
            at: endpoint, loops: loops, tls: tls, limits: limits, listener: listener, observer: observer
        ) { stream in
            await core.serve(stream)
        }
        return HTTPServer(connections: connections, core: core)
    }

    private init(connections: ConnectionServer, core: HTTPServerCore) {
        self.connections = connections
        self.core = core
    }

    /// The port that it listens at.
    public var port: UInt16 { connections.port }
    public var connectionCount: Int { connections.connectionCount }

    /// Sets other limits and timeouts; existing connections have them from their next request on. Connections, requests and
    /// bodies beyond a lower limit stay until they end. Other trusted proxies apply to new connections; `isHTTPSOnly` does
    /// not change. Returns when all loops have them. Call on a loop.
    public func update(_ configuration: HTTPServerConfiguration) async {
        connections.limit(connectionsTo: configuration.connectionsMax)
        await core.update(configuration)
    }

    /// The server will stop soon: answers ask their clients to close the connection, and new ones are still accepted.
    public func announceEnd() { core.announceEnd() }

    /// Stops accepting, ends idle connections, tells what waits for news that it ends (`HTTPRequest.serverEnd`), lets requests in
    /// progress finish for at most `grace`, then cancels them. Call on a loop. A second call waits for the same end.
    public func shutdown(grace: Duration = .seconds(20)) async {
        await connections.stopAccepting()
        core.stop()
        await connections.shutdown(grace: grace)
    }

    /// What a connection beyond the limit gets.
    private static let refusal: [UInt8] = {
        let problem = Problem(
            .serviceUnavailable, code: "overloaded", detail: "too many connections", retryAfter: .seconds(1))
        var output: [UInt8] = []
        var defaults = ResponseDefaults(isHTTPSOnly: false)
        let response = problem.response
        response.appendHead(to: &output, .init(isHTTP10: false, isHead: false, keepsAlive: false), &defaults)
        if case .bytes(let bytes) = response.body { output += bytes }
        return output
    }()
}

/// What all connections of a server share.
final class HTTPServerCore: Sendable {
    let router: HTTPRouter
    let metrics: HTTPMetrics
    let end = HTTPServerEnd()
    private let homes: [HTTPServerLoop]
    private let connectionShares: NetworkShares
    private let requestShares: NetworkShares
    private let bodyMemory: BodyMemory

    init(router: HTTPRouter, configuration: HTTPServerConfiguration, loops: [EventLoop], observer: Observer) {
        self.router = router
        metrics = HTTPMetrics(observer)
        let bodyMemory = BodyMemory(configuration)
        let requestShares = NetworkShares(max: configuration.requestsPerNetworkMax)
        connectionShares = NetworkShares(max: configuration.connectionsPerNetworkMax)
        (self.bodyMemory, self.requestShares) = (bodyMemory, requestShares)
        homes = loops.map {
            HTTPServerLoop(
                $0, configuration: configuration, loopCount: loops.count, bodyMemory: bodyMemory,
                requestShares: requestShares)
        }
    }

    /// Serves one connection to its end.
    func serve(_ stream: ByteStream) async {
        guard let home = homes.first(where: { $0.loop === stream.loop }) else { return }
        // The caller only waits while the connection uses the stream, on the same loop.
        nonisolated(unsafe) let stream = stream
        let connection = HTTPConnection(stream, core: self, home: home)
        guard connectionShares.enter(connection.peer.network) else { return await connection.refuseConnection() }
        defer { connectionShares.leave(connection.peer.network) }
        home.add(connection)
        if await Self.run(connection) { await connection.sendLive() }
        home.remove(connection)
    }

    /// Apart, so that the task is gone afterwards.
    private static func run(_ connection: HTTPConnection) async -> Bool {
        let task = await connection.start()
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func update(_ configuration: HTTPServerConfiguration) async {
        bodyMemory.update(configuration)
        requestShares.update(max: configuration.requestsPerNetworkMax)
        connectionShares.update(max: configuration.connectionsPerNetworkMax)
        for home in homes { await home.loop.task { home.update(configuration) }.value }
    }

    func announceEnd() {
        for home in homes { home.loop.execute { home.isLeaving = true } }
    }

    func stop() {
        end.reach()
        for home in homes { home.loop.execute { home.stop() } }
    }
}

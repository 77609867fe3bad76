import Contracts
import HTTP
import JSON
import Postgres
import RPC
public import Reactor
import Synchronization

/// A service that listens. Started from a configuration, stopped once; several can run in one process.
public final class RunningService: Sendable {
    /// For requests and calls in flight when it stops.
    public static let grace = Duration.seconds(20)

    /// Names that may be in the certificate of an RPC client; each method says which of them may call it.
    static let clientNames = Set(ServiceName.allCases.map(\.rawValue) + ["operator", "simulator"])

    public let assembled: AssembledService
    private let httpServer: HTTPServer
    private let rpcServer: RPCServer
    private let clients: [RPCClient]
    private let database: Database
    private let contexts: [TLSContext]
    private let log: Log
    private let isStopped = Mutex(false)

    private init(
        _ assembled: AssembledService, _ httpServer: HTTPServer, _ rpcServer: RPCServer, _ foundation: Foundation
    ) {
        self.assembled = assembled
        self.httpServer = httpServer
        self.rpcServer = rpcServer
        clients = foundation.clients
        database = foundation.database
        contexts = foundation.contexts
        log = foundation.log
    }

    public var httpPort: UInt16 { httpServer.port }
    public var rpcPort: UInt16 { rpcServer.port }

    // MARK: Starting

    /// What is there before the service itself.
    struct Foundation: Sendable {
        let database: Database
        let clients: [RPCClient]
        let contexts: [TLSContext]
        let log: Log

        func close() async {
            for client in clients { await client.close() }
            await database.close()
        }
    }

    /// Starts a service; returns when it is ready. Waits for its database for as long as it takes. Call on a loop of
    /// `loops`; cancelling ends the waiting. Errors: `ConfigurationError`, `MigrationError`, `StartError`, and those of
    /// `build`.
    public static func start<Definition: ServiceDefinition>(
        _: Definition.Type, _ configuration: ServiceConfiguration<Definition.Settings>, loops: EventLoopGroup, log: Log
    ) async throws -> RunningService {
        let (context, foundation) = try prepare(Definition.self, configuration, loops: loops, log: log)
        do {
            try await SchemaPreparation(
                configuration.database, Definition.migrations, log: log, pacing: context.pacing
            ).prepare(context.database)
            let assembled = try await AssembledService.assemble(Definition.self, context)
            do {
                return try await listen(Definition.self, assembled, configuration, context, foundation)
            } catch {
                await assembled.stop()
                throw error
            }
        } catch {
            await context.databases.close()
            await foundation.close()
            throw error
        }
    }

    /// The context of a service, without having connected to anything.
    static func prepare<Definition: ServiceDefinition>(
        _: Definition.Type, _ configuration: ServiceConfiguration<Definition.Settings>, loops: EventLoopGroup, log: Log
    ) throws(ConfigurationError) -> (ServiceContext<Definition.Settings>, Foundation) {
        let tls = try configuration.internalListener.tls()
        let keys = try configuration.keys.load()
        var databaseConfiguration = try configuration.database.configuration(
            application: Definition.name, loops: loops.loops.count)
        let observer = Observer(log: log)
        databaseConfiguration.observer = observer
        try Definition.check(configuration.settings)
        var clients: [String: RPCClient] = [:]
        for (name, endpoints) in configuration.peers where !endpoints.isEmpty {
            clients[name] = RPCClient(
                RPCClientConfiguration(service: name, endpoints: endpoints), loops: loops, tls: tls.client,
                observer: observer)
        }
        let database = Database(databaseConfiguration, loops: loops)
        let context = ServiceContext(
            name: Definition.name, settings: configuration.settings, baseURL: configuration.publicListener.baseURL,
            loops: loops, database: database, peers: clients, keys: keys, log: log,
            metrics: observer.metrics, tracer: observer.tracer)
        let foundation = Foundation(
            database: database, clients: Array(clients.values), contexts: [tls.server, tls.client], log: log)
        return (context, foundation)
    }

    private static func listen<Definition: ServiceDefinition>(
        _: Definition.Type, _ assembled: AssembledService,
        _ configuration: ServiceConfiguration<Definition.Settings>, _ context: ServiceContext<Definition.Settings>,
        _ foundation: Foundation
    ) async throws -> RunningService {
        let (observer, log, loops) = (context.observer, context.log, context.loops)
        let rpcServer = try await listening(at: configuration.internalListener.listen) { endpoint throws(IOError) in
            try await RPCServer.start(
                at: endpoint, loops: loops, tls: foundation.contexts[0], router: assembled.rpc,
                configuration: RPCServerConfiguration(clientNames: clientNames), observer: observer)
        }
        var httpConfiguration = HTTPServerConfiguration()
        httpConfiguration.isHTTPSOnly = configuration.publicListener.isHTTPSOnly
        httpConfiguration.trustedProxies = configuration.publicListener.trustedProxies
        let chosen = httpConfiguration
        let httpServer: HTTPServer
        do {
            httpServer = try await listening(at: configuration.publicListener.listen) { endpoint throws(IOError) in
                try await HTTPServer.start(
                    at: endpoint, router: assembled.http, configuration: chosen, loops: loops, observer: observer)
            }
        } catch {
            await rpcServer.stop(grace: .zero)
            throw error
        }
        ProcessMetrics.register(in: observer.metrics)
        for lag in LoopLag.tasks(loops, observer.metrics) { assembled.tasks.start(lag.task, on: lag.loop) }
        assembled.start()
        log.info(
            "ready",
            [
                "public": .string("\(configuration.publicListener.listen)"),
                "internal": .string("\(configuration.internalListener.listen)"),
                "loops": .integer(Int64(loops.loops.count)), "version": .string(ServiceVersion.current),
            ])
        return RunningService(assembled, httpServer, rpcServer, foundation)
    }

    private static func listening<Server>(
        at endpoint: Endpoint, _ start: (Endpoint) async throws(IOError) -> Server
    ) async throws(StartError) -> Server {
        do throws(IOError) { return try await start(endpoint) } catch {
            throw StartError("The service cannot listen at \(endpoint): \(error).")
        }
    }

    // MARK: Running

    /// Reads certificates, and what else the service keeps in files, again. What cannot be read stays as it was; that
    /// is logged.
    public func reload() async {
        var failures = 0
        for context in contexts {
            do throws(IOError) { try context.reload() } catch {
                failures += 1
                log.error("certificates not read again", ["error": .string(error.description)])
            }
        }
        for reload in assembled.parts.atReload {
            do { try await reload() } catch {
                failures += 1
                log.error("files not read again", ["error": Log.text(of: error)])
            }
        }
        log.info("files read again", ["failures": .integer(Int64(failures))])
    }

    /// Stops in order: not ready, nothing accepted, what is in flight finished within `grace`, tasks ended, connections
    /// closed. A second call does nothing. Call on a loop.
    public func stop(grace: Duration = grace) async {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        log.info("stopping")
        assembled.prepareToStop()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [httpServer] in await httpServer.shutdown(grace: grace) }
            group.addTask { [rpcServer] in await rpcServer.stop(grace: grace) }
        }
        await assembled.stop()
        for client in clients { await client.close() }
        await database.close()
        log.info("stopped")
    }
}

/// Why a service did not start, in one sentence.
public struct StartError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ sentence: String) {
        description = sentence
    }
}

import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import RPC
public import Reactor
import Security
import Synchronization

/// A service that listens. Started from a configuration, stopped once; several can run in one process.
public final class RunningService: Sendable {
    /// One part in so many of the time for stopping is kept for ending tasks and closing connections.
    private static let closingShare = 5

    /// Names that may be in the certificate of an RPC client; each method says which of them may call it.
    static let clientNames = Set(ServiceName.allCases.map(\.rawValue) + ["operator", "simulator"])

    public let assembled: AssembledService
    private let httpServer: HTTPServer
    private let operatorServer: HTTPServer
    private let rpcServer: RPCServer
    private let clients: PeerClients
    private let peers: Peers
    private let databases: MoreDatabases
    private let loopCount: Int
    private let name: String
    /// The configuration in force.
    private let source: Mutex<JSONValue>
    private let database: Database
    private let contexts: [TLSContext]
    private let stopping: StoppingSettings
    private let tracer: Tracer
    private let keys: ServiceKeys
    private let log: Log
    private let isStopped = Mutex(false)

    private init(
        _ assembled: AssembledService, _ httpServer: HTTPServer, _ operatorServer: HTTPServer, _ rpcServer: RPCServer,
        _ foundation: Foundation, _ stopping: StoppingSettings
    ) {
        self.assembled = assembled
        self.stopping = stopping
        self.httpServer = httpServer
        self.operatorServer = operatorServer
        self.rpcServer = rpcServer
        clients = foundation.clients
        peers = foundation.peers
        databases = foundation.databases
        loopCount = foundation.loopCount
        name = foundation.name
        source = Mutex(foundation.source)
        tracer = foundation.tracer
        database = foundation.database
        contexts = foundation.contexts
        keys = foundation.keys
        log = foundation.log
    }

    public var httpPort: UInt16 { httpServer.port }
    public var rpcPort: UInt16 { rpcServer.port }
    public var operatorsPort: UInt16 { operatorServer.port }
    /// The state of the loops.
    var pulse: LoopPulse { assembled.pulse }

    // MARK: Starting

    /// The parts that exist before the service is built.
    struct Foundation: Sendable {
        let database: Database
        let name: String
        let loopCount: Int
        /// What serves people, …
        let publicLoops: EventLoopGroup
        /// … and what serves other services and operators.
        let internalLoops: EventLoopGroup
        let source: JSONValue
        let clients: PeerClients
        let peers: Peers
        let databases: MoreDatabases
        let tracer: Tracer
        let publicTLS: TLSContext?
        let contexts: [TLSContext]
        let keys: ServiceKeys
        let log: Log

        func close(by deadline: Deadline = .after(.seconds(10))) async {
            await clients.close()
            await database.close(deadline: deadline)
        }
    }

    /// Starts a service; returns when it is ready. Waits for its database for as long as it takes. The last `neighbourLoops`
    /// of `loops` serve other services only; with none, all loops serve all. Call on a loop of `loops`; cancelling ends the
    /// waiting. Errors: `ConfigurationError`, `MigrationError`, `StartError`, and those of
    /// `build`.
    public static func start<Definition: ServiceDefinition>(
        _: Definition.Type, _ configuration: ServiceConfiguration<Definition.Settings>, loops: EventLoopGroup,
        neighbourLoops: Int = 0, log: Log
    ) async throws -> RunningService {
        let (context, foundation) = try prepare(
            Definition.self, configuration, loops: loops, neighbourLoops: neighbourLoops, log: log)
        do {
            return try await start(Definition.self, configuration, context, foundation)
        } catch {
            await context.databases.close(by: .after(.seconds(10)))
            await foundation.close()
            throw error
        }
    }

    private static func start<Definition: ServiceDefinition>(
        _: Definition.Type, _ configuration: ServiceConfiguration<Definition.Settings>,
        _ context: ServiceContext<Definition.Settings>, _ foundation: Foundation
    ) async throws -> RunningService {
        let (health, acts) = (KnownHealth(), OperatorActs())
        let operatorServer = try await listening(at: configuration.operators.listen) { endpoint throws(IOError) in
            try await HTTPServer.start(
                at: endpoint,
                router: OperatorRoutes.router(
                    Definition.name, health: health, metrics: context.metrics, acts: acts),
                loops: foundation.internalLoops,
                observer: Observer(log: Observer.silent.log, metrics: context.metrics), listener: "operators")
        }
        do {
            try await SchemaPreparation(
                configuration.database, Definition.migrations, log: context.log, pacing: context.pacing
            ).prepare(context.database)
            let assembled = try await AssembledService.assemble(Definition.self, context)
            health.set(assembled.health)
            acts.set(assembled.acts)
            do {
                return try await listen(
                    Definition.self, assembled, configuration, context, foundation, operatorServer)
            } catch {
                await assembled.stop()
                throw error
            }
        } catch {
            await operatorServer.shutdown(grace: .zero)
            throw error
        }
    }

    /// The context of a service, without having connected to anything.
    static func prepare<Definition: ServiceDefinition>(
        _: Definition.Type, _ configuration: ServiceConfiguration<Definition.Settings>, loops: EventLoopGroup,
        neighbourLoops: Int = 0, log: Log
    ) throws(ConfigurationError) -> (ServiceContext<Definition.Settings>, Foundation) {
        let tls = try configuration.internalListener.tls()
        let publicTLS = try configuration.publicListener.tls()
        let keys = try configuration.keys.load()
        var databaseConfiguration = try configuration.database.configuration(
            application: Definition.name, loops: loops.loops.count)
        let observer = Observer(log: log)
        databaseConfiguration.observer = observer
        databaseConfiguration.keepsPlans = Definition.keepsPlans
        try Definition.check(configuration.settings)
        do throws(SmallFile.Failure) {
            if let file = configuration.tracing?.authorityFile { try SmallFile.check(file) }
        } catch { throw ConfigurationError(error) }
        let clients = PeerClients(configuration.peers, loops: loops, tls: tls.client, observer: observer)
        let database = Database(databaseConfiguration, loops: loops)
        let context = ServiceContext(
            name: Definition.name, settings: configuration.settings, baseURL: configuration.publicListener.baseURL,
            assets: configuration.publicListener.assets, loops: loops, database: database, peers: clients.callers,
            keys: keys, feeds: configuration.feeds, log: log,
            metrics: observer.metrics, tracer: observer.tracer, retentionDays: configuration.retention,
            databaseSettings: configuration.database, cachedTokens: configuration.cachedTokens)
        let publicCount = loops.loops.count - neighbourLoops
        let foundation = Foundation(
            database: database, name: Definition.name, loopCount: loops.loops.count,
            publicLoops: loops.part(0..<publicCount),
            internalLoops: neighbourLoops > 0 ? loops.part(publicCount..<loops.loops.count) : loops,
            source: configuration.source,
            clients: clients, peers: context.peers, databases: context.databases, tracer: observer.tracer,
            publicTLS: publicTLS, contexts: [tls.server, tls.client] + (publicTLS.map { [$0] } ?? []), keys: keys,
            log: log)
        return (context, foundation)
    }

    private static func listen<Definition: ServiceDefinition>(
        _: Definition.Type, _ assembled: AssembledService,
        _ configuration: ServiceConfiguration<Definition.Settings>, _ context: ServiceContext<Definition.Settings>,
        _ foundation: Foundation, _ operatorServer: HTTPServer
    ) async throws -> RunningService {
        let (observer, log, loops) = (context.observer, context.log, context.loops)
        let exporter = try configuration.tracing.map { tracing in
            try SpanExporter(
                tracing, service: Definition.name, instance: "\(configuration.internalListener.listen)",
                loop: loops.loops[0], observer)
        }
        observer.tracer.set(sampling: configuration.tracing?.sampling ?? 0, isExported: exporter != nil)
        let chosen = configuration.publicListener.serverConfiguration
        let rpcServer = try await listening(at: configuration.internalListener.listen) { endpoint throws(IOError) in
            try await RPCServer.start(
                at: endpoint, loops: foundation.internalLoops, tls: foundation.contexts[0], router: assembled.rpc,
                configuration: RPCServerConfiguration(clientNames: clientNames), observer: observer)
        }
        let httpServer: HTTPServer
        do {
            httpServer = try await listening(at: configuration.publicListener.listen) { endpoint throws(IOError) in
                try await HTTPServer.start(
                    at: endpoint, router: assembled.http,
                    configuration: chosen,
                    loops: foundation.publicLoops, tls: foundation.publicTLS, observer: observer)
            }
        } catch {
            await rpcServer.stop(grace: .zero)
            throw error
        }
        warnOfOpenFiles(chosen, log)
        ProcessMetrics.register(in: observer.metrics)
        observer.metrics.gauges("trackme_build_info", "1, with the version of the program.", labels: ["version"]) {
            [([ServiceVersion.current], 1)]
        }
        let certificates =
            [("internal", foundation.contexts[0])] + (foundation.publicTLS.map { [("public", $0)] } ?? [])
        observer.metrics.gauges(
            "trackme_certificate_days_left", "Days until the certificate of a listener ends.", labels: ["listener"]
        ) {
            certificates.compactMap { listener, context in
                context.certificateEnd.map { ([listener], Double(($0 - .now()).milliseconds) / 86_400_000) }
            }
        }
        if let exporter { assembled.tasks.start(exporter.task, on: loops.loops[0]) }
        for pulse in assembled.pulse.tasks { assembled.tasks.start(pulse.task, on: pulse.loop) }
        assembled.tasks.start(assembled.proof.task, on: loops.next())
        assembled.tasks.start(foundation.clients.task(foundation.peers), on: loops.next())
        assembled.tasks.start(certificateWatch(foundation.contexts, context.pacing, log), on: loops.loops[0])
        assembled.start(on: foundation.publicLoops)
        log.info(
            "ready",
            [
                "public": .string("\(configuration.publicListener.listen)"),
                "internal": .string("\(configuration.internalListener.listen)"),
                "operators": .string("\(configuration.operators.listen)"),
                "loops": .integer(Int64(loops.loops.count)), "version": .string(ServiceVersion.current),
            ])
        return RunningService(
            assembled, httpServer, operatorServer, rpcServer, foundation, configuration.stopping)
    }

    private static func warnOfOpenFiles(_ configuration: HTTPServerConfiguration, _ log: Log) {
        let wanted = configuration.connectionsMax
        let served = OpenFiles.connections(wanted: wanted)
        guard served < wanted else { return }
        log.warning(
            "fewer connections than configured: the limit of open files is low",
            [
                "connections_max": .integer(Int64(served)), "wanted": .integer(Int64(wanted)),
                "open_files_max": .integer(Int64(OpenFiles.limit)),
            ])
    }

    /// Reads renewed certificates without a signal.
    private static func certificateWatch(
        _ contexts: [TLSContext], _ pacing: any Pacing, _ log: Log
    ) -> BackgroundTask {
        .periodic("certificates", every: .seconds(60), pacing: pacing) {
            for context in contexts where try context.reloadIfChanged() { log.info("certificate read again") }
        }
    }

    private static func listening<Server>(
        at endpoint: Endpoint, _ start: (Endpoint) async throws(IOError) -> Server
    ) async throws(StartError) -> Server {
        do throws(IOError) { return try await start(endpoint) } catch {
            throw StartError("The service cannot listen at \(endpoint): \(error).")
        }
    }

    // MARK: Running

    /// Applies the members of a new configuration that can change while the service runs, and reads certificates,
    /// passwords and the service's other files again. Members that need a restart are named in the log. A configuration
    /// that cannot be used changes nothing.
    public func reload<Settings>(_ new: ServiceConfiguration<Settings>) async throws(ConfigurationError) {
        let connectionInfo = try new.database.configuration(application: name, loops: loopCount).connectionInfo
        let fieldKeys = try new.keys.fieldKeys()
        try databases.reload(application: name, loops: loopCount)
        if database.configuration.connectionInfo != connectionInfo { database.reconnect(with: connectionInfo) }
        keys.fields.replace(with: fieldKeys)
        log.level = new.log.level
        let change = source.withLock { source in
            defer { source = new.source }
            return ConfigurationChange(from: source, to: new.source)
        }
        var needsRestart = change.needingRestart
        needsRestart += clients.reload(new.peers, peers).map { "peers.\($0)" }
        if let tracing = new.tracing { tracer.set(sampling: tracing.sampling) }
        let limits = new.publicListener.serverConfiguration
        Self.warnOfOpenFiles(limits, log)
        await httpServer.update(limits)
        await reload()
        if !needsRestart.isEmpty {
            log.warning("settings that only a restart takes up", ["settings": .array(needsRestart.map { .string($0) })])
        }
    }

    /// Reads certificates, and what else the service keeps in files, again. What cannot be read stays as it was; that
    /// is logged.
    func reload() async {
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
        log.info("configuration read again", ["failures": .integer(Int64(failures))])
    }

    /// Stops in order: not ready, but serving for a time of grace; then nothing accepted, what is in flight finished, tasks
    /// ended, connections closed. All of it within one budget: what does not end by itself is cancelled. A second call does
    /// nothing. Call on a loop.
    public func stop() async {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        let end = Deadline.after(stopping.total)
        log.info("stopping", ["grace_s": .integer(stopping.grace.components.seconds)])
        assembled.turnUnready()
        httpServer.announceEnd()
        // When the task is cancelled the time of grace is skipped.
        try? await EventLoop.current?.sleep(for: stopping.grace)
        assembled.prepareToStop()
        let drained = end.advanced(by: stopping.total * -1 / Self.closingShare)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [httpServer] in await httpServer.shutdown(grace: drained.remaining) }
            group.addTask { [rpcServer] in await rpcServer.stop(grace: drained.remaining) }
        }
        await assembled.stop(by: end)
        await clients.close()
        await database.close(deadline: end)
        await operatorServer.shutdown(grace: .milliseconds(100))
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

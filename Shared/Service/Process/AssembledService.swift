import Contracts
public import HTTP
import Postgres
public import RPC
public import Reactor

/// An assembled service, whether it listens or not: a process runs it, tests call it.
public struct AssembledService: Sendable {
    /// The public routes.
    public let http: HTTPRouter
    /// The same as they were declared.
    public let routes: [DeclaredRoute]
    /// The document that says what they take and answer.
    public let openAPI: [UInt8]
    /// Those of the operators' listener.
    public var operators: HTTPRouter {
        OperatorRoutes.router(
            name, health: KnownHealth(health), metrics: metrics, acts: OperatorActs(acts))
    }
    /// Those of them that are the service's own, …
    let acts: HTTPRouter
    /// … as they were declared, …
    public let actRoutes: [DeclaredRoute]
    /// … and the document about them; `nil` of a service that has none.
    public let operatorsOpenAPI: [UInt8]?
    public let rpc: RPCRouter
    public let metrics: Metrics
    /// As in the configuration.
    public let name: String
    let health: Health
    let pulse: LoopPulse
    let proof: WriteProof
    let tasks: BackgroundTasks
    let parts: ServiceParts
    private let loops: EventLoopGroup
    private let databases: MoreDatabases

    /// Builds the service's parts on a database that is at the service's version. Call on a loop.
    public static func assemble<Definition: ServiceDefinition>(
        _ definition: Definition.Type, _ context: ServiceContext<Definition.Settings>
    ) async throws -> AssembledService {
        let parts = try await Definition.build(context)
        for step in parts.beforeServing { try await step() }
        return try assemble(definition, parts, context)
    }

    /// The same of parts that were built from the context already.
    public static func assemble<Definition: ServiceDefinition>(
        _: Definition.Type, _ built: ServiceParts, _ context: ServiceContext<Definition.Settings>
    ) throws -> AssembledService {
        var parts = built
        if context.peers.contains(ServiceName.accounts.rawValue) {
            let accounts = context.peers[ServiceName.accounts.rawValue]
            parts.tasks.append(
                BackgroundTask("revocations") {
                    await RevocationFeed(
                        accounts: accounts, revocations: context.revocations, observer: context.observer
                    ).follow()
                })
        }
        let retention = try Retention(
            parts.retention, days: context.retentionDays, clock: context.clock, database: context.database)
        if !parts.retention.isEmpty { parts.tasks.append(retention.task(pacing: context.pacing)) }
        let proof = WriteProof(context.database, context.observer)
        let pulse = LoopPulse(context.loops, context.metrics)
        let health = Health(
            database: context.database, isNeeded: parts.needsDatabase, proof: proof, pulse: pulse, peers: context.peers,
            checks: parts.readiness)
        let noRoutes = ServiceRoutes(
            authentication: parts.authentication ?? Authentication(context.authenticator),
            withholding: context.withholding, observer: context.observer)
        var (routes, acts) = (noRoutes, noRoutes)
        let document = KeptDocument(Definition.openAPI)
        for path in ["/openapi.json", "/\(Definition.name)/openapi.json"] {
            routes.on(.get, path, access: .anyone, query: .ignored) { request in document.response(to: request) }
        }
        for add in parts.routes { add(&routes) }
        if let own = parts.operatorRoutes {
            let document = KeptDocument(own.document)
            acts.on(
                .get, "\(OperatorRoutes.prefix(Definition.name))/openapi.json", access: .anyone, query: .ignored
            ) { request in document.response(to: request) }
            own.add(&acts)
        }
        let (database, more) = (context.database, context.databases)
        context.metrics.gauges(
            "trackme_database_connections", "Open connections to the database.", labels: ["schema"]
        ) {
            var counts = [([database.configuration.searchPath.first ?? ""], Double(await database.connectionCount))]
            for (schema, other) in more.all { counts.append(([schema], Double(await other.connectionCount))) }
            return counts
        }
        return AssembledService(
            http: routes.router, routes: routes.declared, openAPI: Definition.openAPI, acts: acts.router,
            actRoutes: acts.declared, operatorsOpenAPI: parts.operatorRoutes?.document,
            rpc: parts.rpc, metrics: context.metrics, name: Definition.name, health: health, pulse: pulse, proof: proof,
            tasks: BackgroundTasks(log: context.log, metrics: context.metrics, pacing: context.pacing), parts: parts,
            loops: context.loops, databases: context.databases)
    }

    /// Starts the background tasks, on these loops if not on all, and is ready.
    public func start(on some: EventLoopGroup? = nil) {
        for task in parts.tasks { tasks.start(task, on: (some ?? loops).next()) }
        health.enter(.ready)
    }

    /// Answers that it is not ready from now on.
    func turnUnready() { health.enter(.stopping) }

    /// Ends what waits for news, so that all answers come soon.
    func prepareToStop() {
        turnUnready()
        for end in parts.atStopping { end() }
    }

    /// Ends the background tasks and closes what the service opened, by `deadline` if the tasks end when cancelled. A
    /// second call does nothing.
    public func stop(by deadline: Deadline = .after(.seconds(10))) async {
        prepareToStop()
        await tasks.stop(within: deadline.remaining)
        for close in parts.atStop { await close() }
        await databases.close(by: deadline)
    }
}

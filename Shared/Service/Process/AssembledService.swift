import Contracts
public import HTTP
import Postgres
public import RPC
import Reactor

/// A service put together, whether it listens or not: what a process runs and what tests call.
public struct AssembledService: Sendable {
    /// All HTTP routes, those for operators included.
    public let http: HTTPRouter
    /// The same as they were declared.
    public let routes: [DeclaredRoute]
    public let rpc: RPCRouter
    public let metrics: Metrics
    let health: Health
    let tasks: BackgroundTasks
    let parts: ServiceParts
    private let loops: EventLoopGroup
    private let databases: MoreDatabases

    /// Builds the service's parts on a database that is at the service's version. Call on a loop.
    public static func assemble<Definition: ServiceDefinition>(
        _: Definition.Type, _ context: ServiceContext<Definition.Settings>
    ) async throws -> AssembledService {
        var parts = try await Definition.build(context)
        if context.peers.contains(ServiceName.accounts.rawValue) {
            let accounts = context.peers[ServiceName.accounts.rawValue]
            parts.tasks.append(
                RevocationFeed(accounts: accounts, revocations: context.revocations, observer: context.observer).task)
        }
        let health = Health(database: context.database, peers: context.peers, checks: parts.readiness)
        var routes = ServiceRoutes(
            authentication: parts.authentication ?? Authentication(context.authenticator), log: context.log)
        StandardRoutes.add(
            to: &routes, name: Definition.name, openAPI: Definition.openAPI, health: health, metrics: context.metrics)
        for add in parts.routes { add(&routes) }
        let database = context.database
        context.metrics.gauge("trackme_database_connections", "Open connections to the database.") {
            Double(await database.connectionCount)
        }
        return AssembledService(
            http: routes.router, routes: routes.declared, rpc: parts.rpc, metrics: context.metrics, health: health,
            tasks: BackgroundTasks(log: context.log, metrics: context.metrics, pacing: context.pacing), parts: parts,
            loops: context.loops, databases: context.databases)
    }

    /// Starts the background tasks and is ready.
    public func start() {
        for task in parts.tasks { tasks.start(task, on: loops.next()) }
        health.enter(.ready)
    }

    /// Answers that it is not ready from now on.
    func prepareToStop() {
        health.enter(.stopping)
        for end in parts.atStopping { end() }
    }

    /// Ends the background tasks and closes what the service opened. A second call does nothing.
    public func stop() async {
        prepareToStop()
        await tasks.stop()
        for close in parts.atStop { await close() }
        await databases.close()
    }
}

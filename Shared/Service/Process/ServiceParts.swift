public import Feed
public import RPC

/// What a service consists of once it is built.
public struct ServiceParts: Sendable {
    /// Methods for the other services.
    public var rpc = RPCRouter()
    /// In place of the context's authenticator, which asks accounts for keys: accounts' own.
    public var authentication: Authentication?
    /// Started when the service is ready, cancelled and joined when it stops.
    public var tasks: [BackgroundTask] = []
    /// Done once the service is built, before it listens.
    public var beforeServing: [@Sendable () async throws -> Void] = []
    /// The rules by which old rows are deleted.
    public var retention: [RetentionRule] = []
    /// Further conditions of `/readyz`.
    public var readiness: [ReadinessCheck] = []
    /// Whether the service can answer nothing without its database. One whose alarms go on without it says no: it stays
    /// ready, and shows the failure.
    public var needsDatabase = true
    /// Called when the operator asks for files to be read again (SIGHUP).
    public var atReload: [@Sendable () async throws -> Void] = []
    /// Called when stopping begins, while requests in progress are still answered: ends waits for news, such as long
    /// polls. It may be called more than once.
    public var atStopping: [@Sendable () -> Void] = []
    /// Called at the end, when nothing is being answered any more and the tasks have ended, before the databases close.
    public var atStop: [@Sendable () async -> Void] = []
    private(set) var routes: [@Sendable (inout ServiceRoutes) -> Void] = []
    private(set) var operatorRoutes: OperatorRoutes.Own?

    public init() {}

    /// Serves the producer's feeds, looks after their tables, and answers waiting polls when the service stops.
    public mutating func publish(_ producer: FeedProducer) {
        producer.register(in: &rpc)
        tasks.append(BackgroundTask("feeds") { await producer.run() })
        atStopping.append { producer.stopWaiting() }
    }

    /// Adds HTTP routes; can be called several times, so that each capability adds its own.
    public mutating func http(_ add: @escaping @Sendable (inout ServiceRoutes) -> Void) { routes.append(add) }

    /// The service's own routes on the operators' listener, all of which lie below `OperatorRoutes.prefix`, and the OpenAPI document
    /// that says what they take and answer, as JSON. Call it once at most.
    public mutating func operators(
        document: [UInt8], _ add: @escaping @Sendable (inout ServiceRoutes) -> Void
    ) {
        precondition(operatorRoutes == nil, "a service has one document about its routes for operators")
        operatorRoutes = OperatorRoutes.Own(document: document, add: add)
    }
}

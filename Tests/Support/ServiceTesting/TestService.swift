public import HTTP
public import Postgres
public import PostgresTesting
import Primitives
public import RPC
public import Reactor
public import Service

/// A service in process, without sockets: its router, its RPC methods, a database schema of its own, and neighbours in
/// memory.
///
/// ```swift
/// try await TestService<AccountsService>.with(settings: settings) { service in
///     let response = try await service.call(.get, "/accounts/v1/terms")
/// }
/// ```
public struct TestService<Definition: ServiceDefinition>: Sendable {
    public let assembled: AssembledService
    public let context: ServiceContext<Definition.Settings>
    public let database: Database
    public let loops: EventLoopGroup
    public let tokens: TestTokens
    public let clock: TestClock
    public let pacing: ManualPacing
    public let revocations: Revocations
    public let log: MemoryLogSink

    /// Builds the service, runs `body`, stops it. Unless `peers` names accounts, one that only publishes the keys of
    /// `tokens` takes its place. Background tasks run only after `start()`. A test that wants the parts at hand, or other
    /// ones, builds them itself.
    public static func with<R: Sendable>(
        settings: Definition.Settings, peers: [String: any RPCCaller] = [:], databases: [String: Database] = [:],
        clock: TestClock = TestClock(), tokens given: TestTokens? = nil, keys: ServiceKeys? = nil,
        retention: [String: Int] = [:], accountsHeard ahead: Duration = .seconds(3600),
        building build: @escaping @Sendable (ServiceContext<Definition.Settings>) async throws -> ServiceParts = {
            try await Definition.build($0)
        },
        _ body: @escaping @Sendable (TestService) async throws -> R
    ) async throws -> R {
        try await TestDatabase.with { test in
            let tokens = given ?? TestTokens(clock: clock)
            var peers = peers
            if peers["accounts"] == nil {
                var router = RPCRouter()
                tokens.register(in: &router)
                peers["accounts"] = LocalCaller(router: router, as: Definition.name)
            }
            try await Migrations(schema: test.schema, Definition.migrations).run(on: test.database)
            try await test.addAudit()
            let (sink, pacing, revocations) = (MemoryLogSink(), ManualPacing(), Revocations())
            // As if the feed of revocations were read all the time; not since then when it is negative.
            revocations.heard(at: .after(ahead))
            let context = ServiceContext(
                name: Definition.name, settings: settings, baseURL: "http://127.0.0.1:8100", assets: "/assets/0",
                loops: test.loops,
                database: test.database, peers: peers, keys: try keys ?? .random(),
                log: Log(service: Definition.name, level: .debug, sink: sink, clock: clock), clock: clock,
                pacing: pacing,
                revocations: revocations, retentionDays: retention, databases: databases)
            let service = TestService(
                assembled: try AssembledService.assemble(Definition.self, try await build(context), context),
                context: context,
                database: test.database, loops: test.loops, tokens: tokens, clock: clock, pacing: pacing,
                revocations: revocations, log: sink)
            let outcome: Result<R, any Error>
            do { outcome = .success(try await body(service)) } catch { outcome = .failure(error) }
            await service.assembled.stop()
            return try outcome.get()
        }
    }

    /// Its audit trail.
    public func auditLines() async throws -> [AuditTables.Line] {
        try await AuditTables.lines(beside: database.configuration.searchPath.first ?? "", in: database)
    }

    /// Starts the background tasks; the service is ready then.
    public func start() { assembled.start() }

    /// Sends a request through the router; an exchange that the service's OpenAPI document does not say is an error of the test
    /// (NFR-09). A body without a content type is JSON. A streamed answer is checked, too, when `collects` is given; it is in
    /// memory then.
    public func call(
        _ method: HTTPMethod, _ target: String, token: String? = nil, fields: HTTPFields = [:], body: [UInt8] = [],
        collects: Bool = false
    ) async throws -> HTTPResponse {
        var fields = fields
        if let token { fields["Authorization"] = "Bearer \(token)" }
        if !body.isEmpty, !fields.contains("content-type") { fields["Content-Type"] = "application/json" }
        let request = try HTTPRequest(method, target, fields: fields, body: body)
        return try await assembled.answer(request, collects: collects)
    }

    /// Asks its operators' listener.
    public func ask(_ path: String) async throws -> HTTPResponse { try await ask(.get, path) }

    /// The same with another method. A body without a content type is JSON. An exchange with the service's own routes there that the
    /// document about them does not say is an error of the test (NFR-09).
    public func ask(
        _ method: HTTPMethod, _ path: String, fields: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> HTTPResponse {
        var fields = fields
        if !body.isEmpty, !fields.contains("content-type") { fields["Content-Type"] = "application/json" }
        return try await assembled.operatorsAnswer(try HTTPRequest(method, path, fields: fields, body: body))
    }

    /// Calls its RPC methods as the service `caller`.
    public func rpc(as caller: String) -> LocalCaller { LocalCaller(router: assembled.rpc, as: caller) }
}

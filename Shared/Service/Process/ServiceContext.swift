import Contracts
public import Feed
public import Postgres
public import Primitives
public import RPC
public import Reactor

/// What a service is built from. Tests make one with a test database and in-memory neighbours.
public struct ServiceContext<Settings: Sendable>: Sendable {
    public let name: String
    public let settings: Settings
    /// The address that people reach the service at, without a slash at its end.
    public let baseURL: String
    /// The path below which the static files of the pages are, without a slash at its end; without it a service has no pages.
    public let assets: String?
    public let loops: EventLoopGroup
    /// The service's own schema, at the version of its migrations.
    public let database: Database
    public let peers: Peers
    public let keys: ServiceKeys
    /// For whom and how long the service's feeds are kept.
    public let feeds: [String: FeedRetention]
    public let log: Log
    public let metrics: Metrics
    public let tracer: Tracer
    public let unreadable: UnreadableRows
    public let clock: any WallClock
    public let pacing: any Pacing
    public let revocations: Revocations
    public let withholding = Withholding()
    /// What checks tokens while accounts cannot be reached; `ServiceParts.keep` makes it survive a restart.
    public let tokenTrust: TokenTrust
    /// Checks tokens with the keys that accounts publishes.
    public let authenticator: Authenticator
    /// Days that the configuration gives retention rules, by name.
    let retentionDays: [String: Int]
    let databases: MoreDatabases
    /// Of the service's own schema; `nil` where a test has made the context.
    let databaseSettings: DatabaseSettings?

    /// `databases` are those that `openDatabase` finds instead of connecting, by schema.
    public init(
        name: String, settings: Settings, baseURL: String, assets: String? = nil, loops: EventLoopGroup,
        database: Database,
        peers: [String: any RPCCaller], keys: ServiceKeys, feeds: [String: FeedRetention] = [:], log: Log,
        metrics: Metrics = Metrics(),
        tracer: Tracer = Tracer(), clock: any WallClock = SystemClock(), pacing: any Pacing = LoopPacing(),
        revocations: Revocations = Revocations(), retentionDays: [String: Int] = [:],
        databases: [String: Database] = [:], databaseSettings: DatabaseSettings? = nil,
        cachedTokens: Int = Authenticator.tokensMaxDefault
    ) {
        self.name = name
        self.settings = settings
        self.baseURL = baseURL
        self.assets = assets
        self.loops = loops
        self.database = database
        self.peers = Peers(peers, metrics: metrics)
        self.keys = keys
        self.feeds = feeds
        self.log = log
        self.metrics = metrics
        self.tracer = tracer
        unreadable = UnreadableRows(log: log, metrics: metrics)
        self.clock = clock
        self.pacing = pacing
        self.revocations = revocations
        let keySource = RemoteKeySource(self.peers[ServiceName.accounts.rawValue])
        tokenTrust = TokenTrust(revocations, keys: keySource, clock: clock)
        authenticator = Authenticator(
            keys: keySource, revocations: revocations, trust: tokenTrust, clock: clock,
            tokensMax: cachedTokens, metrics: metrics)
        self.retentionDays = retentionDays
        self.databases = MoreDatabases(given: databases)
        self.databaseSettings = databaseSettings
    }

    /// The observer for the service's parts.
    public var observer: Observer { Observer(log: log, metrics: metrics, tracer: tracer) }

    /// For how many days a retention rule keeps rows.
    public func keptDays(_ rule: String, usually days: Int) -> Int { retentionDays[rule] ?? days }

    /// A further database that the settings name (the key store, say), at the version of `migrations`. Waits until it
    /// is there; it is closed when the service stops.
    public func openDatabase(_ settings: DatabaseSettings, migrations: [Migration]) async throws -> Database {
        if let given = databases.given(settings.schema) {
            try await Migrations(schema: settings.schema, migrations).run(on: given)
            return given
        }
        let database = try connect(to: settings)
        try await SchemaPreparation(settings, migrations, log: log, pacing: pacing).prepare(database)
        return database
    }
}

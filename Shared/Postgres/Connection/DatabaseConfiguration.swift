public import Reactor
public import Telemetry

/// How to reach the database and how much of it to use.
public struct DatabaseConfiguration: Sendable {
    /// libpq's connection string: keywords and values, or a URI. Several hosts are tried in order; then, unless it says
    /// otherwise, only one that accepts writes will do (`target_session_attrs=read-write`).
    public var connectionInfo: String
    /// The schemas that names without a schema are looked for in. Empty: such names are found nowhere (but in `pg_catalog`).
    public var searchPath: [String]
    /// Shown in `pg_stat_activity`.
    public var applicationName: String

    public var connectionsPerLoopMax = 8
    /// Callers that wait for a connection, per loop; more are told `overloaded`.
    public var waitersPerLoopMax = 1024
    /// How long a call may take, waiting for a connection included, when it gives no deadline of its own.
    public var queryTime: Duration = .seconds(30)
    /// The server ends a statement that runs longer (`statement_timeout`); `nil` for no such limit.
    public var statementTime: Duration? = .seconds(60)
    /// The server ends a session that leaves a transaction open for so long without a statement, and with it the session's
    /// locks (`idle_in_transaction_session_timeout`); `nil` for no such limit.
    public var idleInTransactionTime: Duration? = .seconds(30)
    /// For one host: name resolution; and again for TLS and log-in.
    public var connectTime: Duration = .seconds(5)
    /// How long a request (`RequestScope`) waits for a connection while no server can be reached, if its deadline is not earlier: it is
    /// answered within 3 s (NFR-02a). Other work waits until its deadline.
    public var unreachableTime: Duration = .milliseconds(2500)
    /// How long a connection may take to be idle again after its statement was cancelled; then it is closed.
    public var cancelTime: Duration = .seconds(2)
    /// How long a commit, which is never cancelled, is waited for; then its outcome is unknown.
    public var commitTime: Duration = .seconds(30)
    /// A connection without work for so long is closed.
    public var idleTime: Duration = .seconds(60)
    /// A connection is replaced at this age (up to a tenth earlier, so that they do not all go at once).
    public var lifetime: Duration = .seconds(3600)
    /// The pauses after attempts to connect that found no server, or one that is starting. A server that answers and
    /// refuses is asked eight times less often.
    public var reconnect = BackOff(max: .milliseconds(250))
    /// Prepared statements kept per connection; the one unused for longest makes room.
    public var statementsMax = 256
    /// Prepared statements have one plan, for any values (`plan_cache_mode`). Otherwise the server plans anew for each call
    /// whenever it expects that to be cheaper, which it does for statements over few values of a list, although planning may
    /// take six times as long as the statement itself. For schemas whose statements have the same good plan for all values.
    public var keepsPlans = false
    /// Asked when a statement was refused since what it names is not there (`SQLState.namesNothing`): true when that has moved
    /// and calls lead there by now (`Database.lead`). Such a statement, or transaction, is run once more.
    public var whenMissing: (@Sendable () async -> Bool)?
    /// Told of the server's warnings and notices, and of the pools.
    public var observer = Observer.silent

    public init(connectionInfo: String, searchPath: [String], applicationName: String) {
        self.connectionInfo = connectionInfo
        self.searchPath = searchPath
        self.applicationName = applicationName
    }
}

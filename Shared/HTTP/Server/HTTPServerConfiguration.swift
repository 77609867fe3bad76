import Reactor

/// The limits and timeouts of a server.
public struct HTTPServerConfiguration: Sendable {
    public var limits = HTTPLimits()
    public var timeouts = Timeouts()
    /// Connections at the same time; those beyond get 503.
    public var connectionsMax = 16_000
    /// Requests being answered at the same time, on all loops; those beyond get 503.
    public var requestsInFlightMax = 4096
    /// The same of one network (`SocketAddress.network`): connections beyond are closed after 429, requests get 429. Of
    /// connections through trusted proxies only the requests count. This machine's own clients are not counted.
    public var connectionsPerNetworkMax = 4000
    public var requestsPerNetworkMax = 1024
    public var trustedProxies = TrustedProxies()
    /// Bytes of buffered bodies that are held at the same time, on all loops, beyond the first `freeBodyBytes` of each:
    /// a request that would need more gets 503.
    public var bufferedBodyBytesMax = 256 << 20
    /// The share of one account in them, and that of one network (`SocketAddress.network`); this machine's own clients have
    /// no other limit than all together. A request that would need more gets 429.
    public var bufferedBodyBytesPerAccountMax = 32 << 20
    public var bufferedBodyBytesPerNetworkMax = 64 << 20
    /// What each body may hold without counting, so that small requests get through while large ones are refused.
    public static let freeBodyBytes = 16 * 1024
    /// Sends `Strict-Transport-Security`; for servers that are reached through HTTPS only.
    public var isHTTPSOnly = false

    /// How long the server waits.
    public struct Timeouts: Sendable {
        /// From the first byte of a head to its end: 408.
        public var head: Duration = .seconds(10)
        /// Between requests on a connection.
        public var idle: Duration = .seconds(75)
        /// What a body's sender may wait in all, beside `bodyBytesPerSecondMin`: 408.
        public var body: Duration = .seconds(10)
        public var bodyBytesPerSecondMin = 500
        /// What the sender of a buffered body may wait in all, however many bytes come: 408.
        public var bufferedBodyMax: Duration = .seconds(600)
        /// While the client takes nothing of a response.
        public var writeStall: Duration = .seconds(30)
        /// For a handler, unless its route says otherwise, from when it has its buffered body: 503.
        public var handler: Duration = .seconds(10)
        /// From the cancellation of a handler to giving its connection up.
        public var handlerGrace: Duration = .seconds(5)
        /// For a client to read a last answer to a request that was not read in full.
        public var linger: Duration = .seconds(2)

        public init() {}
    }

    public init() {}
}

public import Reactor

/// Where a service is and how it is called.
public struct RPCClientConfiguration: Sendable {
    /// The service's name, which its certificate must carry.
    public var service: String
    /// Its replicas.
    public var endpoints: [Endpoint]
    /// For a call that names no deadline.
    public var callTimeout = Duration.seconds(3)
    /// For name resolution, TCP and TLS together.
    public var connectTimeout = Duration.seconds(1)
    /// Calls under way on one connection, without long polls; further ones fail with `overloaded`. Together with the long
    /// polls fewer than the server serves at a time.
    public var callsPerConnectionMax = 256
    /// Long polls under way on one connection; counted apart, so that however many wait, other calls go through.
    public var longPollsPerConnectionMax = 512
    /// One request; no more than the server takes.
    public var requestBytesMax = 4 << 20
    public var answerBytesMax = 16 << 20
    public var depthMax = 32
    /// Requests that the server has not taken yet; with more, calls fail with `overloaded`.
    public var backlogBytesMax = 8 << 20
    /// While the server takes nothing of what is sent.
    public var writeTimeout = Duration.seconds(10)
    /// A connection without calls for this long is closed; less than the server's own limit.
    public var idleTimeout = Duration.seconds(300)
    /// How long an address rests after it failed; ten times longer at most when its server refuses this client.
    public var reconnect = BackOff(max: .milliseconds(200))
    public var retries = RetryPolicy()

    public init(service: String, endpoints: [Endpoint]) {
        self.service = service
        self.endpoints = endpoints
    }
}

/// The limits of an RPC server and what it calls its clients.
public struct RPCServerConfiguration: Sendable {
    /// The services that may call, by the names in their certificates. A certificate without any of these is refused.
    public var clientNames: Set<String>
    /// The name of whoever connects without TLS, which only loopback and unix sockets allow; `nil` refuses plain TCP.
    public var plainClientName: String?
    public var deadlines = DeadlinePolicy()
    /// One request or batch, without its line feed.
    public var frameBytesMax = 4 << 20
    /// One answer; a larger one becomes an error.
    public var answerBytesMax = 16 << 20
    /// Objects and arrays within one another.
    public var depthMax = 32
    public var batchCountMax = 64
    /// Calls of one connection that run at the same time; further ones are answered `overloaded`. More than clients have
    /// under way, since a call that they gave up runs until its handler has returned.
    public var callsPerConnectionMax = 1024
    /// Calls of all connections that run at the same time; further ones are answered `overloaded`.
    public var callsMax = 4096
    public var connectionsMax = 1024
    /// Time for one frame to arrive whole.
    public var frameTimeout = Duration.seconds(10)
    /// After this long without a call, a connection is closed; more than clients keep an idle one (5 min).
    public var idleTimeout = Duration.seconds(900)
    /// While the peer takes nothing of what is sent.
    public var writeTimeout = Duration.seconds(10)
    /// While the peer leaves more answers than this unread, no more requests are read.
    public var backlogBytesMax = 1 << 20
    /// How long calls may go on whose client has ended its side of the connection.
    public var orphanTimeout = Duration.milliseconds(250)
    /// After a goodbye, a connection without calls for this long is closed.
    public var goodbyeQuiet = Duration.milliseconds(200)
    /// How long the end of a connection waits for the peer's, so that the last answer is not lost.
    public var lingerTimeout = Duration.seconds(1)

    public init(clientNames: Set<String>, plainClientName: String? = nil) {
        self.clientNames = clientNames
        self.plainClientName = plainClientName
    }
}

import Glibc

/// How soon a TCP peer that vanished without a word (no power, a lost NAT entry) is noticed (RFC 9293 §3.8.3, §3.8.4).
public struct TCPKeepAlive: Sendable, Hashable {
    /// Silence before the first probe, in whole seconds.
    public var idleSeconds: Int32
    /// From one probe to the next.
    public var intervalSeconds: Int32
    /// Probes without an answer after which the connection is lost.
    public var probesMax: Int32
    /// How long what was sent may stay unacknowledged, in silence as well; 0 leaves it to the kernel (about 15 minutes).
    public var unacknowledgedMillisecondsMax: Int32

    public init(
        idleSeconds: Int32, intervalSeconds: Int32, probesMax: Int32, unacknowledgedMillisecondsMax: Int32 = 0
    ) {
        self.idleSeconds = idleSeconds
        self.intervalSeconds = intervalSeconds
        self.probesMax = probesMax
        self.unacknowledgedMillisecondsMax = unacknowledgedMillisecondsMax
    }

    /// Two minutes of silence: for clients, on networks of any kind.
    public static let patient = TCPKeepAlive(idleSeconds: 60, intervalSeconds: 15, probesMax: 4)
    /// About five seconds: between the machines of one deployment.
    public static let prompt = TCPKeepAlive(
        idleSeconds: 2, intervalSeconds: 1, probesMax: 3, unacknowledgedMillisecondsMax: 5000)

    /// Sets the options of a connected TCP socket, which may be another library's.
    public func apply(to descriptor: Int32) {
        Socket.set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        Socket.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, idleSeconds)
        Socket.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, intervalSeconds)
        Socket.set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, probesMax)
        if unacknowledgedMillisecondsMax > 0 {
            Socket.set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, unacknowledgedMillisecondsMax)
        }
    }
}

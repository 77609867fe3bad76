public import Reactor

/// Who is at the other end of a connection.
public final class HTTPPeer: Sendable {
    /// The address that the connection comes from; `nil` outside a server.
    public let address: SocketAddress?
    /// The names of a verified client certificate.
    public let identity: PeerIdentity?

    init(address: SocketAddress?, identity: PeerIdentity?) {
        self.address = address
        self.identity = identity
    }
}

public import Reactor

/// The other end of a connection, and the proxies that are trusted there.
public final class HTTPPeer: Sendable {
    /// The address that the connection comes from; `nil` outside a server.
    public let address: SocketAddress?
    /// The names of a verified client certificate.
    public let identity: PeerIdentity?
    let trustedProxies: TrustedProxies
    let isTrustedProxy: Bool
    /// The network that the peer's shares are counted by; `nil` for this machine and for trusted proxies, whose
    /// requests name their client.
    let network: [UInt8]?

    init(address: SocketAddress?, identity: PeerIdentity?, trustedProxies: TrustedProxies) {
        self.address = address
        self.identity = identity
        self.trustedProxies = trustedProxies
        isTrustedProxy = address.map { trustedProxies.contain($0) } ?? false
        network = isTrustedProxy ? nil : address?.countedNetwork
    }
}

/// The proxies whose `X-Forwarded-For` is trusted.
public struct TrustedProxies: Sendable {
    public var ranges: [AddressRange]
    /// Whether peers on a unix socket are proxies.
    public var includesUnixSockets: Bool

    public init(ranges: [AddressRange] = [], includesUnixSockets: Bool = false) {
        self.ranges = ranges
        self.includesUnixSockets = includesUnixSockets
    }

    func contain(_ address: SocketAddress) -> Bool {
        address.family == .unix ? includesUnixSockets : ranges.contains { $0.contains(address) }
    }

    /// The client behind `peer`: from the right, the first forwarded address that is not a trusted proxy's. What stands
    /// left of it may be invented. An unreadable entry ends the search.
    func client(behind peer: SocketAddress, forwardedFor values: [String]) -> SocketAddress {
        var client = peer
        let entries = values.joined(separator: ",").utf8.split(separator: UInt8(ascii: ",")).suffix(32)
        for entry in entries.reversed() {
            guard contain(client) else { break }
            let text = String(decoding: entry.filter { $0 != Octets.space && $0 != Octets.tab }, as: UTF8.self)
            guard let address = SocketAddress(numeric: text, port: 0) else { break }
            client = address
        }
        return client
    }
}

extension SocketAddress {
    /// The network that shares are counted by; `nil` for this machine's own addresses.
    var countedNetwork: [UInt8]? { isLoopback ? nil : network }
}

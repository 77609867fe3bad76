import Reactor

/// Which addresses a call out may go to: only public unicast ones, so that a hook cannot be pointed at this network
/// (IANA special-purpose address registries, RFC 6890).
enum AddressPolicy {
    private static let refused4 = ranges([
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ])
    /// Of IPv6 only 2000::/3 is global unicast; inside it these are protocols, documentation, and IPv4 in disguise.
    private static let global6 = ranges(["2000::/3"])
    private static let refused6 = ranges(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"])

    static func isPublic(_ address: SocketAddress) -> Bool {
        guard address.family != .unix else { return false }
        let bytes = address.unmappedBytes
        if bytes.count == 4 { return !refused4.contains { $0.contains(bytes) } }
        return global6.contains { $0.contains(bytes) } && !refused6.contains { $0.contains(bytes) }
    }

    private static func ranges(_ texts: [String]) -> [AddressRange] {
        texts.map { text in
            guard let range = AddressRange(text) else { preconditionFailure("not an address range: \(text)") }
            return range
        }
    }
}

extension HTTPURL {
    /// Whether the host is `localhost` or an address, no name, that is not public. Where a name leads is known when it is called.
    public var namesPrivateAddress: Bool {
        host == "localhost" || SocketAddress(numeric: host, port: port).map { !AddressPolicy.isPublic($0) } ?? false
    }
}

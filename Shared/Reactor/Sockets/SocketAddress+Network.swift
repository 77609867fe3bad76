extension SocketAddress {
    /// The address's bytes; of an IPv4 address inside IPv6 (`::ffff:a.b.c.d`) those of the IPv4 address.
    public var unmappedBytes: [UInt8] {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
        return family == .ipv6 && bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }

    /// This machine itself: 127.0.0.0/8, ::1, or a unix socket.
    public var isLoopback: Bool {
        if family == .unix { return true }
        let plain = unmappedBytes
        return plain.count == 4 ? plain[0] == 127 : plain.dropLast().allSatisfy { $0 == 0 } && plain.last == 1
    }

    /// What tells one client from others: an IPv4 address, or the first 64 bits of an IPv6 address, which one network
    /// has. An IPv4 address inside IPv6 counts as IPv4. Empty for addresses that are of no network.
    public var network: [UInt8] { prefix(bytes4: 4, bytes6: 8) }

    /// What one site or one customer with many networks has: 24 bits of IPv4, or 48 of IPv6 (RFC 6177).
    public var site: [UInt8] { prefix(bytes4: 3, bytes6: 6) }

    /// What belongs to one provider: 16 bits of IPv4, or 32 of IPv6.
    public var providerBlock: [UInt8] { prefix(bytes4: 2, bytes6: 4) }

    private func prefix(bytes4: Int, bytes6: Int) -> [UInt8] {
        if family == .unix { return [] }
        let plain = unmappedBytes
        return Array(plain.prefix(plain.count == 16 ? bytes6 : bytes4))
    }
}

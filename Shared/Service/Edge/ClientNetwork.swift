public import Reactor

extension SocketAddress {
    /// What tells one client from others: an IPv4 address, or the first 64 bits of an IPv6 address, which one network
    /// has. An IPv4 address inside IPv6 counts as IPv4. Empty for addresses that are of no network.
    public var network: [UInt8] { prefix(bytes4: 4, bytes6: 8) }

    /// What one site or one customer with many networks has: 24 bits of IPv4, or 48 of IPv6 (RFC 6177).
    public var site: [UInt8] { prefix(bytes4: 3, bytes6: 6) }

    /// What belongs to one provider: 16 bits of IPv4, or 32 of IPv6.
    public var providerBlock: [UInt8] { prefix(bytes4: 2, bytes6: 4) }

    /// Whether it is of the machine that this runs on.
    public var isThisMachine: Bool {
        let plain = unmapped
        switch plain.count {
        case 4: return plain[0] == 127
        case 16: return plain.dropLast().allSatisfy { $0 == 0 } && plain[15] == 1
        default: return true
        }
    }

    private func prefix(bytes4: Int, bytes6: Int) -> [UInt8] {
        let plain = unmapped
        return Array(plain.prefix(plain.count == 16 ? bytes6 : bytes4))
    }

    private var unmapped: [UInt8] {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
        return bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }
}

import Reactor

extension SocketAddress {
    /// What tells one client from others: an IPv4 address, or the first 64 bits of an IPv6 address, which one customer
    /// has. An IPv4 address inside IPv6 counts as IPv4.
    var network: [UInt8] {
        let plain = Self.unmapped(bytes)
        return plain.count == 16 ? Array(plain.prefix(8)) : plain
    }

    /// Whether it is of the machine that this runs on.
    var isThisMachine: Bool {
        let plain = Self.unmapped(bytes)
        switch plain.count {
        case 4: return plain[0] == 127
        case 16: return plain.dropLast().allSatisfy { $0 == 0 } && plain[15] == 1
        default: return true
        }
    }

    private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
        return bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }
}

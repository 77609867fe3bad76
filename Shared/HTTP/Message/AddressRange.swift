public import Reactor

/// A block of addresses in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`; a plain address is a block of one.
public struct AddressRange: Sendable, Hashable, LosslessStringConvertible {
    private let prefix: [UInt8]
    private let bits: Int

    public init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = SocketAddress(numeric: String(parts[0]), port: 0) else { return nil }
        prefix = address.bytes
        guard parts.count == 2 else {
            bits = prefix.count * 8
            return
        }
        guard let bits = Int(parts[1]), (0...prefix.count * 8).contains(bits) else { return nil }
        self.bits = bits
    }

    public var description: String {
        var text = ""
        if prefix.count == 4 {
            text = prefix.map(String.init).joined(separator: ".")
        } else {
            text = stride(from: 0, to: 16, by: 2)
                .map { String(Int(prefix[$0]) << 8 | Int(prefix[$0 + 1]), radix: 16) }.joined(separator: ":")
        }
        return "\(text)/\(bits)"
    }

    /// Whether the address is in this block; an IPv4 address inside IPv6 (`::ffff:a.b.c.d`) counts as IPv4.
    public func contains(_ address: SocketAddress) -> Bool { contains(address.unmappedBytes) }

    func contains(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == prefix.count else { return false }
        let whole = bits / 8
        guard bytes[..<whole] == prefix[..<whole] else { return false }
        let rest = bits % 8
        return rest == 0 || (bytes[whole] ^ prefix[whole]) >> UInt8(8 - rest) == 0
    }
}

public import Primitives

extension UUID {
    /// The namespace of domain names (RFC 9562 section 6.6).
    public static let dnsNamespace = UUID(high: 0x6ba7_b810_9dad_11d1, low: 0x80b4_00c0_4fd4_30c8)

    /// The identifier that follows from a name (version 5, RFC 9562 section 5.5): the same name in the same namespace
    /// gives the same identifier everywhere.
    public static func named(_ name: [UInt8], in namespace: UUID) -> UUID {
        let hash = Digest.hash(namespace.bytes + name, .sha1ForIdentifiers)
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<8 {
            high = high << 8 | UInt64(hash[index])
            low = low << 8 | UInt64(hash[index + 8])
        }
        return UUID(
            high: high & 0xffff_ffff_ffff_0fff | 0x5000, low: low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }
}

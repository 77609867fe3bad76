import Security

/// What an authenticator says of itself and signs (WebAuthn Level 3, section 6.1).
struct AuthenticatorData: Sendable {
    /// A new passkey (section 6.5.1).
    struct Credential: Sendable {
        let id: [UInt8]
        /// In COSE, as it is stored.
        let publicKey: [UInt8]
    }

    /// Bytes of a passkey's id at most (section 5.1).
    static let credentialBytesMax = 1023
    private static let headBytes = 37

    /// SHA-256 of the relying party's id.
    let relyingPartyHash: [UInt8]
    /// Somebody was there and agreed.
    let isUserPresent: Bool
    /// Counts what the authenticator has signed; 0 for ever where it does not.
    let signCount: Int64
    let credential: Credential?

    /// Throws `malformed`.
    init(_ bytes: [UInt8]) throws(SecurityError) {
        guard bytes.count >= Self.headBytes else { throw Self.cutOff }
        relyingPartyHash = Array(bytes[0..<32])
        let flags = bytes[32]
        isUserPresent = flags & 0x01 != 0
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | Int64($1) }
        var position = Self.headBytes
        credential = flags & 0x40 != 0 ? try Self.credential(bytes, &position) : nil
        // Extensions, none of which was asked for.
        if flags & 0x80 != 0 {
            var reader = CBORReader(bytes, at: position)
            guard case .map = try reader.value() else { throw .malformed("extensions that are no map") }
            position = reader.position
        }
        guard position == bytes.count else { throw .malformed("bytes after the authenticator's data") }
    }

    private static func credential(
        _ bytes: [UInt8], _ position: inout Int
    ) throws(SecurityError) -> Credential {
        // The authenticator's model, and the length of the id.
        let start = position + 18
        guard bytes.count >= start else { throw cutOff }
        let count = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
        guard (1...credentialBytesMax).contains(count), bytes.count >= start + count else { throw cutOff }
        var reader = CBORReader(bytes, at: start + count)
        _ = try reader.value()
        let key = Array(bytes[start + count..<reader.position])
        position = reader.position
        return Credential(id: Array(bytes[start..<start + count]), publicKey: key)
    }

    private static let cutOff = SecurityError.malformed("the authenticator's data are cut off")
}

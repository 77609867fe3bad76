import Security

/// The public key of a passkey, as COSE writes it (RFC 9052 section 7, RFC 9053, RFC 8812): ES256, which nearly all authenticators have,
/// EdDSA, or RS256, which is all that the TPM of many computers has.
enum PasskeyPublicKey: Sendable {
    case es256(P256PublicKey)
    case edDSA(Ed25519PublicKey)
    case rs256(RSAPublicKey)

    /// Bytes of a key in COSE at most: RSA of 4096 bits.
    static let bytesMax = 560
    /// Those that are asked for (IANA COSE Algorithms), the better one first.
    static let algorithms: [Int64] = [-8, -7, -257]

    /// Throws `malformed` for other algorithms and for what is no key.
    init(_ key: CBORValue) throws(SecurityError) {
        // Kind of key, and algorithm.
        switch (key[1], key[3]) {
        case (.integer(2), .integer(-7)):
            guard key[-1] == .integer(1), let x = key[-2]?.bytes, let y = key[-3]?.bytes, x.count == 32, y.count == 32
            else { throw .malformed("COSE: no point") }
            self = .es256(try P256PublicKey([4] + x + y))
        case (.integer(1), .integer(-8)):
            guard key[-1] == .integer(6) else { throw .malformed("COSE: another curve") }
            self = .edDSA(try Ed25519PublicKey(key[-2]?.bytes ?? []))
        case (.integer(3), .integer(-257)):
            self = .rs256(try RSAPublicKey(modulus: key[-1]?.bytes ?? [], exponent: key[-2]?.bytes ?? []))
        default: throw .malformed("COSE: a key of another algorithm")
        }
    }

    /// As it was stored.
    init(stored bytes: [UInt8]) throws(SecurityError) { try self.init(try CBORValue(bytes)) }

    /// Whether the signature, in the form of WebAuthn (section 6.5.5: DER for ES256), is the key's for exactly this message.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch self {
        case .es256(let key): key.isValid(der: signature, for: message)
        case .edDSA(let key): key.isValid(signature, for: message)
        case .rs256(let key): key.isValid(signature, for: message)
        }
    }
}

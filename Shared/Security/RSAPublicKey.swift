import COpenSSL

/// A public key of RSA with which signatures are checked: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2), as RS256 is. Usable
/// from any thread.
public final class RSAPublicKey: Sendable {
    /// Bytes of the modulus: 2048 bits at least (SP 800-131A), and at most what is checked in a fraction of a millisecond.
    public static let modulusByteCounts = 256...512
    /// 65537, which all take.
    private static let exponent: [UInt8] = [1, 0, 1]

    // libcrypto only reads a key once it is made, and counts references atomically.
    private nonisolated(unsafe) let key: OpaquePointer
    private let byteCount: Int

    /// Both with the most significant byte first. Throws `malformed` for another length, an even modulus, and an exponent other than
    /// 65537.
    public init(modulus: [UInt8], exponent: [UInt8]) throws(SecurityError) {
        guard Self.modulusByteCounts.contains(modulus.count), let first = modulus.first, first >= 0x80,
            let last = modulus.last, last & 1 == 1, exponent == Self.exponent,
            let key = tm_RSA_public_key(modulus, modulus.count, exponent, exponent.count)
        else {
            LibCrypto.clearErrors()
            throw .malformed("not a public key of RSA of 2048 to 4096 bits with the exponent 65537")
        }
        self.key = key
        byteCount = modulus.count
    }

    deinit { EVP_PKEY_free(key) }

    /// Whether the signature is the key's for exactly this message. False for anything that is not a signature.
    public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == byteCount else { return false }
        return LibCrypto.isValid(signature, for: message, by: key, digest: "SHA256")
    }
}

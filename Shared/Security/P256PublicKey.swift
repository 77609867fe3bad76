import COpenSSL

/// A point of the curve P-256 (FIPS 186-5), with which secrets are agreed on and signatures are checked. Usable from any thread.
public final class P256PublicKey: Sendable {
    public static let byteCount = 65
    public static let signatureByteCount = 64

    /// The point, uncompressed (SEC 1 section 2.3.3).
    public let bytes: [UInt8]
    // libcrypto only reads a key once it is made, and counts references atomically.
    nonisolated(unsafe) let key: OpaquePointer

    /// Throws `malformed` unless there are 65 bytes, which name a point of the curve.
    public init(_ bytes: [UInt8]) throws(SecurityError) {
        guard bytes.count == Self.byteCount, let key = tm_P256_public_key(bytes, bytes.count) else {
            LibCrypto.clearErrors()
            throw .malformed("not a public key of P-256")
        }
        self.bytes = bytes
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// Whether the signature (ECDSA with SHA-256, RFC 7518 section 3.4) is the key's for exactly this message. False for
    /// anything that is not a signature.
    public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == Self.signatureByteCount else { return false }
        var der = [UInt8](repeating: 0, count: P256Key.signatureBytesMax)
        let count = Int(tm_P256_der_signature(signature, &der))
        return isValid(der: Array(der.prefix(count)), for: message)
    }

    /// As `isValid`, of a signature in DER (RFC 3279 section 2.2.3), as passkeys make them.
    public func isValid(der: [UInt8], for message: [UInt8]) -> Bool {
        LibCrypto.isValid(der, for: message, by: key, digest: "SHA256")
    }
}

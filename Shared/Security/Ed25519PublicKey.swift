import COpenSSL
import Primitives

/// A key that checks signatures (RFC 8032). Usable from any thread.
public final class Ed25519PublicKey: Sendable, Equatable {
    public static let byteCount = 32
    public static let signatureByteCount = 64

    /// The point, as RFC 8032 encodes it.
    public let bytes: [UInt8]
    /// The thumbprint of the key (RFC 7638), which serves as its id: 43 characters.
    public let thumbprint: String
    // libcrypto only reads a key once it is made, and counts references atomically.
    private nonisolated(unsafe) let key: OpaquePointer

    /// Throws `malformed` unless there are 32 bytes.
    public init(_ bytes: [UInt8]) throws(SecurityError) {
        guard bytes.count == Self.byteCount,
            let key = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count)
        else {
            LibCrypto.clearErrors()
            throw .malformed("not an Ed25519 public key")
        }
        self.bytes = bytes
        thumbprint = Base64.url.encode(
            Digest.sha256(Array(#"{"crv":"Ed25519","kty":"OKP","x":"\#(Base64.url.encode(bytes))"}"#.utf8)))
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// Whether the signature is the key's for exactly this message. False for anything that is not a signature.
    public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == Self.signatureByteCount else { return false }
        return LibCrypto.isValid(signature, for: message, by: key, digest: nil)
    }

    public static func == (left: Ed25519PublicKey, right: Ed25519PublicKey) -> Bool { left.bytes == right.bytes }
}

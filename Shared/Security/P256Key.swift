import COpenSSL

/// A private key of the curve P-256 (FIPS 186-5), which Web push takes. Usable from any thread.
public final class P256Key: Sendable {
    /// Bytes of a signature in DER at most.
    static let signatureBytesMax = 72
    private static let secretBytes = 32

    public let publicKey: P256PublicKey
    // libcrypto only reads a key once it is made, and counts references atomically.
    private nonisolated(unsafe) let key: OpaquePointer

    /// Takes over the reference. Throws `malformed` for a key of another kind.
    private init(owning key: OpaquePointer) throws(SecurityError) {
        var count = 0
        var bytes = [UInt8](repeating: 0, count: P256PublicKey.byteCount)
        let status = EVP_PKEY_get_octet_string_param(
            key, OSSL_PKEY_PARAM_PUB_KEY, &bytes, P256PublicKey.byteCount, &count)
        do throws(SecurityError) {
            guard status == 1, count == P256PublicKey.byteCount else { throw .malformed("not a private key of P-256") }
            publicKey = try P256PublicKey(bytes)
        } catch {
            LibCrypto.clearErrors()
            EVP_PKEY_free(key)
            throw error
        }
        self.key = key
    }

    /// PKCS#8 in PEM, unencrypted (RFC 5915). Throws `malformed` for anything else.
    public convenience init(pem: String) throws(SecurityError) {
        try self.init(owning: try PrivateKeyText.key(pem))
    }

    deinit { EVP_PKEY_free(key) }

    /// A new random key.
    public static func random() -> P256Key {
        guard let key = try? P256Key(owning: LibCrypto.require(tm_P256_new_key(), "EVP_EC_gen")) else {
            preconditionFailure("libcrypto: its own key")
        }
        return key
    }

    /// A PEM file that is not readable by everybody.
    public static func load(file path: String) throws(SecurityError) -> P256Key {
        let text = try SecretFile.text(path)
        do throws(SecurityError) {
            return try P256Key(pem: text + "\n")
        } catch {
            throw .keyFile(path: path, reason: "not a key of P-256 (PKCS#8, PEM, unencrypted)")
        }
    }

    /// What only the holders of this key and of the other one can compute: the x coordinate of their common point, 32 bytes
    /// (SP 800-56A section 5.7.1.2). A secret to derive keys from, and not a key.
    func sharedSecret(with other: P256PublicKey) -> [UInt8] {
        let context = LibCrypto.require(EVP_PKEY_CTX_new_from_pkey(nil, key, nil), "EVP_PKEY_CTX_new_from_pkey")
        defer { EVP_PKEY_CTX_free(context) }
        LibCrypto.require(EVP_PKEY_derive_init(context), "EVP_PKEY_derive_init")
        LibCrypto.require(EVP_PKEY_derive_set_peer(context, other.key), "EVP_PKEY_derive_set_peer")
        return [UInt8](unsafeUninitializedCapacity: Self.secretBytes) { buffer, initialized in
            initialized = Self.secretBytes
            LibCrypto.require(EVP_PKEY_derive(context, buffer.baseAddress, &initialized), "EVP_PKEY_derive")
        }
    }

    /// 64 bytes (ECDSA with SHA-256, RFC 7518 section 3.4); others each time.
    public func sign(_ message: [UInt8]) -> [UInt8] {
        let context = LibCrypto.require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        LibCrypto.require(EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key, nil), "EVP_DigestSignInit_ex")
        var count = Self.signatureBytesMax
        var der = [UInt8](repeating: 0, count: count)
        LibCrypto.require(EVP_DigestSign(context, &der, &count, message, message.count), "EVP_DigestSign")
        var raw = [UInt8](repeating: 0, count: P256PublicKey.signatureByteCount)
        LibCrypto.require(tm_P256_raw_signature(der, count, &raw), "d2i_ECDSA_SIG")
        return raw
    }
}

import COpenSSL

/// A key that signs (RFC 8032). Usable from any thread.
public final class Ed25519Key: Sendable {
    public let publicKey: Ed25519PublicKey
    // libcrypto only reads a key once it is made, and counts references atomically.
    private nonisolated(unsafe) let key: OpaquePointer

    /// Takes over the reference.
    private init(owning key: OpaquePointer) {
        self.key = key
        var count = Ed25519PublicKey.byteCount
        var bytes = [UInt8](repeating: 0, count: count)
        let status = EVP_PKEY_get_raw_public_key(key, &bytes, &count)
        LibCrypto.require(status, "EVP_PKEY_get_raw_public_key")
        guard let publicKey = try? Ed25519PublicKey(bytes) else { preconditionFailure("libcrypto: its own public key") }
        self.publicKey = publicKey
    }

    /// The 32 secret bytes of RFC 8032.
    public convenience init(seed: SecretKey) {
        self.init(
            owning: LibCrypto.require(
                EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed.bytes, SecretKey.byteCount),
                "EVP_PKEY_new_raw_private_key_ex"))
    }

    /// PKCS#8 in PEM, unencrypted (RFC 8410). Throws `malformed` for anything else.
    public convenience init(pem: String) throws(SecurityError) {
        let key = try PrivateKeyText.key(pem)
        guard EVP_PKEY_is_a(key, "ED25519") == 1 else {
            EVP_PKEY_free(key)
            throw .malformed("a private key, but not an Ed25519 one")
        }
        self.init(owning: key)
    }

    deinit { EVP_PKEY_free(key) }

    /// A new random key.
    public static func random() -> Ed25519Key { Ed25519Key(seed: .random()) }

    /// A PEM file that is not readable by everybody.
    public static func load(file path: String) throws(SecurityError) -> Ed25519Key {
        let text = try SecretFile.text(path)
        do throws(SecurityError) {
            return try Ed25519Key(pem: text + "\n")
        } catch {
            throw .keyFile(path: path, reason: "not an Ed25519 key (PKCS#8, PEM, unencrypted)")
        }
    }

    /// Writes the key to a new file with mode 0600; never overwrites one.
    public func save(file path: String) throws(SecurityError) { try SecretFile.create(path, text: pem) }

    /// The key as PKCS#8 in PEM.
    public var pem: String {
        let sink = LibCrypto.require(BIO_new(BIO_s_mem()), "BIO_new")
        defer { BIO_free(sink) }
        LibCrypto.require(
            PEM_write_bio_PKCS8PrivateKey(sink, key, nil, nil, 0, nil, nil), "PEM_write_bio_PKCS8PrivateKey")
        var text = [UInt8](repeating: 0, count: BIO_ctrl_pending(sink))
        let count = BIO_read(sink, &text, Int32(text.count))
        precondition(Int(count) == text.count, "libcrypto: BIO_read")
        return String(decoding: text, as: UTF8.self)
    }

    /// 64 bytes; the same for the same message.
    public func sign(_ message: [UInt8]) -> [UInt8] {
        let context = LibCrypto.require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        LibCrypto.require(EVP_DigestSignInit_ex(context, nil, nil, nil, nil, key, nil), "EVP_DigestSignInit_ex")
        return [UInt8](unsafeUninitializedCapacity: Ed25519PublicKey.signatureByteCount) { buffer, initialized in
            initialized = Ed25519PublicKey.signatureByteCount
            LibCrypto.require(
                EVP_DigestSign(context, buffer.baseAddress, &initialized, message, message.count), "EVP_DigestSign")
        }
    }
}

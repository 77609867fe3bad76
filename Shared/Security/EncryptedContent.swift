import COpenSSL

/// Content in the coding `aes128gcm` (RFC 8188), as one record: salt (16) ‖ size of records (4) ‖ length of the key's id (1) ‖
/// the key's id ‖ ciphertext ‖ tag (16).
enum EncryptedContent {
    static let saltBytes = 16
    static let keyIDBytesMax = 255
    static let recordBytes = 4096
    /// Beside the text a record has a delimiter and a tag.
    static let plaintextBytesMax = recordBytes - 1 - tagBytes
    private static let tagBytes = 16
    /// After the text of the last record (RFC 8188 section 2).
    private static let lastDelimiter: UInt8 = 2

    /// `key` is the keying material; with the same salt it must never be used twice.
    static func seal(_ plaintext: [UInt8], key: [UInt8], salt: [UInt8], keyID: [UInt8]) -> [UInt8] {
        precondition(salt.count == saltBytes, "a salt of \(salt.count) bytes")
        precondition(keyID.count <= keyIDBytesMax, "a key's id of \(keyID.count) bytes")
        precondition(plaintext.count <= plaintextBytesMax, "more than \(plaintextBytesMax) bytes to encrypt at once")
        let contentKey = derive("Content-Encoding: aes128gcm", 16, from: key, salt)
        let nonce = derive("Content-Encoding: nonce", 12, from: key, salt)
        let size = UInt32(recordBytes)
        let header =
            salt + (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + [UInt8(keyID.count)] + keyID
        return header + record(plaintext + [lastDelimiter], key: contentKey, nonce: nonce)
    }

    private static func derive(_ purpose: String, _ count: Int, from key: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        key.withUnsafeBytes { HKDF.derive(from: $0, salt: salt, info: Array(purpose.utf8) + [0], count: count) }
    }

    private static func record(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        let context = LibCrypto.require(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
        defer { EVP_CIPHER_CTX_free(context) }
        LibCrypto.require(
            EVP_EncryptInit_ex2(context, LibCrypto.aes128GCM, key, nonce, nil), "EVP_EncryptInit_ex2")
        let total = text.count + tagBytes
        return [UInt8](unsafeUninitializedCapacity: total) { buffer, initialized in
            guard let output = buffer.baseAddress else { return }
            var count: Int32 = 0
            LibCrypto.require(
                EVP_EncryptUpdate(context, output, &count, text, Int32(text.count)), "EVP_EncryptUpdate")
            LibCrypto.require(EVP_EncryptFinal_ex(context, output + text.count, &count), "EVP_EncryptFinal_ex")
            LibCrypto.require(
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagBytes), output + text.count),
                "EVP_CTRL_AEAD_GET_TAG")
            initialized = total
        }
    }
}

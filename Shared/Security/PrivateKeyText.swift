import COpenSSL

/// Private keys as text (PKCS#8 in PEM, unencrypted).
enum PrivateKeyText {
    /// The key, which the caller frees. Throws `malformed` for anything else.
    static func key(_ pem: String) throws(SecurityError) -> OpaquePointer {
        let bytes = Array(pem.utf8)
        guard bytes.count <= SecretFile.bytesMax else { throw .malformed("a PEM text of \(bytes.count) bytes") }
        let key = bytes.withUnsafeBytes { bytes in
            let source = LibCrypto.require(
                BIO_new_mem_buf(bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1), Int32(bytes.count)),
                "BIO_new_mem_buf")
            defer { BIO_free(source) }
            // Without a callback libcrypto would ask for the passphrase of an encrypted key on the terminal.
            return PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let key else {
            LibCrypto.clearErrors()
            throw .malformed("not an unencrypted private key in PEM")
        }
        return key
    }
}

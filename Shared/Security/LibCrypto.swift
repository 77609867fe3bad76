import COpenSSL

/// The algorithms this module uses, fetched from libcrypto once.
enum LibCrypto {
    // Fetched algorithms are immutable, counted by libcrypto and never freed here, so threads may share them.
    nonisolated(unsafe) static let sha1 = require(EVP_MD_fetch(nil, "SHA1", nil), "SHA1")
    nonisolated(unsafe) static let sha256 = require(EVP_MD_fetch(nil, "SHA256", nil), "SHA256")
    nonisolated(unsafe) static let sha512 = require(EVP_MD_fetch(nil, "SHA512", nil), "SHA512")
    nonisolated(unsafe) static let aes256GCM = require(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil), "AES-256-GCM")
    nonisolated(unsafe) static let aes128GCM = require(EVP_CIPHER_fetch(nil, "AES-128-GCM", nil), "AES-128-GCM")
    nonisolated(unsafe) static let hmac = require(EVP_MAC_fetch(nil, "HMAC", nil), "HMAC")
    nonisolated(unsafe) static let hkdf = require(EVP_KDF_fetch(nil, "HKDF", nil), "HKDF")

    /// Ends the process when libcrypto fails where only lack of memory or a broken installation explains it:
    /// going on without cryptography is not an option, and callers could do nothing else.
    static func require<Pointer>(_ pointer: Pointer?, _ operation: StaticString) -> Pointer {
        guard let pointer else { preconditionFailure("libcrypto: \(operation): \(reason())") }
        return pointer
    }

    static func require(_ status: Int32, _ operation: StaticString) {
        guard status == 1 else { preconditionFailure("libcrypto: \(operation): \(reason())") }
    }

    /// Whether the signature is the key's for exactly this message. `digest` is its name, where the algorithm does not say which.
    static func isValid(_ signature: [UInt8], for message: [UInt8], by key: OpaquePointer, digest: String?) -> Bool {
        let context = require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        require(EVP_DigestVerifyInit_ex(context, nil, digest, nil, nil, key, nil), "EVP_DigestVerifyInit_ex")
        let isValid =
            !signature.isEmpty
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isValid { clearErrors() }
        return isValid
    }

    /// Empties this thread's error queue, so that a refusal here is not taken for one of the next caller's (TLS).
    static func clearErrors() { ERR_clear_error() }

    private static func reason() -> String {
        guard let text = ERR_reason_error_string(ERR_peek_last_error()) else { return "no reason given" }
        return String(cString: text)
    }
}

import COpenSSL

/// Keys from a key: HKDF with SHA-256 (RFC 5869).
enum HKDF {
    /// RFC 5869 section 2.3: 255 blocks of the hash.
    static let bytesMax = 255 * 32

    static func derive(from key: UnsafeRawBufferPointer, salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition((1...bytesMax).contains(count), "HKDF gives 1 to \(bytesMax) bytes")
        let context = LibCrypto.require(EVP_KDF_CTX_new(LibCrypto.hkdf), "EVP_KDF_CTX_new")
        defer { EVP_KDF_CTX_free(context) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let status = tm_HKDF_SHA256(
                context, key.baseAddress, key.count, salt, salt.count, info, info.count, buffer.baseAddress, count)
            LibCrypto.require(status, "EVP_KDF_derive")
            initialized = count
        }
    }

    static func derive(from key: SecretKey, info: String) -> SecretKey {
        let material = derive(
            from: UnsafeRawBufferPointer(start: key.bytes, count: SecretKey.byteCount), salt: [],
            info: Array(info.utf8), count: SecretKey.byteCount)
        guard let derived = try? SecretKey(material) else { preconditionFailure("HKDF gave \(material.count) bytes") }
        return derived
    }
}

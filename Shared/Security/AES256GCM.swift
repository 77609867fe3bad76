import COpenSSL
import Primitives

/// AES-256-GCM (NIST SP 800-38D) in one frame: header ‖ nonce (12) ‖ ciphertext ‖ tag (16). The header is authenticated
/// together with the associated data.
enum AES256GCM {
    static let nonceBytes = 12
    static let tagBytes = 16
    /// libcrypto counts in 32 bits; larger things are split by who stores them.
    static let plaintextBytesMax = 64 << 20

    /// With a random nonce: at most 2³² times per key (SP 800-38D section 8.3). `FieldKey` and `SubjectKey` say why none is
    /// used as often.
    static func seal(_ plaintext: [UInt8], key: SecretKey, header: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        frame(plaintext, key: key, header: header, associatedData: associatedData) { fillWithRandomBytes($0) }
    }

    /// With a given nonce, for known answers. Using one twice with the same key gives both plaintexts away.
    static func seal(
        _ plaintext: [UInt8], key: SecretKey, header: [UInt8], associatedData: [UInt8], nonce: [UInt8]
    ) -> [UInt8] {
        frame(plaintext, key: key, header: header, associatedData: associatedData) { $0.copyBytes(from: nonce) }
    }

    private static func frame(
        _ plaintext: [UInt8], key: SecretKey, header: [UInt8], associatedData: [UInt8],
        makeNonce: (UnsafeMutableRawBufferPointer) -> Void
    ) -> [UInt8] {
        precondition(plaintext.count <= plaintextBytesMax, "more than \(plaintextBytesMax) bytes to encrypt at once")
        let total = header.count + nonceBytes + plaintext.count + tagBytes
        return [UInt8](unsafeUninitializedCapacity: total) { buffer, initialized in
            guard let output = buffer.baseAddress else { return }
            for (index, byte) in header.enumerated() { (output + index).initialize(to: byte) }
            let nonce = output + header.count
            makeNonce(UnsafeMutableRawBufferPointer(start: nonce, count: nonceBytes))
            let text = nonce + nonceBytes

            CipherContext.with(.encrypt, key: key.bytes, nonce: nonce) { context in
                var count: Int32 = 0
                authenticate(header, context)
                authenticate(associatedData, context)
                if !plaintext.isEmpty {
                    LibCrypto.require(
                        EVP_EncryptUpdate(context, text, &count, plaintext, Int32(plaintext.count)), "EVP_EncryptUpdate"
                    )
                }
                LibCrypto.require(EVP_EncryptFinal_ex(context, text + plaintext.count, &count), "EVP_EncryptFinal_ex")
                LibCrypto.require(
                    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagBytes), text + plaintext.count),
                    "EVP_CTRL_AEAD_GET_TAG")
            }
            initialized = total
        }
    }

    private static func authenticate(_ data: [UInt8], _ context: OpaquePointer) {
        guard !data.isEmpty else { return }
        var count: Int32 = 0
        LibCrypto.require(EVP_CipherUpdate(context, nil, &count, data, Int32(data.count)), "EVP_CipherUpdate")
    }

    /// The plaintext of a frame with a header of that many bytes; `nil` when it is too short or not authentic.
    static func open(_ sealed: [UInt8], headerBytes: Int, key: SecretKey, associatedData: [UInt8]) -> [UInt8]? {
        let textBytes = sealed.count - headerBytes - nonceBytes - tagBytes
        guard headerBytes >= 0, (0...plaintextBytesMax).contains(textBytes) else { return nil }
        var isAuthentic = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: textBytes) { buffer, initialized in
            sealed.withUnsafeBufferPointer { sealed in
                guard let header = sealed.baseAddress else { return }
                let nonce = header + headerBytes
                let text = nonce + nonceBytes
                isAuthentic = CipherContext.with(.decrypt, key: key.bytes, nonce: nonce) { context in
                    var count: Int32 = 0
                    if headerBytes > 0 {
                        LibCrypto.require(
                            EVP_DecryptUpdate(context, nil, &count, header, Int32(headerBytes)), "EVP_DecryptUpdate")
                    }
                    authenticate(associatedData, context)
                    if textBytes > 0 {
                        LibCrypto.require(
                            EVP_DecryptUpdate(context, buffer.baseAddress, &count, text, Int32(textBytes)),
                            "EVP_DecryptUpdate")
                    }
                    LibCrypto.require(
                        EVP_CIPHER_CTX_ctrl(
                            context, EVP_CTRL_AEAD_SET_TAG, Int32(tagBytes),
                            UnsafeMutablePointer(mutating: text + textBytes)),
                        "EVP_CTRL_AEAD_SET_TAG")
                    var rest: (UInt64, UInt64) = (0, 0)
                    return withUnsafeMutableBytes(of: &rest) { rest in
                        EVP_DecryptFinal_ex(context, rest.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == 1
                    }
                }
                initialized = isAuthentic ? textBytes : 0
            }
        }
        if !isAuthentic { LibCrypto.clearErrors() }
        return isAuthentic ? plaintext : nil
    }
}

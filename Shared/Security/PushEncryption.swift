import Primitives

/// Encryption of Web push messages (RFC 8291): only the browser that subscribed can read them, and not the push service.
public enum PushEncryption {
    public static let authBytes = 16
    /// RFC 8291 section 4: what every push service takes.
    public static let plaintextBytesMax = 3993

    /// `receiver` and `auth` are `p256dh` and `auth` of the subscription. Throws `malformed` for another size of `auth`, or a
    /// text that is too long.
    public static func seal(
        _ plaintext: [UInt8], for receiver: P256PublicKey, auth: [UInt8]
    ) throws(SecurityError) -> [UInt8] {
        try seal(
            plaintext, for: receiver, auth: auth, sender: .random(), salt: randomBytes(EncryptedContent.saltBytes))
    }

    /// With a given key and salt, for known answers: both are to be used once.
    static func seal(
        _ plaintext: [UInt8], for receiver: P256PublicKey, auth: [UInt8], sender: P256Key, salt: [UInt8]
    ) throws(SecurityError) -> [UInt8] {
        guard auth.count == authBytes else { throw .malformed("a push secret of \(auth.count) bytes") }
        guard plaintext.count <= plaintextBytesMax else { throw .malformed("a push of \(plaintext.count) bytes") }
        let key = Self.key(
            from: sender.sharedSecret(with: receiver), receiver: receiver, auth: auth, sender: sender.publicKey)
        return EncryptedContent.seal(plaintext, key: key, salt: salt, keyID: sender.publicKey.bytes)
    }

    /// The keying material of a message (RFC 8291 section 3.4), which both sides make of their shared secret.
    static func key(
        from secret: [UInt8], receiver: P256PublicKey, auth: [UInt8], sender: P256PublicKey
    ) -> [UInt8] {
        let info = Array("WebPush: info".utf8) + [0] + receiver.bytes + sender.bytes
        return secret.withUnsafeBytes { HKDF.derive(from: $0, salt: auth, info: info, count: 32) }
    }
}

import Primitives
import Testing

@testable import Security

/// A browser that has subscribed to push messages, and can read them.
struct PushSubscriber: Sendable {
    let endpoint: String
    private let key = P256Key.random()
    private let auth = randomBytes(PushEncryption.authBytes)

    init(endpoint: String) { self.endpoint = endpoint }

    var form: String {
        """
        {"endpoint":"\(endpoint)","keys":{"p256dh":"\(Base64.url.encode(key.publicKey.bytes))",
         "auth":"\(Base64.url.encode(auth))"}}
        """
    }

    /// The text of a message. AES-GCM adds the same stream of bytes in both directions, so what encrypts also decrypts; and
    /// encrypting the text again has to give the message, its tag included.
    func open(_ message: [UInt8]) throws -> [UInt8] {
        let head = 21 + P256PublicKey.byteCount
        let sender = try P256PublicKey(Array(message[21..<head]))
        let shared = PushEncryption.key(
            from: key.sharedSecret(with: sender), receiver: key.publicKey, auth: auth, sender: sender)
        func sealed(_ text: [UInt8]) -> [UInt8] {
            EncryptedContent.seal(
                text, key: shared, salt: Array(message.prefix(EncryptedContent.saltBytes)), keyID: sender.bytes)
        }
        let ciphertext = Array(message[head..<(message.count - 16)])
        let text = Array(sealed(ciphertext)[head..<(head + ciphertext.count)])
        #expect(text.last == 2, "the delimiter of the last record")
        #expect(sealed(text.dropLast()) == message)
        return text.dropLast()
    }
}

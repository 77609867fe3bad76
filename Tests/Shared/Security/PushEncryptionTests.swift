import JSON
import Primitives
import Testing

@testable import Security

@Suite struct PushEncryptionTests {
    private func decoded(_ text: String) throws -> [UInt8] { try #require(Base64.url.decode(text)) }

    @Test("aes128gcm in one record: RFC 8188, section 3.1")
    func content() throws {
        let sealed = EncryptedContent.seal(
            utf8("I am the walrus"), key: try decoded("yqdlZ-tYemfogSmv7Ws5PQ"),
            salt: try decoded("I1BsxtFttlv3u_Oo94xnmw"), keyID: [])
        #expect(
            Base64.url.encode(sealed)
                == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
    }

    @Test("A push message: RFC 8291, section 5")
    func message() throws {
        let sealed = try PushEncryption.seal(
            utf8("When I grow up, I want to be a watermelon"), for: P256Key(pem: P256Tests.receiver).publicKey,
            auth: decoded("BTBZMqHH6r4Tts7J_aSIgg"), sender: P256Key(pem: P256Tests.sender),
            salt: decoded("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64.url.encode(sealed)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                + "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test("Each message has a key and a salt of its own; what is too long, or for half a secret, is refused")
    func limits() throws {
        let receiver = P256Key.random().publicKey
        let auth = randomBytes(PushEncryption.authBytes)
        let longest = repeated(7, PushEncryption.plaintextBytesMax)
        let (one, two) = (
            try PushEncryption.seal(longest, for: receiver, auth: auth),
            try PushEncryption.seal(longest, for: receiver, auth: auth)
        )
        #expect(one.count == EncryptedContent.recordBytes && one.count == two.count)
        #expect(one.prefix(16) != two.prefix(16) && one[21..<86] != two[21..<86] && one.suffix(16) != two.suffix(16))
        #expect(throws: SecurityError.self) { try PushEncryption.seal(longest + [7], for: receiver, auth: auth) }
        #expect(throws: SecurityError.self) { try PushEncryption.seal([], for: receiver, auth: Array(auth.dropLast())) }
    }

    @Test("VAPID: the token names the push service, its end and us, and the key signs it (RFC 8292)")
    func authorization() throws {
        let key = P256Key.random()
        let vapid = VAPIDKey(key)
        let now = try #require(Timestamp("2026-11-22T08:00:00Z"))
        let value = try vapid.authorization(
            for: "https://push.example.net", subject: "mailto:push@example.com", at: now)
        let parts = value.dropFirst("vapid t=".count).split(separator: ", k=").map(String.init)
        try #require(value.hasPrefix("vapid t=") && parts.count == 2)
        #expect(parts[1] == vapid.publicText && Base64.url.decode(parts[1]) == key.publicKey.bytes)
        let token = parts[0].split(separator: ".").map(String.init)
        try #require(token.count == 3)
        let header = try JSONDecoder().decode(JSONValue.self, from: decoded(token[0]))
        #expect(header["typ"] == .string("JWT") && header["alg"] == .string("ES256"))
        let claims = try JSONDecoder().decode(JSONValue.self, from: decoded(token[1]))
        #expect(claims["aud"] == .string("https://push.example.net"))
        #expect(claims["sub"] == .string("mailto:push@example.com"))
        #expect(claims["exp"] == .integer((now.milliseconds + VAPIDKey.life.milliseconds) / 1000))
        #expect(VAPIDKey.life <= .seconds(86_400))
        #expect(try key.publicKey.isValid(decoded(token[2]), for: utf8("\(token[0]).\(token[1])")))
    }
}

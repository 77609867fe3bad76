import HTTP
import JSON
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Accounts

/// An authenticator in software (WebAuthn Level 3): a key, its id, and what it and the browser would answer. What can be wrong can be
/// set.
struct TestPasskey {
    var key = P256Key.random()
    var id = randomBytes(32)
    var signCount: UInt32 = 0
    var relyingParty = "127.0.0.1"
    var origin = "http://127.0.0.1:8100"
    var flags: UInt8 = 0x05
    var isCrossOrigin = false
    /// Whether it has `TestRSAKey` in place of `key`.
    var isRSA = false

    func clientData(_ challenge: String, type: String) -> [UInt8] {
        Array(
            #"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":\#(isCrossOrigin)}"#
                .utf8)
    }

    /// In COSE.
    var publicKey: [UInt8] {
        if isRSA {
            let head: [UInt8] = [0xa4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x59, 1, 0]
            return head + TestRSAKey.modulus + [0x21, 0x43, 1, 0, 1]
        }
        let point = key.publicKey.bytes
        var key: [UInt8] = [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]
        key += point[1...32]
        key += [0x22, 0x58, 32]
        key += point[33...]
        return key
    }

    private func data(_ credential: [UInt8], flags: UInt8) -> [UInt8] {
        let head = Digest.sha256(Array(relyingParty.utf8)) + [flags]
        return head + Self.bytes(signCount) + credential
    }

    var authenticatorData: [UInt8] { data([], flags: flags) }

    var attestation: [UInt8] {
        var credential = [UInt8](repeating: 0, count: 16) + Self.bytes(UInt16(id.count))
        credential += id
        credential += publicKey
        let signed = data(credential, flags: flags | 0x40)
        var object: [UInt8] = [0xa3, 0x63]
        object += Array("fmt".utf8) + [0x64]
        object += Array("none".utf8) + [0x67]
        object += Array("attStmt".utf8) + [0xa0, 0x68]
        object += Array("authData".utf8) + [0x59]
        object += Self.bytes(UInt16(signed.count))
        return object + signed
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// The body that adds it.
    func form(_ challenge: String, type: String = "webauthn.create", name: String = "Chiave") -> String {
        """
        {"name":"\(name)","client_data":"\(Base64.url.encode(clientData(challenge, type: type)))",
        "attestation_object":"\(Base64.url.encode(attestation))"}
        """
    }

    /// The member `passkey` of a log-in.
    func assertion(_ challenge: String, type: String = "webauthn.get", tampered: Bool = false) throws -> String {
        let data = clientData(challenge, type: type)
        let message = authenticatorData + Digest.sha256(tampered ? data + [0x20] : data)
        let signature = isRSA ? try TestRSAKey.sign(message) : Self.der(key.sign(message))
        return """
            {"credential_id":"\(Base64.url.encode(id))","client_data":"\(Base64.url.encode(data))",
            "authenticator_data":"\(Base64.url.encode(authenticatorData))","signature":"\(Base64.url.encode(signature))"}
            """
    }

    /// Two numbers of 32 bytes as DER writes them.
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        let numbers = [raw[..<32], raw[32...]].flatMap { number -> [UInt8] in
            var digits = Array(number.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [2, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }
}

extension AccountsTest {
    func creationChallenge(_ person: LoggedIn, _ password: String = password) async throws -> Answer {
        try await send(.post, "/me/passkeys/challenges", token: person.token, #"{"password":"\#(password)"}"#)
    }

    func add(_ passkey: TestPasskey, _ person: LoggedIn) async throws -> Answer {
        let challenge = try await creationChallenge(person).text("challenge")
        return try await send(.post, "/me/passkeys", token: person.token, passkey.form(challenge))
    }

    /// What the password alone is answered.
    func loginChallenge(_ login: String = "anna@example.org") async throws -> String {
        let answer = try await logIn(login)
        #expect(answer.code == "second-factor-needed")
        return try #require(answer.json["passkey"]?["challenge"]?.text)
    }

    func logIn(passkey: String, _ login: String = "anna@example.org") async throws -> Answer {
        try await send(
            .post, "/sessions", #"{"login":"\#(login)","password":"\#(Self.password)","passkey":\#(passkey)}"#)
    }
}

import Primitives
import Testing

@testable import Security

@Suite struct WebhookSignatureTests {
    // The example of the Standard Webhooks reference implementations.
    private let secret = try! WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    private let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private let time = Timestamp(milliseconds: 1_614_265_330_000)
    private let body = utf8(#"{"test": 2432232314}"#)
    private let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

    private func verify(
        id: String? = nil, timestamp: String = "1614265330", signature: String? = nil, body: [UInt8]? = nil,
        secrets: [WebhookSecret]? = nil, after: Duration = .zero
    ) throws(SecurityError) {
        try WebhookSignature.verify(
            id: id ?? self.id, timestamp: timestamp, signature: signature ?? self.signature, body: body ?? self.body,
            secrets: secrets ?? [secret], now: time + after)
    }

    @Test("The published example is signed and verified")
    func vector() throws {
        #expect(WebhookSignature.sign(id: id, at: time, body: body, secrets: [secret]) == signature)
        #expect(WebhookSignature.timestamp(time) == "1614265330")
        try verify()
    }

    @Test("While a secret is replaced, either verifies")
    func rotation() throws {
        let next = WebhookSecret.random()
        let both = WebhookSignature.sign(id: id, at: time, body: body, secrets: [next, secret])
        #expect(both.hasSuffix(" " + signature))
        try verify(signature: both)
        try verify(signature: both, secrets: [next])
        try verify(signature: "v1a,AAAA v2,x " + signature, secrets: [.random(), secret])
    }

    @Test("Anything changed is refused")
    func tampering() {
        #expect(throws: SecurityError.authenticationFailed) { try verify(id: "msg_p5jXN8AQM9LWM0D4loKWxJel") }
        #expect(throws: SecurityError.authenticationFailed) { try verify(timestamp: "1614265331") }
        #expect(throws: SecurityError.authenticationFailed) { try verify(secrets: [.random()]) }
        #expect(throws: SecurityError.authenticationFailed) { try verify(secrets: []) }
        for changed in tampered(body) {
            #expect(throws: SecurityError.authenticationFailed) { try verify(body: changed) }
        }
        for wrong in [
            "", "v1,", "v1", String(signature.dropFirst(3)), "v1a," + signature.dropFirst(3), "v2," + signature,
        ] {
            #expect(throws: SecurityError.authenticationFailed) { try verify(signature: wrong) }
        }
    }

    @Test("Calls older or newer than five minutes are refused")
    func tolerance() throws {
        try verify(after: .seconds(300))
        try verify(after: .seconds(-300))
        #expect(throws: SecurityError.timestampOutsideTolerance) { try verify(after: .seconds(301)) }
        #expect(throws: SecurityError.timestampOutsideTolerance) { try verify(after: .seconds(-301)) }
    }

    @Test(
        "Malformed headers are refused",
        arguments: ["", "+1614265330", "-1", "1614265330.0", "1e9", "9999999999999", "١"])
    func headers(timestamp: String) {
        #expect(throws: SecurityError.malformed("the webhook headers")) { try verify(timestamp: timestamp) }
        #expect(throws: SecurityError.malformed("the webhook headers")) { try verify(id: "") }
        #expect(throws: SecurityError.malformed("more than 16 signatures")) {
            try verify(signature: String(repeating: "v1,AA== ", count: 17))
        }
    }

    @Test(
        "Secrets are whsec_ and 24 to 64 bytes",
        arguments: ["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAAA", "whsec_!"])
    func secrets(text: String) throws {
        #expect(throws: SecurityError.self) { try WebhookSecret(text) }
        let random = WebhookSecret.random()
        #expect(try WebhookSecret(random.text).text == random.text)
    }
}

public import Primitives

/// Signatures of calls to other systems (Standard Webhooks, scheme `v1`): HMAC-SHA-256 of `id.timestamp.body`.
public enum WebhookSignature {
    public static let idHeader = "webhook-id"
    public static let timestampHeader = "webhook-timestamp"
    public static let signatureHeader = "webhook-signature"

    /// How far a timestamp may be from the present, either way.
    public static let tolerance: Duration = .seconds(300)
    static let signaturesMax = 16
    static let headerBytesMax = 4096

    /// The value of `webhook-timestamp`: seconds since 1970.
    public static func timestamp(_ time: Timestamp) -> String { String(time.milliseconds / 1000) }

    /// The value of `webhook-signature`, one signature per secret: while a secret is being replaced, receivers may hold
    /// either. `id` should have no full stop.
    public static func sign(id: String, at time: Timestamp, body: [UInt8], secrets: [WebhookSecret]) -> String {
        secrets.map { "v1," + Base64.standard.encode(code(id: id, timestamp: timestamp(time), body: body, $0)) }
            .joined(separator: " ")
    }

    /// Checks the three headers of a call. Signatures of other schemes are passed over.
    ///
    /// Throws `malformed`, `timestampOutsideTolerance`, or `authenticationFailed` when no signature fits any secret.
    public static func verify(
        id: String, timestamp: String, signature: String, body: [UInt8], secrets: [WebhookSecret], now: Timestamp
    ) throws(SecurityError) {
        guard !id.isEmpty, id.utf8.count <= 256, signature.utf8.count <= headerBytesMax,
            (1...12).contains(timestamp.utf8.count),
            timestamp.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let seconds = Int64(timestamp)
        else { throw .malformed("the webhook headers") }
        let age = now - Timestamp(microseconds: seconds * 1_000_000)
        guard age <= tolerance, age >= .zero - tolerance else { throw .timestampOutsideTolerance }
        let signatures = signature.split(separator: " ")
        guard signatures.count <= signaturesMax else { throw .malformed("more than \(signaturesMax) signatures") }
        let given = signatures.filter { $0.hasPrefix("v1,") }.compactMap { Base64.standard.decode($0.dropFirst(3)) }
        let expected = secrets.map { code(id: id, timestamp: timestamp, body: body, $0) }
        guard expected.contains(where: { code in given.contains { constantTimeEqual($0, code) } }) else {
            throw .authenticationFailed
        }
    }

    private static func code(id: String, timestamp: String, body: [UInt8], _ secret: WebhookSecret) -> [UInt8] {
        secret.key.code(for: [Array("\(id).\(timestamp).".utf8), body])
    }
}

import HTTP
import Primitives
import Security

/// Where the reader of a request's data stands, as it is told: ingestion's position, sealed and bound to the request.
///
/// Positions go on with every upload of the person, whatever it holds. Sealed, each cursor looks new, so that nobody can tell
/// from it whether something came that was not accepted, or how much all people upload.
struct DeliveryCursor: Sendable {
    static let beginning = "0"

    let cipher: FieldCipher

    func text(_ position: Int64, of request: UUID) -> String {
        // Of one length, whatever the position.
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: position >> (56 - 8 * Int64($0))) }
        return Base64.url.encode(cipher.seal(bytes, at: Self.location(request)))
    }

    /// The beginning without a cursor. Errors: 400 `invalid-cursor`.
    func position(_ text: String?, of request: UUID) throws(Problem) -> Int64 {
        guard let text, text != Self.beginning else { return 0 }
        guard text.utf8.count <= 256, let sealed = Base64.url.decode(text) else { throw Self.invalid }
        do throws(SecurityError) {
            let bytes = try cipher.open(sealed, at: Self.location(request))
            return bytes.reduce(0) { $0 << 8 | Int64($1) }
        } catch { throw Self.invalid }
    }

    private static let invalid = Problem(
        .badRequest, code: "invalid-cursor",
        detail: "the cursor is not one of this request; without one, or with 0, reading begins anew")

    private static func location(_ request: UUID) -> FieldLocation { FieldLocation("query.cursor", row: request) }
}

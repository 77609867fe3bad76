import Contracts
import HTTP
import Primitives
import Security

/// The position of the reader of a request's data, as the client gets it: ingestion's position, sealed and bound to the
/// request.
///
/// Positions grow with every upload of the person, whatever it holds. Sealed, each cursor looks new, so that a client
/// cannot tell from it whether data came that was not accepted, or how much all people upload.
struct DeliveryCursor: Sendable {
    static let beginning = "0"

    let cipher: FieldCipher

    func text(_ position: Ingestion.ReadCursor, of request: UUID) -> String {
        // Of one length, whatever the position.
        Base64.url.encode(cipher.seal(position.bytes, at: Self.location(request)))
    }

    /// The position of a cursor of this request; `nil` for another text.
    func position(_ text: String, of request: UUID) -> Ingestion.ReadCursor? {
        if text == Self.beginning { return .beginning }
        guard text.utf8.count <= 256, let sealed = Base64.url.decode(text) else { return nil }
        do throws(SecurityError) {
            return Ingestion.ReadCursor(bytes: try cipher.open(sealed, at: Self.location(request)))
        } catch { return nil }
    }

    /// The parameter `cursor`: the beginning without one.
    func position(in query: inout QueryReader, of request: UUID) -> Ingestion.ReadCursor {
        guard let text = query.text("cursor") else { return .beginning }
        if let position = position(text, of: request) { return position }
        query.refuse("cursor", "it is not one of this request; without one, or with 0, reading begins anew")
        return .beginning
    }

    private static func location(_ request: UUID) -> FieldLocation { FieldLocation("query.cursor", row: request) }
}

import HTTP
import Primitives
import Security

/// The position of a reader of a third party's events, as the client gets it: a number, sealed and bound to the third party, so
/// that it tells nothing and holds for nobody else. It holds across restarts and on every replica.
struct EventCursor: Sendable {
    static let beginning = "0"

    let cipher: FieldCipher

    func text(_ number: Int64, of requester: UUID) -> String {
        let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return Base64.url.encode(cipher.seal(bytes, at: Self.location(requester)))
    }

    /// The number of a cursor of this third party; `nil` for another text.
    func number(_ text: String, of requester: UUID) -> Int64? {
        if text == Self.beginning { return 0 }
        guard text.utf8.count <= 256, let sealed = Base64.url.decode(text) else { return nil }
        do throws(SecurityError) {
            let bytes = try cipher.open(sealed, at: Self.location(requester))
            guard bytes.count == 8 else { return nil }
            return bytes.reduce(0) { $0 << 8 | Int64($1) }
        } catch { return nil }
    }

    /// The parameter `cursor`: the beginning without one.
    func number(in query: inout QueryReader, of requester: UUID) -> Int64 {
        guard let text = query.text("cursor") else { return 0 }
        if let number = number(text, of: requester) { return number }
        query.refuse("cursor", "it is not one of your events; without one, or with 0, reading begins anew")
        return 0
    }

    private static func location(_ requester: UUID) -> FieldLocation {
        FieldLocation("query.event_cursor", row: requester)
    }
}

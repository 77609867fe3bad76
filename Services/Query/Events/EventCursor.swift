import HTTP
import Primitives
import Security

/// The position of a reader of a third party's events, as the client gets it: a number, sealed and bound to the third party, so
/// that it tells nothing and holds for nobody else. It holds across restarts and on every replica.
struct EventCursor: Sendable {
    static let (beginning, now) = ("0", "now")

    /// Where a reader begins.
    enum Start: Sendable {
        case after(Int64)
        /// After all that is there.
        case now

        /// Nothing that is there can be gone before it.
        var isBeginning: Bool { if case .after(0) = self { true } else { false } }
    }

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
    func start(in query: inout QueryReader, of requester: UUID) -> Start {
        guard let text = query.text("cursor") else { return .after(0) }
        if text == Self.now { return .now }
        if let number = number(text, of: requester) { return .after(number) }
        query.refuse(
            "cursor",
            "it is not one of your events; without one, or with 0, reading begins anew, and with now after all of them")
        return .after(0)
    }

    private static func location(_ requester: UUID) -> FieldLocation {
        FieldLocation("query.event_cursor", row: requester)
    }
}

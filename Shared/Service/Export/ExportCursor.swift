public import Contracts
import JSON

extension Exports.Params {
    /// Where to go on, as `Exports.Page(_:continuing:)` has written it; `nil` at the beginning. Errors: another form.
    public func cursor<Cursor: Decodable>(as _: Cursor.Type = Cursor.self) throws -> Cursor? {
        try after.map { try JSONDecoder().decode(Cursor.self, from: Array($0.utf8)) }
    }
}

extension Exports.Page {
    /// A page, and where the next one goes on; `nil` after the last page.
    public init(_ pieces: [Exports.Piece], continuing cursor: (some Encodable)?) throws {
        self.init(
            pieces: pieces, next: try cursor.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) })
    }
}

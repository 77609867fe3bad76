import JSON
import Primitives
import Security

/// The encrypted columns of this schema (NFR-05): each value is bound to its column and row.
struct PersonalColumns: Sendable {
    enum Column: String, CaseIterable {
        case organiserName = "track4run.run.organiser_name"
        case runnerName = "track4run.enrolment.name"
        case progress = "track4run.progress.content"
        case result = "track4run.result.content"
    }

    private let cipher: FieldCipher

    init(_ keys: FieldKeys) {
        cipher = FieldCipher(keys)
    }

    func seal(_ text: String, _ column: Column, row: [UUID]) -> [UInt8] {
        cipher.seal(text, at: Self.location(column, row))
    }

    func open(_ sealed: [UInt8], _ column: Column, row: [UUID]) throws(SecurityError) -> String {
        try cipher.openText(sealed, at: Self.location(column, row))
    }

    func seal(encoding value: some Encodable, _ column: Column, row: [UUID]) throws(JSONError) -> [UInt8] {
        cipher.seal(try JSONEncoder().encode(value), at: Self.location(column, row))
    }

    func open<Value: Decodable>(
        _ sealed: [UInt8], as _: Value.Type = Value.self, _ column: Column, row: [UUID]
    ) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try cipher.open(sealed, at: Self.location(column, row)))
    }

    private static func location(_ column: Column, _ row: [UUID]) -> FieldLocation {
        FieldLocation(column.rawValue, row: row.flatMap(\.bytes))
    }
}

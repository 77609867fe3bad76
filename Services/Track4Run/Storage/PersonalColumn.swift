import JSON
import Primitives
import Security

/// The encrypted columns of this schema (NFR-05): each value is bound to its column and row, and sealed with the key of the person
/// it is about.
enum PersonalColumn: String, CaseIterable {
    /// An individual's; a company's name is published.
    case organiserName = "track4run.run.organiser_name"
    case runnerName = "track4run.enrolment.name"
    case progress = "track4run.progress.content"
    case result = "track4run.result.content"

    func seal(_ text: String, row: [UUID], with key: SubjectKey) -> [UInt8] {
        key.seal(text, at: location(row))
    }

    func open(_ sealed: [UInt8], row: [UUID], with key: SubjectKey) throws(SecurityError) -> String {
        try key.openText(sealed, at: location(row))
    }

    func seal(encoding value: some Encodable, row: [UUID], with key: SubjectKey) throws(JSONError) -> [UInt8] {
        key.seal(try JSONEncoder().encode(value), at: location(row))
    }

    func open<Value: Decodable>(
        _ sealed: [UInt8], as _: Value.Type = Value.self, row: [UUID], with key: SubjectKey
    ) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try key.open(sealed, at: location(row)))
    }

    func location(_ row: [UUID]) -> FieldLocation {
        FieldLocation(rawValue, row: row.flatMap(\.bytes))
    }
}

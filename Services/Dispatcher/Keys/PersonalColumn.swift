import JSON
import Primitives
import Security

/// The columns sealed with a person's key (NFR-05, ACC-12): JSON, each bound to its column and the person.
enum PersonalColumn: String {
    case enrolment = "dispatcher.enrolment.details"
    case monitor = "dispatcher.monitor.state"

    func seal(_ value: some Encodable, of account: UUID, with key: SubjectKey) throws(JSONError) -> [UInt8] {
        key.seal(try JSONEncoder().encode(value), at: FieldLocation(rawValue, row: account))
    }

    func open<Value: Decodable>(
        _ sealed: [UInt8], as _: Value.Type = Value.self, of account: UUID, with key: SubjectKey
    ) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try key.open(sealed, at: FieldLocation(rawValue, row: account)))
    }
}

import JSON
import Primitives
import Security

/// The encrypted columns of this service (NFR-05): JSON, sealed for its row.
struct SealedColumns: Sendable {
    enum Column: String, CaseIterable, Sendable {
        case enrolment = "dispatcher.enrolment.details"
        case monitor = "dispatcher.monitor.state"
        case incident = "dispatcher.incident.details"
    }

    let cipher: FieldCipher

    func seal(_ value: some Encodable, _ column: Column, row: UUID) throws(JSONError) -> [UInt8] {
        cipher.seal(try JSONEncoder().encode(value), at: FieldLocation(column.rawValue, row: row))
    }

    func open<Value: Decodable>(
        _ sealed: [UInt8], as type: Value.Type = Value.self, _ column: Column, row: UUID
    ) throws -> Value {
        try JSONDecoder().decode(type, from: cipher.open(sealed, at: FieldLocation(column.rawValue, row: row)))
    }
}

import JSON
import Primitives
import Security

/// The columns sealed with a person's key (NFR-05, ACC-12), each bound to its column and the person: JSON, or the compact form
/// (`Packing/`) of what is in memory of everybody who is watched.
enum PersonalColumn: String {
    case enrolment = "dispatcher.enrolment.details"
    case monitor = "dispatcher.monitor.state"
    case identity = "dispatcher.enrolled_person.identity"
    case thresholds = "dispatcher.thresholds.own"
    case proposal = "dispatcher.thresholds.proposal"

    func seal(_ value: some Encodable, of account: UUID, with key: SubjectKey) throws(JSONError) -> [UInt8] {
        key.seal(try JSONEncoder().encode(value), at: FieldLocation(rawValue, row: account))
    }

    func seal(packed value: some Packable, of account: UUID, with key: SubjectKey) -> [UInt8] {
        var packer = Packer(bytesExpected: 256)
        value.pack(into: &packer)
        return seal(bytes: packer.bytes, of: account, with: key)
    }

    func seal(bytes: [UInt8], of account: UUID, with key: SubjectKey) -> [UInt8] {
        key.seal(bytes, at: FieldLocation(rawValue, row: account))
    }

    func open(bytes sealed: [UInt8], of account: UUID, with key: SubjectKey) throws(SecurityError) -> [UInt8] {
        try key.open(sealed, at: FieldLocation(rawValue, row: account))
    }

    func open<Value: Packable>(
        packed sealed: [UInt8], as _: Value.Type = Value.self, of account: UUID, with key: SubjectKey
    ) throws -> Value {
        var unpacker = Unpacker(try open(bytes: sealed, of: account, with: key))
        let value = try Value(from: &unpacker)
        try unpacker.finish()
        return value
    }

    func open<Value: Decodable>(
        _ sealed: [UInt8], as _: Value.Type = Value.self, of account: UUID, with key: SubjectKey
    ) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try key.open(sealed, at: FieldLocation(rawValue, row: account)))
    }
}

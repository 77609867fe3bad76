/// The members of an object on a tape.
struct TapeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let tape: Tape
    let index: Int

    init(tape: Tape, index: Int) throws(JSONError) {
        guard tape.tokens[index].kind == .object else { throw tape.mismatch("an object", at: index) }
        self.tape = tape
        self.index = index
        if tape.refusesUnknownKeys { try refuseUnknownKeys() }
    }

    private func refuseUnknownKeys() throws(JSONError) {
        var position = index + 1
        while position < Int(tape.tokens[index].next) {
            let name = tape.string(of: position)
            guard Key(stringValue: name) != nil else {
                throw JSONError(kind: .unknownKey, path: tape.path(to: position + 1), message: "is not known")
            }
            position = tape.end(of: position + 1)
        }
    }

    var codingPath: [any CodingKey] { tape.codingPath(to: index) }

    var allKeys: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(tape.tokens[index].payload)
        var position = index + 1
        while position < Int(tape.tokens[index].next) {
            if let key = Key(stringValue: tape.string(of: position)) { keys.append(key) }
            position = tape.end(of: position + 1)
        }
        return keys
    }

    @inline(__always) private func member(_ key: Key) throws(JSONError) -> Int {
        let name = key.stringValue
        guard let value = tape.member(name, of: index) else { throw tape.missing(name, in: index) }
        return value
    }

    /// `nil` for an absent member and for `null`.
    @inline(__always) private func present(_ key: Key) -> Int? {
        guard let value = tape.member(key.stringValue, of: index), !tape.isNull(at: value) else { return nil }
        return value
    }

    func contains(_ key: Key) -> Bool { tape.member(key.stringValue, of: index) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { tape.isNull(at: try member(key)) }

    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try tape.bool(at: member(key)) }
    func decode(_: String.Type, forKey key: Key) throws -> String { try tape.string(at: member(key)) }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try tape.double(at: member(key)) }
    func decode(_: Float.Type, forKey key: Key) throws -> Float { try tape.float(at: member(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try tape.integer(at: member(key), as: type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try tape.integer(at: member(key), as: type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try tape.integer(at: member(key), as: type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try tape.integer(at: member(key), as: type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try tape.integer(at: member(key), as: type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try tape.integer(at: member(key), as: type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try tape.integer(at: member(key), as: type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try tape.integer(at: member(key), as: type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try tape.integer(at: member(key), as: type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try tape.integer(at: member(key), as: type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try tape.decode(type, at: member(key))
    }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map { try tape.bool(at: $0) }
    }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try tape.string(at: $0) }
    }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map { try tape.double(at: $0) }
    }
    func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? {
        try present(key).map { try tape.float(at: $0) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try present(key).map { try tape.integer(at: $0, as: type) }
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try tape.decode(type, at: $0) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try TapeObject<Nested>(tape: tape, index: member(key)))
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try TapeArray(tape: tape, index: member(key))
    }
    func superDecoder() throws -> any Decoder {
        guard let value = tape.member("super", of: index) else { throw tape.missing("super", in: index) }
        return TapeDecoder(tape: tape, index: value)
    }
    func superDecoder(forKey key: Key) throws -> any Decoder { TapeDecoder(tape: tape, index: try member(key)) }
}

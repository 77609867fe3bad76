/// The members of an object on a tape.
struct TapeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let tape: Tape
    let index: Int

    init(tape: Tape, index: Int) throws(JSONError) {
        guard tape.tokens[index].kind == .object else { throw tape.mismatch("an object", at: index) }
        self.tape = tape
        self.index = index
        if MemberName.isTranslated(Key.self) { tape.marks?.openedByName(index) }
    }

    var codingPath: [any CodingKey] { tape.codingPath(to: index) }

    var allKeys: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(tape.tokens[index].payload)
        var position = index + 1
        while position < Int(tape.tokens[index].next) {
            let name = tape.string(of: position)
            if let key = Key(stringValue: name) ?? Key(stringValue: MemberName.swift(name)),
                MemberName.json(key) == name
            {
                keys.append(key)
            }
            position = tape.end(of: position + 1)
        }
        return keys
    }

    /// The index of a member's value.
    @inline(__always) private func find(_ key: Key) -> Int? {
        var name = key.stringValue
        let found = name.withUTF8 { bytes in
            guard MemberName.isTranslated(Key.self), MemberName.hasCapital(bytes) else {
                return tape.member(bytes, of: index)
            }
            return MemberName.translated(bytes) { tape.member($0, of: index) }
        }
        if let found { tape.marks?.asked(found &- 1) }
        return found
    }

    @inline(__always) private func member(_ key: Key) throws(JSONError) -> Int {
        guard let value = find(key) else { throw tape.missing(MemberName.json(key), in: index) }
        return value
    }

    /// `nil` for an absent member and for `null`.
    @inline(__always) private func present(_ key: Key) -> Int? {
        guard let value = find(key), !tape.isNull(at: value) else { return nil }
        return value
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { tape.isNull(at: try member(key)) }

    func decode(_: Bool.Type, forKey key: Key) throws -> Bool {
        try tape.reading({ () throws(JSONError) in try tape.bool(at: member(key)) }, orElse: { _ in false })
    }
    func decode(_: String.Type, forKey key: Key) throws -> String {
        try tape.reading({ () throws(JSONError) in try tape.string(at: member(key)) }, orElse: { _ in "" })
    }
    func decode(_: Double.Type, forKey key: Key) throws -> Double {
        try tape.reading({ () throws(JSONError) in try tape.double(at: member(key)) }, orElse: { _ in 0 })
    }
    func decode(_: Float.Type, forKey key: Key) throws -> Float {
        try tape.reading({ () throws(JSONError) in try tape.float(at: member(key)) }, orElse: { _ in 0 })
    }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try tape.reading(
            { () throws(JSONError) in try tape.decode(type, at: member(key)) }, orElse: { $0.value(of: type) })
    }

    @inline(__always) private func integer<Integer: FixedWidthInteger>(_ key: Key) throws(JSONError) -> Integer {
        try tape.reading(
            { () throws(JSONError) in try tape.integer(at: member(key), as: Integer.self) }, orElse: { _ in 0 })
    }

    @inline(__always)
    private func optional<Value>(_ key: Key, _ read: (Int) throws(JSONError) -> Value) throws(JSONError) -> Value? {
        guard let value = present(key) else { return nil }
        return try tape.reading({ () throws(JSONError) -> Value? in try read(value) }, orElse: { _ in .some(nil) })
    }

    @inline(__always)
    private func optionalInteger<Integer: FixedWidthInteger>(_ key: Key) throws(JSONError) -> Integer? {
        try optional(key) { (value) throws(JSONError) in try tape.integer(at: value, as: Integer.self) }
    }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? {
        try optional(key) { (value) throws(JSONError) in try tape.bool(at: value) }
    }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
        try optional(key) { (value) throws(JSONError) in try tape.string(at: value) }
    }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
        try optional(key) { (value) throws(JSONError) in try tape.double(at: value) }
    }
    func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? {
        try optional(key) { (value) throws(JSONError) in try tape.float(at: value) }
    }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try optionalInteger(key) }
    func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try optionalInteger(key) }
    func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try optionalInteger(key) }
    func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try optionalInteger(key) }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try optionalInteger(key) }
    func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try optionalInteger(key) }
    func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try optionalInteger(key) }
    func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? { try optionalInteger(key) }
    func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? { try optionalInteger(key) }
    func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? { try optionalInteger(key) }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try optional(key) { (value) throws(JSONError) in try tape.decode(type, at: value) }
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

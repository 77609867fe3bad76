/// The `Decoder` of one value on a tape. Three words at most, so that it is stored inline in `any Decoder`.
struct TapeDecoder: Decoder {
    let tape: Tape
    let index: Int

    var codingPath: [any CodingKey] { tape.codingPath(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try TapeObject<Key>(tape: tape, index: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try TapeArray(tape: tape, index: index) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { tape.isNull(at: index) }
    func decode(_: Bool.Type) throws -> Bool { try tape.bool(at: index) }
    func decode(_: String.Type) throws -> String { try tape.string(at: index) }
    func decode(_: Double.Type) throws -> Double { try tape.double(at: index) }
    func decode(_: Float.Type) throws -> Float { try tape.float(at: index) }
    func decode(_ type: Int.Type) throws -> Int { try tape.integer(at: index, as: type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try tape.integer(at: index, as: type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try tape.integer(at: index, as: type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try tape.integer(at: index, as: type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try tape.integer(at: index, as: type) }
    func decode(_ type: UInt.Type) throws -> UInt { try tape.integer(at: index, as: type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try tape.integer(at: index, as: type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try tape.integer(at: index, as: type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try tape.integer(at: index, as: type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try tape.integer(at: index, as: type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try tape.decode(type, at: index) }
}

/// The `Encoder` of one value: the text from `start`, and containers from `level` on, are its own. Three words, so that
/// it is stored inline in `any Encoder`.
struct SlotEncoder: Encoder {
    let output: EncodingOutput
    let start: Int
    let level: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ObjectWriter<Key>(output: output, handle: output.container(.object, level: level)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ArrayWriter(output: output, handle: output.container(.array, level: level))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// A slot holds one value.
    func claim() throws(JSONError) {
        guard output.bytes.count == start, output.level == level else {
            throw JSONError(kind: .value, message: "one value is written as two")
        }
    }
}

extension SlotEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        try claim()
        JSONWriter.null(into: &output.bytes)
    }
    func encode(_ value: Bool) throws {
        try claim()
        JSONWriter.bool(value, into: &output.bytes)
    }
    func encode(_ value: String) throws {
        try claim()
        JSONWriter.string(value, into: &output.bytes)
    }
    func encode(_ value: Double) throws {
        try claim()
        try JSONWriter.number(value, into: &output.bytes)
    }
    func encode(_ value: Float) throws {
        try claim()
        try JSONWriter.number(value, into: &output.bytes)
    }
    private func write(_ value: some FixedWidthInteger) throws {
        try claim()
        JSONWriter.integer(value, into: &output.bytes)
    }
    func encode(_ value: Int) throws { try write(value) }
    func encode(_ value: Int8) throws { try write(value) }
    func encode(_ value: Int16) throws { try write(value) }
    func encode(_ value: Int32) throws { try write(value) }
    func encode(_ value: Int64) throws { try write(value) }
    func encode(_ value: UInt) throws { try write(value) }
    func encode(_ value: UInt8) throws { try write(value) }
    func encode(_ value: UInt16) throws { try write(value) }
    func encode(_ value: UInt32) throws { try write(value) }
    func encode(_ value: UInt64) throws { try write(value) }
    func encode<Value: Encodable>(_ value: Value) throws {
        try claim()
        try output.encode(value)
    }
}

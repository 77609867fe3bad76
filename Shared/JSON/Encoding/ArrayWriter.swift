/// Writes the elements of an array as they come.
struct ArrayWriter: UnkeyedEncodingContainer {
    private let output: EncodingOutput
    private let handle: EncodingOutput.Handle
    private(set) var count = 0

    init(output: EncodingOutput, handle: EncodingOutput.Handle) {
        self.output = output
        self.handle = handle
    }

    var codingPath: [any CodingKey] { [] }

    @inline(__always) private mutating func begin() throws(JSONError) {
        try output.resume(handle)
        count += 1
    }

    @inline(__always) private func located(_ write: () throws(JSONError) -> Void) throws(JSONError) {
        do {
            try write()
        } catch {
            throw error.inside("[\(count - 1)]")
        }
    }

    mutating func encodeNil() throws {
        try begin()
        JSONWriter.null(into: &output.bytes)
    }
    mutating func encode(_ value: Bool) throws {
        try begin()
        JSONWriter.bool(value, into: &output.bytes)
    }
    mutating func encode(_ value: String) throws {
        try begin()
        JSONWriter.string(value, into: &output.bytes)
    }
    mutating func encode(_ value: Double) throws {
        try begin()
        try located { () throws(JSONError) in try JSONWriter.number(value, into: &output.bytes) }
    }
    mutating func encode(_ value: Float) throws {
        try begin()
        try located { () throws(JSONError) in try JSONWriter.number(value, into: &output.bytes) }
    }
    private mutating func write(_ value: some FixedWidthInteger) throws {
        try begin()
        JSONWriter.integer(value, into: &output.bytes)
    }
    mutating func encode(_ value: Int) throws { try write(value) }
    mutating func encode(_ value: Int8) throws { try write(value) }
    mutating func encode(_ value: Int16) throws { try write(value) }
    mutating func encode(_ value: Int32) throws { try write(value) }
    mutating func encode(_ value: Int64) throws { try write(value) }
    mutating func encode(_ value: UInt) throws { try write(value) }
    mutating func encode(_ value: UInt8) throws { try write(value) }
    mutating func encode(_ value: UInt16) throws { try write(value) }
    mutating func encode(_ value: UInt32) throws { try write(value) }
    mutating func encode(_ value: UInt64) throws { try write(value) }
    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try begin()
        try located { () throws(JSONError) in try output.encode(value) }
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(ObjectWriter<Nested>(output: output, handle: nested(.object)))
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ArrayWriter(output: output, handle: nested(.array))
    }
    mutating func superEncoder() -> any Encoder {
        _ = nested(.slot)
        return SlotEncoder(output: output, start: output.bytes.count, level: output.level)
    }

    private mutating func nested(_ kind: EncodingOutput.Kind) -> EncodingOutput.Handle {
        output.resumeOrFail(handle)
        count += 1
        return output.container(kind, level: output.level)
    }
}

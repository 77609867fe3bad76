/// Writes the members of an object as they come.
struct ObjectWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: EncodingOutput
    let handle: EncodingOutput.Handle

    var codingPath: [any CodingKey] { [] }

    @inline(__always) private func begin(_ key: some CodingKey) throws(JSONError) {
        try output.resume(handle)
        name(key)
    }

    @inline(__always) private func name<Name: CodingKey>(_ key: Name) {
        JSONWriter.key(key.stringValue, translates: MemberName.isTranslated(Name.self), into: &output.bytes)
    }

    @inline(__always) private func located(_ key: Key, _ write: () throws(JSONError) -> Void) throws(JSONError) {
        do {
            try write()
        } catch {
            throw error.inside(PathKey.step(key))
        }
    }

    func encodeNil(forKey key: Key) throws {
        try begin(key)
        JSONWriter.null(into: &output.bytes)
    }
    func encode(_ value: Bool, forKey key: Key) throws {
        try begin(key)
        JSONWriter.bool(value, into: &output.bytes)
    }
    func encode(_ value: String, forKey key: Key) throws {
        try begin(key)
        JSONWriter.string(value, into: &output.bytes)
    }
    func encode(_ value: Double, forKey key: Key) throws {
        try begin(key)
        try located(key) { () throws(JSONError) in try JSONWriter.number(value, into: &output.bytes) }
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try begin(key)
        try located(key) { () throws(JSONError) in try JSONWriter.number(value, into: &output.bytes) }
    }
    @inline(__always) private func write(_ value: some FixedWidthInteger, _ key: Key) throws {
        try begin(key)
        JSONWriter.integer(value, into: &output.bytes)
    }
    func encode(_ value: Int, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try write(value, key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try begin(key)
        try located(key) { () throws(JSONError) in try output.encode(value) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<
        Nested
    > {
        KeyedEncodingContainer(ObjectWriter<Nested>(output: output, handle: nested(.object, key)))
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ArrayWriter(output: output, handle: nested(.array, key))
    }
    func superEncoder() -> any Encoder { slot(PathKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { slot(key) }

    private func nested(_ kind: EncodingOutput.Kind, _ key: some CodingKey) -> EncodingOutput.Handle {
        output.resumeOrFail(handle)
        name(key)
        return output.container(kind, level: output.level)
    }

    private func slot(_ key: some CodingKey) -> any Encoder {
        _ = nested(.slot, key)
        return SlotEncoder(output: output, start: output.bytes.count, level: output.level)
    }
}

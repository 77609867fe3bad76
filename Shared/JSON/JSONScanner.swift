/// A parsed JSON text whose parts can be found, and decoded, without parsing again. Not for use by several tasks at once.
public struct JSONScanner {
    /// One value of the text.
    public struct Value: Sendable {
        /// Its bytes in the text, without white space around them.
        public let range: Range<Int>
        let index: Int
    }

    let tape: Tape

    /// Parses a copy of `bytes`.
    public init(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        tape = try Parser.parse(bytes, limits: limits)
    }

    public init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        tape = try bytes.withBytes { (source) throws(JSONError) in try Parser.parse(source, limits: limits) }
    }

    public init(_ bytes: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        tape = try bytes.withBytes { (source) throws(JSONError) in try Parser.parse(source, limits: limits) }
    }

    /// Whether `bytes` are one JSON text within `limits`; throws what is wrong with it. Safe for any bytes.
    public static func validate(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        _ = try Parser.parse(bytes, limits: limits, borrowing: true)
    }

    public static func validate(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try bytes.withBytes { (source) throws(JSONError) in try validate(source, limits: limits) }
    }

    /// The offset after the first value in `bytes`, whatever follows it.
    public static func endOfValue(
        in bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()
    ) throws(JSONError) -> Int {
        try Parser.endOfValue(bytes, limits: limits)
    }

    /// The value that the text is.
    public var root: Value { value(0) }

    /// The members of the object that the text is, in their order; empty for another kind of value.
    public func members() -> [(key: String, value: Value)] { members(of: root) }

    /// The members of an object in the text, in their order; empty for another kind of value.
    public func members(of value: Value) -> [(key: String, value: Value)] {
        let object = index(of: value)
        guard tape.tokens[object].kind == .object else { return [] }
        var members: [(key: String, value: Value)] = []
        members.reserveCapacity(tape.tokens[object].payload)
        var position = object + 1
        while position < Int(tape.tokens[object].next) {
            members.append((tape.string(of: position), self.value(position + 1)))
            position = tape.end(of: position + 1)
        }
        return members
    }

    /// The elements of the array that the text is; empty for another kind of value.
    public func elements() -> [Value] { elements(of: root) }

    /// The elements of an array in the text; empty for another kind of value.
    public func elements(of value: Value) -> [Value] {
        let array = index(of: value)
        guard tape.tokens[array].kind == .array else { return [] }
        var elements: [Value] = []
        elements.reserveCapacity(tape.tokens[array].payload)
        var position = array + 1
        while position < Int(tape.tokens[array].next) {
            elements.append(self.value(position))
            position = tape.end(of: position)
        }
        return elements
    }

    public var isObject: Bool { tape.tokens[0].kind == .object }
    public var isArray: Bool { tape.tokens[0].kind == .array }

    /// A member of the object that the text is; `nil` when there is none. Fast when members are asked for in their order.
    public func member(_ key: String) -> Value? { member(key, of: root) }

    /// A member of an object in the text; `nil` when there is none.
    public func member(_ key: String, of value: Value) -> Value? {
        let object = index(of: value)
        guard tape.tokens[object].kind == .object else { return nil }
        return tape.member(key, of: object).map { self.value($0) }
    }

    /// Decodes a value of this text, up to its first fault; paths in errors begin at the whole text. Members that the type
    /// does not ask for are ignored.
    public func decode<Decoded: Decodable>(_ type: Decoded.Type, from value: Value) throws(JSONError) -> Decoded {
        try tape.decode(type, at: index(of: value))
    }

    /// The value's own text.
    public func raw(_ value: Value) -> JSONRaw { tape.raw(at: index(of: value)) }

    /// A value of another scanner could be past the end of this one.
    func index(of value: Value) -> Int {
        precondition(value.index < tape.tokenCount, "the value belongs to another text")
        return value.index
    }

    func value(_ index: Int) -> Value { Value(range: tape.range(of: index), index: index) }
}

/// The elements of an array on a tape, one after the other.
struct TapeArray: UnkeyedDecodingContainer {
    private let tape: Tape
    private let index: UInt32
    private var next: UInt32
    private var ordinal: UInt32 = 0

    init(tape: Tape, index: Int) throws(JSONError) {
        guard tape.tokens[index].kind == .array else { throw tape.mismatch("an array", at: index) }
        self.tape = tape
        self.index = UInt32(truncatingIfNeeded: index)
        next = self.index + 1
    }

    var codingPath: [any CodingKey] { tape.codingPath(to: Int(index)) }
    var count: Int? { tape.tokens[Int(index)].payload }
    var isAtEnd: Bool { next >= tape.tokens[Int(index)].next }
    var currentIndex: Int { Int(ordinal) }

    /// The element at the position; the position moves on when `read` succeeds, as `UnkeyedDecodingContainer` asks.
    @inline(__always) private mutating func element<Value>(_ read: (Int) throws -> Value) throws -> Value {
        guard !isAtEnd else {
            throw tape.error("expected more than \(ordinal) elements", at: Int(index))
        }
        let value = try read(Int(next))
        next = UInt32(truncatingIfNeeded: tape.end(of: Int(next)))
        ordinal += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, tape.isNull(at: Int(next)) else { return false }
        next += 1
        ordinal += 1
        return true
    }

    mutating func decode(_: Bool.Type) throws -> Bool { try element { [tape] in try tape.bool(at: $0) } }
    mutating func decode(_: String.Type) throws -> String { try element { [tape] in try tape.string(at: $0) } }
    mutating func decode(_: Double.Type) throws -> Double { try element { [tape] in try tape.double(at: $0) } }
    mutating func decode(_: Float.Type) throws -> Float { try element { [tape] in try tape.float(at: $0) } }
    mutating func decode(_ type: Int.Type) throws -> Int {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt.Type) throws -> UInt {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try element { [tape] in try tape.integer(at: $0, as: type) }
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try element { [tape] position in
            try tape.reading(
                { () throws(JSONError) in try tape.decode(type, at: position) }, orElse: { $0.value(of: type) })
        }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try element { [tape] in KeyedDecodingContainer(try TapeObject<Nested>(tape: tape, index: $0)) }
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try element { [tape] in try TapeArray(tape: tape, index: $0) }
    }
    mutating func superDecoder() throws -> any Decoder { try element { [tape] in TapeDecoder(tape: tape, index: $0) } }
}

/// Decodes values from JSON texts (RFC 8259), strictly: UTF-8 without a byte-order mark, no member named twice, numbers
/// exact for integers and correctly rounded for doubles, within `limits`.
///
/// Integers are read from numbers without a fraction and an exponent only. `null` reads as `nil`.
public struct JSONDecoder: Sendable {
    /// What happens to a member that the type does not ask for.
    public enum UnknownKeys: Sendable {
        case ignore
        /// The member is an error. Judged by each keyed container's `CodingKey` type, so a type must not read one object
        /// through two of them.
        case refuse
    }

    private let limits: JSONLimits
    private let unknownKeys: UnknownKeys

    public init(limits: JSONLimits = JSONLimits(), unknownKeys: UnknownKeys = .ignore) {
        self.limits = limits
        self.unknownKeys = unknownKeys
    }

    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(JSONError) -> Value {
        try parse(bytes).decode(type, at: 0)
    }

    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws(JSONError) -> Value {
        try parse(bytes).decode(type, at: 0)
    }

    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws(JSONError)
        -> Value
    {
        try Parser.parse(bytes, limits: limits, refusesUnknownKeys: unknownKeys == .refuse).decode(type, at: 0)
    }

    private func parse(_ bytes: borrowing some ContiguousBytes) throws(JSONError) -> Tape {
        try bytes.withBytes { (source) throws(JSONError) in
            try Parser.parse(source, limits: limits, refusesUnknownKeys: unknownKeys == .refuse)
        }
    }
}

/// The two array types that bytes come in.
protocol ContiguousBytes {
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(JSONError) -> Result) throws(JSONError) -> Result
}

extension [UInt8]: ContiguousBytes {
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(JSONError) -> Result) throws(JSONError) -> Result {
        try withUnsafeBufferPointer { (source) throws(JSONError) in try body(UnsafeRawBufferPointer(source)) }
    }
}

extension ArraySlice<UInt8>: ContiguousBytes {
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(JSONError) -> Result) throws(JSONError) -> Result {
        try withUnsafeBufferPointer { (source) throws(JSONError) in try body(UnsafeRawBufferPointer(source)) }
    }
}

/// Decodes values from JSON texts (RFC 8259), strictly: UTF-8 without a byte-order mark, no member named twice, numbers
/// exact for integers and correctly rounded for doubles, within `limits`. Members are named as `MemberName` says.
///
/// Integers are read from numbers without a fraction and an exponent only. `null` reads as `nil`. An error names every fault
/// that could be found (`JSONError.others`), at most 32: a text that does not decode is gone through again with stand-ins for
/// what cannot be read.
public struct JSONDecoder: Sendable {
    /// What happens to a member that the type does not ask for.
    public enum UnknownKeys: Sendable {
        case ignore
        /// The member is an error.
        case refuse
    }

    private let limits: JSONLimits
    private let unknownKeys: UnknownKeys
    private let refusesControlCharacters: Bool

    /// `refusesControlCharacters`: texts and member names that hold one, other than tabs and line breaks, are errors. For
    /// texts of clients: databases, logs and mails do not take all of them.
    public init(
        limits: JSONLimits = JSONLimits(), unknownKeys: UnknownKeys = .ignore, refusesControlCharacters: Bool = false
    ) {
        self.limits = limits
        self.unknownKeys = unknownKeys
        self.refusesControlCharacters = refusesControlCharacters
    }

    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(JSONError) -> Value {
        try bytes.withBytes { (source) throws(JSONError) in try decode(type, from: source) }
    }

    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: ArraySlice<UInt8>) throws(JSONError) -> Value {
        try bytes.withBytes { (source) throws(JSONError) in try decode(type, from: source) }
    }

    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws(JSONError)
        -> Value
    {
        let tape = try parsed(bytes)
        if unknownKeys == .refuse { tape.marks = MemberMarks(tape) }
        do throws(JSONError) {
            let value = try tape.decode(type, at: 0)
            guard let unknown = tape.marks?.unknownMembers(of: tape).first else { return value }
            throw unknown
        } catch {
            throw Self.everyFault(type, tape, after: error)
        }
    }

    /// Decodes a value and counts the members that its type does not ask for, which are passed over (at most 32 are counted).
    public func decodeCounting<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(JSONError) -> (value: Value, unknown: Int) {
        try bytes.withBytes { (source) throws(JSONError) in
            let tape = try parsed(source)
            tape.marks = MemberMarks(tape)
            do throws(JSONError) {
                let value = try tape.decode(type, at: 0)
                return (value, tape.marks?.unknownMembers(of: tape).count ?? 0)
            } catch {
                tape.marks = nil
                throw Self.everyFault(type, tape, after: error)
            }
        }
    }

    private func parsed(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Tape {
        let tape = try Parser.parse(bytes, limits: limits)
        if refusesControlCharacters, let fault = tape.controlCharacter() { throw fault }
        return tape
    }

    /// Goes through the text again and collects what is wrong with it.
    @inline(never)
    private static func everyFault<Value: Decodable>(
        _ type: Value.Type, _ tape: Tape, after error: JSONError
    ) -> JSONError {
        let collection = FaultCollection()
        tape.faults = collection
        if tape.marks != nil { tape.marks = MemberMarks(tape) }
        _ = try? tape.reading({ () throws(JSONError) in try tape.decode(type, at: 0) }, orElse: { _ in nil })
        for unknown in tape.marks?.unknownMembers(of: tape) ?? [] { collection.add(unknown) }
        guard let first = collection.faults.first else { return error }
        return first.with(others: collection.faults.dropFirst())
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

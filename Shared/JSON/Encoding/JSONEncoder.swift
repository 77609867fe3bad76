/// Encodes values as compact JSON: members in the order in which they are written, doubles with the fewest digits that
/// read back the same, absent optionals left out.
public struct JSONEncoder: Sendable {
    public init() {}

    /// One line without an end: the text has no line break. Throws for numbers that are not finite, and for more than
    /// 128 containers within one another.
    public func encode(_ value: some Encodable) throws(JSONError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        try encode(value, into: &bytes)
        return bytes
    }

    /// The same, appended as the next value to a text that is being written with `JSONWriter`. When it throws, `bytes`
    /// is as before.
    public func encode(_ value: some Encodable, into bytes: inout [UInt8]) throws(JSONError) {
        let before = bytes.count
        let output = EncodingOutput(bytes)
        bytes = []
        do throws(JSONError) {
            try output.encode(value)
            if let failure = output.failure { throw failure }
        } catch {
            bytes = output.take()
            bytes.removeSubrange(before...)
            throw error
        }
        bytes = output.take()
    }
}

import Security

/// What authenticators write: a value of CBOR (RFC 8949) of the kinds that CTAP 2 allows. Tags and floating-point numbers are not
/// among them.
enum CBORValue: Hashable, Sendable {
    case unsigned(UInt64)
    /// −1 − n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    case flag(Bool)
    case null

    /// Nothing may follow it. Throws `malformed`.
    init(_ bytes: [UInt8]) throws(SecurityError) {
        var reader = CBORReader(bytes)
        self = try reader.value()
        guard reader.isAtEnd else { throw .malformed("CBOR: bytes after the value") }
    }

    /// A member of a map, by its name.
    subscript(name: String) -> CBORValue? { self[.text(name)] }

    /// A member of a map, by its number, as keys of COSE have them.
    subscript(label: Int64) -> CBORValue? { self[.integer(label)] }

    private subscript(key: CBORValue) -> CBORValue? {
        guard case .map(let members) = self else { return nil }
        return members[key]
    }

    var bytes: [UInt8]? {
        guard case .bytes(let bytes) = self else { return nil }
        return bytes
    }

    static func integer(_ number: Int64) -> CBORValue {
        number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-(number + 1)))
    }
}

public import Primitives

/// What may stand in an array. `[UInt8]` is `bytea`; all other arrays are PostgreSQL arrays of one dimension.
public protocol PostgresArrayElement: PostgresCodable {
    /// The type of `[Self]`.
    static var postgresArrayType: PostgresType { get }
    static func encodePostgresArray(_ array: [Self], into bytes: inout [UInt8])
    static func decodePostgresArray(_ cell: PostgresCell) throws(PostgresDecodingError.Reason) -> [Self]
}

extension Array: PostgresEncodable where Element: PostgresArrayElement {
    public static var postgresType: PostgresType { Element.postgresArrayType }
    public func encodePostgres(into bytes: inout [UInt8]) { Element.encodePostgresArray(self, into: &bytes) }
}

extension Array: PostgresDecodable where Element: PostgresArrayElement {
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        self = try Element.decodePostgresArray(cell)
    }
}

extension PostgresArrayElement {
    /// Dimensions, flag for NULLs, element type; length and lower bound; the elements with their lengths (`array_recv`).
    public static func encodePostgresArray(_ array: [Self], into bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int32(array.isEmpty ? 0 : 1))
        bytes.append(bigEndian: Int32(array.contains { $0.isPostgresNull } ? 1 : 0))
        bytes.append(bigEndian: postgresType.oid)
        guard !array.isEmpty else { return }
        bytes.append(bigEndian: Int32(clamping: array.count))
        bytes.append(bigEndian: Int32(1))
        for element in array {
            appendField(element, to: &bytes)
        }
    }

    public static func decodePostgresArray(_ cell: PostgresCell) throws(PostgresDecodingError.Reason) -> [Self] {
        try cell.require(postgresArrayType)
        var reader = CellReader(cell.bytes)
        let dimensions = try reader.int32()
        _ = try reader.int32()
        let type = PostgresType(oid: UInt32(bitPattern: try reader.int32()))
        if dimensions == 0 { return [] }
        guard dimensions == 1 else { throw .dimensions(Int(dimensions)) }
        let count = try reader.int32()
        _ = try reader.int32()
        var elements: [Self] = []
        // An element takes four bytes at least, so a wrong count cannot reserve more than the value's own size.
        elements.reserveCapacity(min(Int(max(0, count)), cell.bytes.count / 4))
        for _ in 0..<max(0, count) {
            let length = try reader.int32()
            if length < 0 {
                elements.append(try fromPostgresNull())
            } else {
                elements.append(try Self(postgres: PostgresCell(type: type, bytes: try reader.take(Int(length)))))
            }
        }
        return elements
    }
}

/// Appends a value with its length before it; NULL is the length -1.
func appendField(_ value: some PostgresEncodable, to bytes: inout [UInt8]) {
    guard !value.isPostgresNull else { return bytes.append(bigEndian: Int32(-1)) }
    let start = bytes.count
    bytes.append(bigEndian: Int32(0))
    value.encodePostgres(into: &bytes)
    let length = Int32(clamping: bytes.count - start - 4).bigEndian
    withUnsafeBytes(of: length) { length in
        for index in 0..<4 { bytes[start + index] = length[index] }
    }
}

/// Reads through a value's bytes; every read is checked.
private struct CellReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func int32() throws(PostgresDecodingError.Reason) -> Int32 {
        Int32(bigEndian: try take(4).loadUnaligned(as: Int32.self))
    }

    mutating func take(_ count: Int) throws(PostgresDecodingError.Reason) -> UnsafeRawBufferPointer {
        guard count <= bytes.count - position else { throw .length(bytes.count) }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }
}

/// An array of these is `bytea`. (The type is the nearest to a byte that there is; single bytes are hardly ever bound.)
extension UInt8: PostgresArrayElement {
    public static var postgresType: PostgresType { .int2 }
    public static var postgresArrayType: PostgresType { .bytea }

    public func encodePostgres(into bytes: inout [UInt8]) { bytes.append(bigEndian: Int16(self)) }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        guard let value = UInt8(exactly: try Int16(postgres: cell)) else { throw .outOfRange }
        self = value
    }

    public static func encodePostgresArray(_ array: [UInt8], into bytes: inout [UInt8]) {
        bytes.append(contentsOf: array)
    }
    public static func decodePostgresArray(_ cell: PostgresCell) throws(PostgresDecodingError.Reason) -> [UInt8] {
        try cell.require(.bytea)
        return [UInt8](cell.bytes)
    }
}

extension Array: PostgresArrayElement where Element == UInt8 {
    public static var postgresArrayType: PostgresType { .byteaArray }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }
}

extension RawRepresentable where Self: PostgresArrayElement, RawValue: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { RawValue.postgresArrayType }
}

extension Bool: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .boolArray }
}
extension Int16: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .int2Array }
}
extension Int32: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .int4Array }
}
extension Int64: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .int8Array }
}
extension Int: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .int8Array }
}
extension Float: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .float4Array }
}
extension Double: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .float8Array }
}
extension String: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .textArray }
}
extension UUID: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .uuidArray }
}
extension Timestamp: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .timestamptzArray }
}
extension CalendarDate: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .dateArray }
}
extension PostgresJSON: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .jsonbArray }
}

/// A value that can be bound to a statement.
public protocol PostgresEncodable {
    /// The type of the parameter.
    static var postgresType: PostgresType { get }
    /// Whether this is NULL; then nothing is encoded.
    var isPostgresNull: Bool { get }
    /// Appends the value in PostgreSQL's binary format for that type.
    func encodePostgres(into bytes: inout [UInt8])
}

extension PostgresEncodable {
    public var isPostgresNull: Bool { false }
}

/// A value that can be read from a column.
public protocol PostgresDecodable {
    /// Checks the column's type and the value's length and reads it.
    init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason)
    /// What NULL is read as; an error but for optionals.
    static func fromPostgresNull() throws(PostgresDecodingError.Reason) -> Self
}

extension PostgresDecodable {
    public static func fromPostgresNull() throws(PostgresDecodingError.Reason) -> Self { throw .null }
}

/// Both ways. An `enum` with raw values needs nothing but the name of this protocol.
public typealias PostgresCodable = PostgresEncodable & PostgresDecodable

/// One value of a result that is not NULL, in binary format. The bytes are valid during the call that gets it.
public struct PostgresCell {
    public let type: PostgresType
    public let bytes: UnsafeRawBufferPointer

    public init(type: PostgresType, bytes: UnsafeRawBufferPointer) {
        self.type = type
        self.bytes = bytes
    }

    /// Fails unless the column has this type.
    func require(_ expected: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == expected else { throw .type(found: type, expected: expected) }
    }

    /// The big-endian integer that the whole value is.
    func integer<T: FixedWidthInteger>(_: T.Type) throws(PostgresDecodingError.Reason) -> T {
        guard bytes.count == MemoryLayout<T>.size else { throw .length(bytes.count) }
        return T(bigEndian: bytes.loadUnaligned(as: T.self))
    }
}

extension [UInt8] {
    /// Appends the integer in network order.
    @inline(__always)
    mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    public static var postgresType: PostgresType { Wrapped.postgresType }
    public var isPostgresNull: Bool {
        switch self {
        case .none: true
        case .some(let value): value.isPostgresNull
        }
    }
    public func encodePostgres(into bytes: inout [UInt8]) {
        if case .some(let value) = self { value.encodePostgres(into: &bytes) }
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        self = .some(try Wrapped(postgres: cell))
    }
    public static func fromPostgresNull() throws(PostgresDecodingError.Reason) -> Wrapped? { nil }
}

extension RawRepresentable where Self: PostgresEncodable, RawValue: PostgresEncodable {
    public static var postgresType: PostgresType { RawValue.postgresType }
    public func encodePostgres(into bytes: inout [UInt8]) { rawValue.encodePostgres(into: &bytes) }
}

extension RawRepresentable where Self: PostgresDecodable, RawValue: PostgresDecodable {
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        guard let value = Self(rawValue: try RawValue(postgres: cell)) else { throw .unknownValue }
        self = value
    }
}

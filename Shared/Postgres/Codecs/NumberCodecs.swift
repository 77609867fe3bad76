extension Bool: PostgresCodable {
    public static var postgresType: PostgresType { .bool }
    public func encodePostgres(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        try cell.require(.bool)
        self = try cell.integer(UInt8.self) != 0
    }
}

extension Int16: PostgresCodable {
    public static var postgresType: PostgresType { .int2 }
    public func encodePostgres(into bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        try cell.require(.int2)
        self = try cell.integer(Int16.self)
    }
}

/// Also reads `int2`.
extension Int32: PostgresCodable {
    public static var postgresType: PostgresType { .int4 }
    public func encodePostgres(into bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        if cell.type == .int2 {
            self = Int32(try cell.integer(Int16.self))
        } else {
            try cell.require(.int4)
            self = try cell.integer(Int32.self)
        }
    }
}

/// Also reads `int2`, `int4` and `oid`.
extension Int64: PostgresCodable {
    public static var postgresType: PostgresType { .int8 }
    public func encodePostgres(into bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        switch cell.type {
        case .int8: self = try cell.integer(Int64.self)
        case .int4: self = Int64(try cell.integer(Int32.self))
        case .int2: self = Int64(try cell.integer(Int16.self))
        case .oid: self = Int64(try cell.integer(UInt32.self))
        default: throw .type(found: cell.type, expected: .int8)
        }
    }
}

/// As `Int64`.
extension Int: PostgresCodable {
    public static var postgresType: PostgresType { .int8 }
    public func encodePostgres(into bytes: inout [UInt8]) { bytes.append(bigEndian: Int64(self)) }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        self = Int(try Int64(postgres: cell))
    }
}

extension Float: PostgresCodable {
    public static var postgresType: PostgresType { .float4 }
    public func encodePostgres(into bytes: inout [UInt8]) { bytes.append(bigEndian: bitPattern) }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        try cell.require(.float4)
        self = Float(bitPattern: try cell.integer(UInt32.self))
    }
}

/// Also reads `float4`. (`numeric` has to be cast in the statement.)
extension Double: PostgresCodable {
    public static var postgresType: PostgresType { .float8 }
    public func encodePostgres(into bytes: inout [UInt8]) { bytes.append(bigEndian: bitPattern) }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        if cell.type == .float4 {
            self = Double(Float(bitPattern: try cell.integer(UInt32.self)))
        } else {
            try cell.require(.float8)
            self = Double(bitPattern: try cell.integer(UInt64.self))
        }
    }
}

/// A data type of PostgreSQL, by its object identifier (`pg_type.oid`; those of the built-in types never change).
public struct PostgresType: Hashable, Sendable, CustomStringConvertible {
    public let oid: UInt32

    public init(oid: UInt32) {
        self.oid = oid
    }

    public static let bool = PostgresType(oid: 16)
    public static let bytea = PostgresType(oid: 17)
    public static let name = PostgresType(oid: 19)
    public static let int8 = PostgresType(oid: 20)
    public static let int2 = PostgresType(oid: 21)
    public static let int4 = PostgresType(oid: 23)
    public static let text = PostgresType(oid: 25)
    public static let oid = PostgresType(oid: 26)
    public static let json = PostgresType(oid: 114)
    public static let float4 = PostgresType(oid: 700)
    public static let float8 = PostgresType(oid: 701)
    public static let bpchar = PostgresType(oid: 1042)
    public static let varchar = PostgresType(oid: 1043)
    public static let date = PostgresType(oid: 1082)
    public static let timestamptz = PostgresType(oid: 1184)
    public static let uuid = PostgresType(oid: 2950)
    public static let jsonb = PostgresType(oid: 3802)

    public static let boolArray = PostgresType(oid: 1000)
    public static let byteaArray = PostgresType(oid: 1001)
    public static let int2Array = PostgresType(oid: 1005)
    public static let int4Array = PostgresType(oid: 1007)
    public static let textArray = PostgresType(oid: 1009)
    public static let int8Array = PostgresType(oid: 1016)
    public static let float4Array = PostgresType(oid: 1021)
    public static let float8Array = PostgresType(oid: 1022)
    public static let dateArray = PostgresType(oid: 1182)
    public static let timestamptzArray = PostgresType(oid: 1185)
    public static let uuidArray = PostgresType(oid: 2951)
    public static let jsonbArray = PostgresType(oid: 3807)

    /// Types made by `create type`, among them enumerations, have identifiers from 16,384 on.
    public var isUserDefined: Bool { oid >= 16_384 }

    public var description: String {
        switch self {
        case .bool: "bool"
        case .bytea: "bytea"
        case .int8: "int8"
        case .int2: "int2"
        case .int4: "int4"
        case .text: "text"
        case .json: "json"
        case .float4: "float4"
        case .float8: "float8"
        case .date: "date"
        case .timestamptz: "timestamptz"
        case .uuid: "uuid"
        case .jsonb: "jsonb"
        default: "type \(oid)"
        }
    }
}

public import Primitives

/// Reads `text`, `varchar`, `char(n)`, `name`, `json` and the labels of enumerations.
extension String: PostgresCodable {
    public static var postgresType: PostgresType { .text }
    public func encodePostgres(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        switch cell.type {
        case .text, .varchar, .bpchar, .name, .json: break
        default: guard cell.type.isUserDefined else { throw .type(found: cell.type, expected: .text) }
        }
        guard let text = String(validating: cell.bytes, as: UTF8.self) else { throw .invalidUTF8 }
        self = text
    }
}

extension UUID: PostgresCodable {
    public static var postgresType: PostgresType { .uuid }
    public func encodePostgres(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
    }
    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        try cell.require(.uuid)
        guard cell.bytes.count == 16 else { throw .length(cell.bytes.count) }
        self.init(
            high: UInt64(bigEndian: cell.bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: cell.bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

/// A JSON text as it is, unchecked: bound as `jsonb`, read from `jsonb` or `json`. The server refuses what is not JSON
/// (SQLSTATE 22P02).
public struct PostgresJSON: PostgresCodable, Hashable, Sendable {
    /// The text in UTF-8.
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public static var postgresType: PostgresType { .jsonb }

    public func encodePostgres(into bytes: inout [UInt8]) {
        bytes.append(1)  // the version of the binary format
        bytes.append(contentsOf: self.bytes)
    }

    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        if cell.type == .json {
            bytes = [UInt8](cell.bytes)
        } else {
            try cell.require(.jsonb)
            guard cell.bytes.first == 1 else { throw .unknownValue }
            bytes = [UInt8](cell.bytes.dropFirst())
        }
    }
}

/// Rows in PostgreSQL's binary COPY format, for `COPY table (columns) FROM STDIN (FORMAT binary)`. A value's Swift type must
/// be exactly the column's (`Int` is `int8`, `Int32` is `int4`): COPY converts nothing.
///
/// Fill it, hand `takeChunk()` to the copy now and then, and end with `finish()` and the last chunk.
public struct CopyRows: Sendable {
    private var bytes: [UInt8]

    public init() {
        // Signature, flags, no header extension ("File Formats" of COPY in PostgreSQL's manual).
        bytes = [0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    /// The size of what has not been taken, in bytes.
    public var count: Int { bytes.count }

    /// Adds a row.
    public mutating func append<each T: PostgresEncodable>(_ values: repeat each T) {
        var columns: Int16 = 0
        for _ in repeat each values { columns += 1 }
        bytes.append(bigEndian: columns)
        for value in repeat each values { appendField(value, to: &bytes) }
    }

    /// Adds the end mark.
    public mutating func finish() {
        bytes.append(bigEndian: Int16(-1))
    }

    /// What was added since the last time.
    public mutating func takeChunk() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

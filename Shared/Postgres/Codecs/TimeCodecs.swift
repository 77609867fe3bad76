public import Primitives

/// `timestamptz`: microseconds since 2000-01-01T00:00:00Z. The infinities cannot be read; times outside PostgreSQL's range
/// are refused by the server (SQLSTATE 22008).
extension Timestamp: PostgresCodable {
    /// From the Unix epoch to PostgreSQL's.
    private static var epochMicroseconds: Int64 { 946_684_800_000_000 }

    public static var postgresType: PostgresType { .timestamptz }

    public func encodePostgres(into bytes: inout [UInt8]) {
        let (value, overflow) = microseconds.subtractingReportingOverflow(Self.epochMicroseconds)
        // The very least value would mean "-infinity": the one after it is out of range and refused.
        bytes.append(bigEndian: overflow || value == .min ? Int64.min + 1 : value)
    }

    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        try cell.require(.timestamptz)
        let value = try cell.integer(Int64.self)
        guard value != .max, value != .min else { throw .infinite }
        let (sum, overflow) = value.addingReportingOverflow(Self.epochMicroseconds)
        guard !overflow else { throw .outOfRange }
        self.init(microseconds: sum)
    }
}

/// `date`: days since 2000-01-01. The infinities cannot be read.
extension CalendarDate: PostgresCodable {
    private static var epochDays: Int32 { 10_957 }

    public static var postgresType: PostgresType { .date }

    public func encodePostgres(into bytes: inout [UInt8]) {
        let (value, overflow) = daysSinceEpoch.subtractingReportingOverflow(Self.epochDays)
        bytes.append(bigEndian: overflow || value == .min ? Int32.min + 1 : value)
    }

    public init(postgres cell: PostgresCell) throws(PostgresDecodingError.Reason) {
        try cell.require(.date)
        let value = try cell.integer(Int32.self)
        guard value != .max, value != .min else { throw .infinite }
        let (sum, overflow) = value.addingReportingOverflow(Self.epochDays)
        guard !overflow else { throw .outOfRange }
        self.init(daysSinceEpoch: sum)
    }
}

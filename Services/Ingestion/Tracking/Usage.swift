import Domain
import Postgres
import Primitives

/// `GET /me/usage`: what is stored of a person, of the quota (ING-10).
struct Usage: Encodable, Sendable {
    /// What is in blocks of one data type.
    struct OfType: Encodable, Sendable, PostgresRowDecodable {
        let type: DataType
        let bytes: Int64
        /// Days with values.
        let days: Int
        let firstDay: CalendarDate
        /// The oldest day of which the samples are still there, and not only what they were summed up to.
        let samplesSince: CalendarDate?

        init(row: PostgresRow) throws(PostgresError) {
            let number: Int16 = try row["type"]
            guard let type = UInt8(exactly: number).flatMap(DataType.init(rawValue:)) else {
                throw .usage("a block of the unknown data type \(number)")
            }
            self.type = type
            bytes = try row["bytes"]
            days = try row["days"]
            firstDay = try row["first_day"]
            samplesSince = try row["samples_since"]
        }
    }

    let quotaBytes: Int64
    let usedBytes: Int64
    /// Of those used, what has arrived lately and is not compressed yet.
    let waitingBytes: Int64
    let types: [OfType]

    static func read(of account: UUID, in database: Database, quotaBytes: Int64) async throws -> Usage {
        let answers = try await database.runBatch([Self.sums(of: account), Self.types(of: account)])
        let (sealed, waiting) = try answers[0].decodeOne(as: Int64.self, Int64.self) ?? (Int64(0), Int64(0))
        return Usage(
            quotaBytes: quotaBytes, usedBytes: sealed + waiting, waitingBytes: waiting,
            types: try answers[1].rows.map { row throws(PostgresError) in try OfType(row: row) })
    }

    private static func sums(of account: UUID) -> SQL {
        """
        select p.sample_bytes + p.summary_bytes, coalesce((
          select sum(octet_length(sealed)) from arrival where person = p.number and arrival > p.sealed_through), 0)::bigint
        from person p where p.account_id = \(account)
        """
    }

    /// Lengths are known without the values.
    private static func types(of account: UUID) -> SQL {
        """
        select type, count(*) as days, min(day) as first_day, min(day) filter (where samples is not null) as samples_since,
          sum(octet_length(summary) + coalesce(octet_length(samples), 0))::bigint as bytes
        from block where person = (select number from person where account_id = \(account))
        group by type order by type
        """
    }
}

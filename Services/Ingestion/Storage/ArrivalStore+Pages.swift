import Postgres
import Primitives

/// One page of arrivals.
struct ArrivalPage<Row: PostgresRowDecodable> {
    let rows: [Row]
    /// More may follow.
    let hasMore: Bool

    /// `rowsMax` is the limit of the statement.
    init(_ result: ResultSet, rowsMax: Int) throws(PostgresError) {
        let found: Int = try result.rows.first.map { row throws(PostgresError) in try row["found"] } ?? 0
        rows = try result.rows.map { row throws(PostgresError) in try Row(row: row) }
        hasMore = rows.count < found || found == rowsMax
    }
}

/// Arrivals in pages. A page holds as many rows as fit into memory, at least one; the column `found` is the number of
/// rows before that limit, so that fewer rows show that there are more.
extension ArrivalStore {
    /// Bytes of sealed samples in one page, about: it exceeds them by one upload at most.
    static let pageBytesMax = 4 << 20
    /// Before the first sample of anybody.
    static let beginning = Timestamp(microseconds: -62_135_596_800_000_000)

    /// Arrivals of one person after another one, in order: `sealed` is null for one without samples of `types` in the
    /// span. No more rows than `samplesMax` samples need.
    static func after(
        _ arrival: Int64, of account: UUID, types: Int64, from: Timestamp, to: Timestamp, samplesMax: Int, rowsMax: Int
    ) -> SQL {
        let concerns: SQL = "types & \(types) <> 0 and latest >= \(from) and earliest < \(to)"
        return page(
            of: """
                select arrival, id, device_id, \(sql: concerns) as is_concerned,
                  case when \(sql: concerns) then sealed end as sealed,
                  case when \(sql: concerns) then sample_count else 0 end as sample_count
                from arrival where account_id = \(account) and arrival > \(arrival) order by arrival limit \(rowsMax)
                """,
            columns: "arrival, id, device_id, is_concerned, sealed", order: "arrival", samplesMax: samplesMax)
    }

    /// Arrivals of one person with samples of `types` in the span, in the order of the first samples.
    static func inTime(
        after last: (earliest: Timestamp, arrival: Int64), of account: UUID, types: Int64, from: Timestamp,
        to: Timestamp, rowsMax: Int
    ) -> SQL {
        page(
            of: """
                select arrival, id, device_id, earliest, sealed, sample_count from arrival
                where account_id = \(account) and (earliest, arrival) > (\(last.earliest), \(last.arrival))
                  and types & \(types) <> 0 and latest >= \(from) and earliest < \(to)
                order by earliest, arrival limit \(rowsMax)
                """,
            columns: "arrival, id, device_id, earliest, sealed", order: "earliest, arrival")
    }

    /// Arrivals of one person, from the newest samples backwards.
    static func newest(of account: UUID, types: Int64, offset: Int, rowsMax: Int) -> SQL {
        page(
            of: """
                select arrival, id, device_id, sealed, latest, sample_count from arrival
                where account_id = \(account) and types & \(types) <> 0
                order by latest desc, arrival desc offset \(offset) limit \(rowsMax)
                """,
            columns: "arrival, id, device_id, sealed, latest", order: "latest desc, arrival desc")
    }

    /// The first of some rows, which have the columns `sealed` and `sample_count`. Lengths are known without the values.
    static func page(of rows: SQL, columns: SQL, order: SQL, samplesMax: Int = .max) -> SQL {
        """
        select \(sql: columns), found from (
          select r.*, count(*) over () as found,
            sum(coalesce(octet_length(sealed), 0)) over (order by \(sql: order)) - coalesce(octet_length(sealed), 0)
              as bytes_before,
            sum(sample_count) over (order by \(sql: order)) - sample_count as samples_before
          from (\(sql: rows)) r) p
        where bytes_before < \(pageBytesMax) and samples_before < \(samplesMax) order by \(sql: order)
        """
    }
}

import Postgres
import Primitives

/// One page of arrivals.
struct ArrivalPage<Row: PostgresRowDecodable & Sendable>: Sendable {
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

    /// Arrivals of one person after another one, in order.
    static func after(
        _ arrival: Int64, of account: UUID, rowsMax: Int, bytesMax: Int = pageBytesMax
    ) -> SQL {
        page(
            of: """
                select arrival, source, sealed from arrival
                where person = (select number from person where account_id = \(account)) and arrival > \(arrival)
                order by arrival limit \(rowsMax)
                """,
            columns: "arrival, source, sealed", order: "arrival", bytesMax: bytesMax)
    }

    /// A person's sources that are devices, by their numbers.
    static func devices(of account: UUID, in database: Database) async throws(PostgresError) -> [Int16: UUID] {
        let rows = try await database.query(
            """
            select number, identity from source
            where person = (select number from person where account_id = \(account)) and kind = 'device'
            """, as: Int16.self, UUID.self)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0, $1) })
    }

    /// The first of some rows, which have the column `sealed`. Lengths are known without the values.
    static func page(of rows: SQL, columns: SQL, order: SQL, bytesMax: Int = pageBytesMax) -> SQL {
        page(of: rows, columns: columns, order: order, bytesMax: "\(bytesMax)" as SQL)
    }

    /// The same with an expression for the limit.
    static func page(of rows: SQL, columns: SQL, order: SQL, bytesMax: SQL) -> SQL {
        """
        select \(sql: columns), found from (
          select r.*, count(*) over () as found,
            sum(coalesce(octet_length(sealed), 0)) over (order by \(sql: order)) - coalesce(octet_length(sealed), 0)
              as bytes_before
          from (\(sql: rows)) r) p
        where bytes_before < \(sql: bytesMax) order by \(sql: order)
        """
    }
}

extension SQL.StringInterpolation {
    /// The limit of a page of a walk over everybody, written out: of a parameter the planner of plans for any values expects a tenth
    /// of the table, and sorts all of it when that is large.
    mutating func appendInterpolation(walk limit: Int) { appendInterpolation(raw: String(limit)) }
}

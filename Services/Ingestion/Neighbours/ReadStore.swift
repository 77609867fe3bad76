import Contracts
import Postgres
import Primitives

/// The statements of readers that go on from a cursor.
enum ReadStore {
    /// Arrivals of one person after another one, in order, when all of them are still there. Otherwise one row that says
    /// through which arrival blocks have to be read instead: only those that are there no more, since what is both in blocks and
    /// there may be out of the blocks again after a crash. One statement, one snapshot: sealing in between changes nothing.
    static func arrivals(after arrival: Int64, of account: UUID, rowsMax: Int, bytesMax: Int) -> SQL {
        """
        with own as materialized (
          select number, sealed_through,
            sealed_through > \(arrival)
              and not exists (select from arrival where person = number and arrival = \(arrival) + 1) as needs_blocks
          from person where account_id = \(account))
        select needs_blocks, arrival, source, sealed, found,
          case when needs_blocks then coalesce(
            (select a.arrival - 1 from arrival a where a.person = own.number and a.arrival > \(arrival) order by a.arrival limit 1),
            sealed_through) end as through
        from own left join lateral (
          \(sql: ArrivalStore.page(
              of: """
                  select arrival, source, sealed from arrival
                  where person = own.number and not own.needs_blocks and arrival > \(arrival) order by arrival limit \(rowsMax)
                  """,
              columns: "arrival, source, sealed", order: "arrival", bytesMax: bytesMax))) a on true
        order by arrival
        """
    }

    /// What is read next.
    enum Page {
        case arrivals([StoredArrival], hasMore: Bool)
        case blocks(through: Int64)

        init(_ result: ResultSet, after: Int64, rowsMax: Int) throws(PostgresError) {
            guard let first = result.rows.first else {
                self = .arrivals([], hasMore: false)
                return
            }
            if try first["needs_blocks"] {
                self = .blocks(through: try first["through"])
                return
            }
            guard let found: Int = try first["found"] else {
                self = .arrivals([], hasMore: false)
                return
            }
            let rows = try result.rows.map { row throws(PostgresError) in try StoredArrival(row: row) }
            // A person's arrivals have numbers without gaps: what is missing between two is in blocks.
            let start = rows.first?.arrival ?? 0
            let whole = rows.enumerated().prefix { $0.element.arrival == start + Int64($0.offset) }.map(\.element)
            self = .arrivals(whole, hasMore: whole.count < found || found == rowsMax)
        }
    }

    /// The next blocks of a pass, in the order of days and data types.
    static func blocks(
        _ cursor: Ingestion.ReadCursor, _ pass: Ingestion.ReadCursor.Pass, of account: UUID, types: Int64,
        through day: CalendarDate, rowsMax: Int, bytesMax: Int
    ) -> SQL {
        ArrivalStore.page(
            of: """
                select type, day, samples as sealed from block
                where person = (select number from person where account_id = \(account))
                  and (day, type) >= (\(pass.day), \(Int16(pass.type))) and day <= \(day) and last_arrival > \(cursor.after)
                  and \(types) & (1::bigint << type) <> 0 and samples is not null
                order by day, type limit \(rowsMax)
                """,
            columns: "type, day, sealed", order: "day, type", bytesMax: bytesMax)
    }
}

extension Ingestion.ReadCursor {
    /// The beginning of a pass.
    static func pass(after: Int64, through: Int64) -> Ingestion.ReadCursor {
        // The first day that is a date in PostgreSQL and here.
        .init(after: after, pass: .init(through: through, day: ArrivalStore.beginning.dateUTC))
    }
}

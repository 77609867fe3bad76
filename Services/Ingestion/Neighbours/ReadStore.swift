import Contracts
import Postgres
import Primitives

/// The statements of readers that go on from a cursor.
enum ReadStore {
    /// Whose arrivals are wanted, after which.
    struct Wanted: Sendable {
        let account: UUID
        let after: Int64
        /// Sealed bytes, about.
        var bytesMax = ArrivalStore.pageBytesMax
    }

    /// For each, in their order, the arrivals after another one, in order, when all of them are still there. Otherwise one row
    /// that says through which arrival blocks have to be read instead: only those that are there no more, since what is both in
    /// blocks and there may be out of the blocks again after a crash. One statement, one snapshot: sealing in between changes
    /// nothing. There is no row for who is not known. All of it together has about `bytesMax`: whose turn does not come any more
    /// has one arrival, without what it holds.
    ///
    /// Each look-up is a subquery with a limit (`ArrivalStore`).
    static func arrivals(_ wanted: [Wanted], rowsMax: Int, bytesMax: Int) -> SQL {
        """
        with own as materialized (
          select i.n, i.after, i.bytes_max, p.number, p.sealed_through,
            p.sealed_through > i.after and x.is_there is null as needs_blocks
          from unnest(\(wanted.map(\.account)), \(wanted.map(\.after)), \(wanted.map { Int64($0.bytesMax) }))
            with ordinality as i (account_id, after, bytes_max, n)
          join lateral (
            select number, sealed_through from person where account_id = i.account_id and erased_at is null limit 1) p on true
          left join lateral (
            select true as is_there from arrival
            where p.sealed_through > i.after and person = p.number and arrival = i.after + 1 limit 1) x on true)
        select n, needs_blocks, through, arrival, source, case when bytes_before < \(bytesMax) then sealed end as sealed, found
        from (
          select own.n, own.needs_blocks, a.arrival, a.source, a.sealed, a.found,
            case when own.needs_blocks then coalesce(
              (select arrival - 1 from arrival where person = own.number and arrival > own.after order by arrival limit 1),
              own.sealed_through) end as through,
            row_number() over (partition by own.n order by a.arrival) as turn,
            sum(coalesce(octet_length(a.sealed), 0)) over (order by own.n, a.arrival)
              - coalesce(octet_length(a.sealed), 0) as bytes_before
          from own left join lateral (
            \(sql: ArrivalStore.page(
                of: """
                    select arrival, source, sealed from arrival
                    where person = own.number and not own.needs_blocks and arrival > own.after order by arrival limit \(rowsMax)
                    """,
                columns: "arrival, source, sealed", order: "arrival", bytesMax: "own.bytes_max"))) a on true) all_rows
        where turn = 1 or bytes_before < \(bytesMax)
        order by n, arrival
        """
    }

    /// What is read next of one person.
    enum Page {
        case arrivals([StoredArrival], hasMore: Bool)
        case blocks(through: Int64)

        /// Those of `count` people; `nil` for who is not known.
        static func pages(_ result: ResultSet, count: Int, rowsMax: Int) throws(PostgresError) -> [Page?] {
            var rows: [[PostgresRow]] = Array(repeating: [], count: count)
            for row in result.rows {
                let number: Int = try row["n"]
                rows[number - 1].append(row)
            }
            return try rows.map { rows throws(PostgresError) in try Page(rows, rowsMax: rowsMax) }
        }

        private init?(_ rows: [PostgresRow], rowsMax: Int) throws(PostgresError) {
            guard let first = rows.first else { return nil }
            if try first["needs_blocks"] {
                self = .blocks(through: try first["through"])
                return
            }
            guard let found: Int = try first["found"] else {
                self = .arrivals([], hasMore: false)
                return
            }
            guard try first.decode("sealed", as: [UInt8]?.self) != nil else {
                self = .arrivals([], hasMore: true)
                return
            }
            let arrivals = try rows.map { row throws(PostgresError) in try StoredArrival(row: row) }
            // A person's arrivals have numbers without gaps: what is missing between two is in blocks.
            let start = arrivals.first?.arrival ?? 0
            let whole = arrivals.enumerated().prefix { $0.element.arrival == start + Int64($0.offset) }.map(\.element)
            self = .arrivals(whole, hasMore: whole.count < found || found == rowsMax)
        }
    }

    /// The last arrival that is stored of a person, in a block or not; 0 when there is none.
    static func lastArrival(of account: UUID) -> SQL {
        """
        select greatest(sealed_through, coalesce(
          (select arrival from arrival where person = number order by arrival desc limit 1), 0))
        from person where account_id = \(account)
        """
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

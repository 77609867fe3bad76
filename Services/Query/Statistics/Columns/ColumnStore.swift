import Domain
import Postgres
import Primitives

/// The columns in the database: blocks, and arrivals that are not yet part of one.
enum ColumnStore {
    /// Arrivals merged in one transaction.
    static let mergedArrivalsMax = 2000
    /// Columns that are tried, the oldest arrivals first, until one is not locked.
    private static let candidatesMax: Int32 = 100

    /// Adds cells; for a subject one cell per call counts. Run it in the transaction that moves the feed's cursor.
    /// Adding to a column waits for others that add to it or merge it, so that arrivals are numbered, seen and merged
    /// in one order; add to several columns in the order of their keys.
    static func adding<Cell: ColumnCell>(
        _ cells: [Cell], of subjects: [Int32], to key: ColumnKey, at now: Timestamp
    ) throws(ColumnError) -> [SQL] {
        guard cells.count == subjects.count, subjects.allSatisfy({ $0 >= 0 && $0 < CellFormat.subjectsMax }) else {
            throw .malformed
        }
        guard !subjects.isEmpty else { return [] }
        return [
            locking(key),
            """
            insert into arrival (series, day, subjects, cells)
            values (\(key.series), \(key.day), \(subjects), \(CellColumn.bytes(cells)))
            """,
            noting(key, at: now),
        ]
    }

    /// Records that cells of the column arrived.
    static func noting(_ key: ColumnKey, at now: Timestamp) -> SQL {
        """
        insert into loaded_day (series, day, last_at) values (\(key.series), \(key.day), \(now))
        on conflict (series, day) do update set last_at = greatest(loaded_day.last_at, excluded.last_at)
        """
    }

    /// All of a column, in one consistent view: what is merged, then arrivals in the order of their numbers, without the values
    /// of erased subjects, as merging does.
    static func load<Cell: ColumnCell>(
        _ key: ColumnKey, of cell: Cell.Type = Cell.self, from session: some SQLSession
    ) async throws -> CellColumn<Cell> {
        // Who is erased is read where values are to be merged; a profile that was erased is a cell like others.
        let rows = try await session.rows(
            """
            select 0 as part, block::bigint as number, null::integer[] as subjects, cells from cell_block
            where series = \(key.series) and day = \(key.day)
            union all
            select 1, block, null, bits from erased_block
            where \(!key.hasProfiles)
              and exists (select from arrival where series = \(key.series) and day = \(key.day))
            union all
            select 2, id, subjects, cells from arrival where series = \(key.series) and day = \(key.day)
            order by part, number
            """)
        var column = CellColumn<Cell>()
        var erased = ErasedSubjects()
        for row in rows {
            let (bytes, number): ([UInt8], Int64) = (try row["cells"], try row["number"])
            if let subjects: [Int32] = try row["subjects"] {
                try column.merge(subjects: subjects, bytes: bytes, except: erased)
            } else if try row.decode("part", as: Int32.self) == 0 {
                try column.load(block: Int(number), bytes: bytes)
            } else {
                try erased.load(block: Int(number), bits: bytes)
            }
        }
        return column
    }

    /// When profiles were last added; `nil` before the first snapshot is complete.
    static func profilesLoaded(in session: some SQLSession) async throws(PostgresError) -> Timestamp? {
        try await session.queryOne(
            "select last_at from loaded_day where series = \(ColumnKey.profiles.series)", as: Timestamp.self)
    }

    /// Merges arrivals of one column into its blocks. `false` when there is nothing to merge but what another replica
    /// is merging.
    static func mergeSome(in database: Database) async throws -> Bool {
        try await database.transaction { transaction in
            // One merger at a time per column: two would each miss what the other has taken. A locked column is passed
            // over, not waited for.
            let next = try await transaction.queryOne(
                """
                with columns as materialized (
                  select series, day, min(id) as first from arrival group by series, day order by first
                  limit \(candidatesMax))
                select series, day from columns where pg_try_advisory_xact_lock(\(sql: lock)) limit 1
                """, as: Int16.self, CalendarDate.self)
            guard let next else { return false }
            let key = ColumnKey(series: next.0, day: next.1)
            if key.hasProfiles {
                try await merge(key, of: ProfileCell.self, in: transaction)
            } else {
                try await merge(key, of: ValueCell.self, in: transaction)
            }
            return true
        }
    }

    /// Keeps mergers away from a column until the transaction is over.
    static func locking(_ key: ColumnKey) -> SQL { locking([key]) }

    /// The same for several columns, one after the other.
    static func locking(_ keys: [ColumnKey]) -> SQL {
        "select pg_advisory_xact_lock(\(sql: lock)) from unnest(\(keys.map(\.series)), \(keys.map(\.day))) as c (series, day)"
    }

    /// The lock of the column `series`, `day`, in this schema: locks are the whole database's.
    private static let lock: SQL = "hashtextextended(concat_ws(' ', 'merge', current_schema(), series, day), 0)"

    /// Removes a column.
    static func removing(_ key: ColumnKey) -> [SQL] {
        ["cell_block", "arrival", "loaded_day"].map { table in
            "delete from \(raw: table) where series = \(key.series) and day = \(key.day)"
        }
    }

    /// Puts a column in the place of another.
    static func moving(_ key: ColumnKey, to place: ColumnKey) -> [SQL] {
        removing(place)
            + ["cell_block", "arrival", "loaded_day"].map { table in
                """
                update \(raw: table) set series = \(place.series), day = \(place.day)
                where series = \(key.series) and day = \(key.day)
                """
            }
    }

    private static func merge<Cell: ColumnCell>(
        _ key: ColumnKey, of _: Cell.Type, in transaction: Transaction
    ) async throws {
        let arrivals = try await transaction.query(
            """
            delete from arrival where id in (
              select id from arrival where series = \(key.series) and day = \(key.day) order by id
              limit \(mergedArrivalsMax))
            returning id, subjects, cells
            """, as: Int64.self, [Int32].self, [UInt8].self
        ).sorted { $0.0 < $1.0 }
        let blocks = Set(arrivals.flatMap { $0.1.map { Int($0) / CellFormat.blockSubjects } })
        var column = CellColumn<Cell>()
        let stored = try await transaction.query(
            """
            select block, cells from cell_block
            where series = \(key.series) and day = \(key.day) and block = any (\(blocks.map { Int32($0) }))
            """, as: Int32.self, [UInt8].self)
        for (block, bytes) in stored { try column.load(block: Int(block), bytes: bytes) }
        // Read under the column's lock: whose removal is recorded later is walked over later (`ValueRemoval`), with this merged.
        let erased =
            key.hasProfiles ? ErasedSubjects() : try await ErasedSubjects.load(blocks: blocks, in: transaction)
        for (_, subjects, bytes) in arrivals {
            try column.merge(subjects: subjects, bytes: bytes, except: erased)
        }
        for block in blocks.sorted() {
            try await transaction.execute(
                """
                insert into cell_block (series, day, block, cells)
                values (\(key.series), \(key.day), \(Int32(block)), \(column.bytes(block: block)))
                on conflict (series, day, block) do update set cells = excluded.cells
                """)
        }
    }
}

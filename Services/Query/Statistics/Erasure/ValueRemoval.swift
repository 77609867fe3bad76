import Domain
import Postgres
import Primitives
import Service

/// Removes the values of erased subjects from the blocks of all series and days (ACC-12). One walk goes over all columns, in the
/// order of their keys, for the subjects that waited when it began; of a column it looks at these subjects' blocks alone. How far
/// it is stands in the database, written together with what was removed, so that it goes on after a crash.
///
/// A walk meets every value of its subjects: what is merged after they were recorded is merged without them
/// (`ErasedSubjects`), and what was being merged then holds the column's lock, for which the walk waits.
struct ValueRemoval: Sendable {
    static let interval = Duration.seconds(60)
    /// Subjects of one walk: as many as are published together, most times, and no more than one transaction has room for.
    static let subjectsMax = 500

    /// Held by the replica that is at it.
    static let lock: SQL = "hashtextextended(concat_ws(' ', 'value removal', current_schema()), 0)"

    let database: Database
    let waiting: Gauge
    /// Cells that one transaction looks at: subjects times columns. It takes 10 ms when nothing is found there and 130 ms when
    /// each has a value in a block of its own, 8 KB, which is written anew; so long others wait for these columns.
    let cellsMax: Int

    init(database: Database, metrics: Metrics, cellsMax: Int = Self.subjectsMax) {
        self.database = database
        self.cellsMax = cellsMax
        waiting = metrics.gauge(
            "trackme_statistics_erased_waiting",
            "Erased subjects whose values are not yet removed from all days of the anonymous statistics.")
    }

    /// Removes all that waits.
    func run() async throws {
        try await count()
        while try await step() { try Task.checkCancellation() }
        try await count()
    }

    /// Begins a walk, does a part of it, or ends it, in one transaction. `false` when nothing waits, or another replica is at it.
    func step() async throws -> Bool {
        try await database.transaction { transaction in
            let isAlone = try await transaction.queryOne(
                "select pg_try_advisory_xact_lock(\(sql: Self.lock))", as: Bool.self)
            guard isAlone == true else { return false }
            let position = try await transaction.queryOne(
                "select series, day from value_removal_walk", as: Int16.self, CalendarDate.self)
            guard let position else { return try await begin(in: transaction) }
            let subjects = try await transaction.query(
                "select subject from value_removal where is_walking order by subject", as: Int32.self)
            let columns = try await columns(
                after: ColumnKey(series: position.0, day: position.1),
                limit: max(1, cellsMax / max(1, subjects.count)), in: transaction)
            if let last = columns.last {
                try await remove(subjects, from: columns, in: transaction)
                // What a crash takes is done again.
                try await transaction.batch([
                    "update value_removal_walk set series = \(last.series), day = \(last.day)",
                    SQL.commitWithoutWaiting,
                ])
            } else {
                try await transaction.batch([
                    "delete from value_removal where is_walking", "delete from value_removal_walk",
                ])
            }
            return true
        }
    }

    /// Before the first column with values come those of profiles.
    private func begin(in transaction: Transaction) async throws(PostgresError) -> Bool {
        let first = ColumnKey.profiles
        return try await transaction.execute(
            """
            with taken as (
              update value_removal set is_walking = true
              where subject in (select subject from value_removal order by subject limit \(Self.subjectsMax))
              returning subject)
            insert into value_removal_walk (series, day) select \(first.series), \(first.day) from taken limit 1
            """) > 0
    }

    private func columns(
        after position: ColumnKey, limit: Int, in transaction: Transaction
    ) async throws(PostgresError) -> [ColumnKey] {
        try await transaction.query(
            """
            select series, day from loaded_day where (series, day) > (\(position.series), \(position.day))
            order by series, day limit \(limit)
            """, as: Int16.self, CalendarDate.self
        ).map { ColumnKey(series: $0, day: $1) }
    }

    /// Looks the blocks up by their keys, one by one, and reads the one cell of each subject; only blocks with a value of these
    /// subjects are read as a whole, and written. Others' cells stay as they are.
    private func remove(
        _ subjects: [Int32], from columns: [ColumnKey], in transaction: Transaction
    ) async throws(PostgresError) {
        let absent = CellColumn.bytes([ValueCell.absent])
        let (size, inBlock) = (Int32(absent.count), Int32(CellFormat.blockSubjects))
        try await transaction.batch([
            ColumnStore.locking(columns),
            """
            with found as materialized (
              select c.series, c.day, s.subject / \(inBlock) as block, s.subject % \(inBlock) as place
              from unnest(\(columns.map(\.series)), \(columns.map(\.day))) as c (series, day)
              cross join unnest(\(subjects)) as s (subject)
              cross join lateral (
                select substring(k.cells from s.subject % \(inBlock) * \(size) + 1 for \(size)) as cell from cell_block k
                where k.series = c.series and k.day = c.day and k.block = s.subject / \(inBlock) limit 1) as one
              where one.cell <> \(absent))
            update cell_block b set cells = without_cells(b.cells, f.places, \(absent))
            from (select series, day, block, array_agg(place) as places from found group by series, day, block) as f
            where b.series = f.series and b.day = f.day and b.block = f.block
            """,
        ])
    }

    private func count() async throws(PostgresError) {
        let count = try await database.queryOne("select count(*) from value_removal", as: Int64.self)
        waiting.set(Double(count ?? 0))
    }
}

import Postgres

/// Numbers of people in the anonymous store: dense, never reused, and given out in an order that does not tell who came
/// when, since each batch is shuffled.
struct SubjectNumbers: Sendable {
    /// Numbers shuffled together.
    static let batchCount: Int32 = 4096

    /// `count` numbers in random order, used up when the transaction commits.
    func take(_ count: Int, in transaction: Transaction) async throws(PostgresError) -> [Int32] {
        var numbers = try await draw(count, in: transaction)
        while numbers.count < count {
            try await addBatch(in: transaction)
            numbers += try await draw(count - numbers.count, in: transaction)
        }
        // The database returns them in an order of its own, which is often that of the numbers.
        return numbers.shuffled()
    }

    private func draw(_ count: Int, in transaction: Transaction) async throws(PostgresError) -> [Int32] {
        try await transaction.query(
            """
            with drawn as (select number from subject_pool order by rank limit \(count) for update skip locked)
            delete from subject_pool p using drawn d where p.number = d.number returning p.number
            """, as: Int32.self)
    }

    /// The lock on the counter's row makes others wait that find the pool empty at the same time; each may then add a
    /// batch.
    private func addBatch(in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            with batch as (update subject_counter set last = last + \(Self.batchCount) returning last)
            insert into subject_pool (number, rank)
            select n, gen_random_uuid() from batch, generate_series(last - \(Self.batchCount) + 1, last) n
            """)
    }

    /// Numbers left out after accounts was restored from a backup: far more than it can have given out since.
    private static let skippedCount: Int32 = 1 << 20

    /// Leaves out the numbers that may have been given out since the backup that accounts was restored from: nobody gets somebody
    /// else's.
    func skip(in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute("delete from subject_pool")
        try await transaction.execute("update subject_counter set last = last + \(Self.skippedCount)")
    }
}

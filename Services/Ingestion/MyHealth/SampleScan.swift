import Domain
import Postgres
import Primitives

/// Reads a person's samples of one data type in a span.
struct SampleScan: Sendable {
    /// Arrivals read in one step; fewer when they are large.
    static let rowsMax = 1000
    /// Samples in memory.
    static let samplesMax = 4_000_000

    /// What one arrival has of the data type.
    struct Found {
        let batch: SampleBatch
        /// 0 for manual entry, else of table `source`.
        let source: Int16
        let earliest: Int64
    }

    let database: Database
    let keys: SubjectKeys

    /// What arrivals have of the data type in the span, in the order of their first samples. A batch may hold other
    /// times, which the caller leaves out. Errors: `SampleMerge.Overlap` for more than `samplesMax`.
    func find(of account: UUID, _ type: DataType, from: Timestamp, to: Timestamp) async throws -> [Found] {
        var found: [Found] = []
        var (last, count) = (Int64(0), 0)
        while true {
            let page = try ArrivalPage<StoredArrival>(
                await database.run(ArrivalStore.after(last, of: account, rowsMax: Self.rowsMax)), rowsMax: Self.rowsMax)
            guard let end = page.rows.last, let key = try await keys.existingKeys(of: [account])[account] else { break }
            last = end.arrival
            for row in page.rows {
                var batch = try row.samples(of: account, key)
                batch.keep(type.bit)
                guard let span = batch.span, span.latest >= from.millisecondsUp, span.earliest < to.millisecondsUp
                else {
                    continue
                }
                found.append(Found(batch: batch, source: row.source, earliest: span.earliest))
                count += batch.count
                guard count <= Self.samplesMax else { throw SampleMerge.Overlap() }
            }
            guard page.hasMore else { break }
        }
        return found.sorted { $0.earliest < $1.earliest }
    }

    /// Calls `use` with each value of the type (its column and number), one that a source sent twice once, in no order of
    /// time. `use` returns whether to go on. Errors: `SampleMerge.Overlap` beside the database's.
    func eachValue(
        of account: UUID, _ type: DataType, from: Timestamp, to: Timestamp,
        _ use: (_ column: ValueColumn, _ index: Int) -> Bool
    ) async throws {
        let (start, end) = (from.millisecondsUp, to.millisecondsUp)
        var merge = SampleMerge()
        func pass(_ pieces: [SampleMerge.Piece]) -> Bool {
            pieces.allSatisfy { piece in piece.range.allSatisfy { use(piece.column, $0) } }
        }
        for found in try await find(of: account, type, from: from, to: to) {
            guard pass(try merge.add(found.batch, from: found.source, types: type.bit, from: start, to: end)) else {
                return
            }
        }
        _ = pass(merge.finish())
    }
}

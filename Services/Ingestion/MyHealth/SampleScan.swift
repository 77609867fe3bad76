import Domain
import Postgres
import Primitives

/// Reads a person's samples of one data type in a span.
struct SampleScan: Sendable {
    /// Arrivals read in one step; fewer when they are large.
    static let rowsMax = 1000

    private struct Row: PostgresRowDecodable {
        let stored: StoredArrival
        let earliest: Timestamp

        init(row: PostgresRow) throws(PostgresError) {
            stored = try StoredArrival(row: row)
            earliest = try row["earliest"]
        }
    }

    let database: Database
    let keys: SubjectKeys

    /// Calls `use` with each stored batch that has the data type in the span, and the device it came from, in the order
    /// of their first samples; `use` returns `false` to end. A batch may hold other types and times, which the caller
    /// leaves out.
    func each(
        of account: UUID, _ type: DataType, from: Timestamp, to: Timestamp,
        _ use: (SampleBatch, UUID?) throws -> Bool
    ) async throws {
        var last = (earliest: ArrivalStore.beginning, arrival: Int64(0))
        while true {
            let page = try ArrivalPage<Row>(
                await database.run(
                    ArrivalStore.inTime(
                        after: last, of: account, types: type.bit, from: from, to: to, rowsMax: Self.rowsMax)),
                rowsMax: Self.rowsMax)
            guard let end = page.rows.last, let key = try await keys.existingKeys(of: [account])[account] else {
                return
            }
            for row in page.rows {
                guard try use(try row.stored.samples(key), row.stored.device) else { return }
            }
            guard page.hasMore else { return }
            last = (end.earliest, end.stored.arrival)
        }
    }

    /// The same for values: calls `use` with each sample of the type (its column and number), one that a source sent
    /// twice once, in no order of time. `use` returns whether to go on. Errors: `SampleMerge.Overlap` beside the
    /// database's.
    func eachValue(
        of account: UUID, _ type: DataType, from: Timestamp, to: Timestamp,
        _ use: (_ column: ValueColumn, _ index: Int) -> Bool
    ) async throws {
        let (start, end) = (from.millisecondsUp, to.millisecondsUp)
        var merge = SampleMerge()
        func pass(_ pieces: [SampleMerge.Piece]) -> Bool {
            pieces.allSatisfy { piece in piece.range.allSatisfy { use(piece.column, $0) } }
        }
        var goesOn = true
        try await each(of: account, type, from: from, to: to) { batch, device in
            goesOn = pass(try merge.add(batch, from: device, types: type.bit, from: start, to: end))
            return goesOn
        }
        if goesOn { _ = pass(merge.finish()) }
    }
}

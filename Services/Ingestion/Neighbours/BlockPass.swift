import Contracts
import Domain
import Postgres
import Primitives
import Reactor
import Security

/// Reads a page of a pass through a person's blocks: the samples of some arrivals, block by block. Sealing between two
/// pages changes nothing that a reader has still to get: it adds samples of later arrivals only, and leaves the order of
/// the others.
struct BlockPass: Sendable {
    /// Blocks in one page; fewer when they are large.
    static let blocksMax = 50

    /// Samples of one source and one block.
    struct Piece: Sendable {
        let source: Int16
        let batch: SampleBatch
    }

    struct Page: Sendable {
        var pieces: [Piece] = []
        var next: Ingestion.ReadCursor
    }

    let database: Database
    let keys: SubjectKeys
    let threads: BlockingPool

    private struct Row: PostgresRowDecodable {
        let key: BlockKey
        let sealed: [UInt8]

        init(row: PostgresRow) throws(PostgresError) {
            key = try BlockStore.key(row)
            sealed = try row["sealed"]
        }
    }

    /// `cursor` is within a pass; at its end the next one is not. At most `samplesMax` samples.
    func read(
        _ account: UUID, _ cursor: Ingestion.ReadCursor, types: Int64, days: ClosedRange<CalendarDate>, samplesMax: Int,
        bytesMax: Int
    ) async throws -> Page {
        guard var pass = cursor.pass else { return Page(next: cursor) }
        if pass.day < days.lowerBound {
            (pass.day, pass.type, pass.skip) = (days.lowerBound, 0, 0)
        }
        let page = try ArrivalPage<Row>(
            await database.run(
                ReadStore.blocks(
                    cursor, pass, of: account, types: types, through: days.upperBound, rowsMax: Self.blocksMax,
                    bytesMax: bytesMax)), rowsMax: Self.blocksMax)
        let end = Page(next: .init(after: pass.through))
        guard !page.rows.isEmpty else { return end }
        // Erased.
        guard let key = try await keys.existingKeys(of: [account])[account] else { return end }
        let work = SealWork(account: account, key: key)
        let (rows, isLast, begin) = (page.rows, !page.hasMore, pass)
        return try await threads.computing {
            var result = Page(next: Ingestion.ReadCursor(after: cursor.after, pass: begin))
            var left = samplesMax
            for row in rows {
                let isFirst = row.key.day == begin.day && row.key.type.rawValue == begin.type
                let skip = isFirst ? Int(begin.skip) : 0
                let samples = try work.open(row.key, row.sealed)
                let (pieces, read, isWhole) = Self.pieces(
                    of: samples, after: cursor.after, through: begin.through, skip: skip, countMax: left)
                result.pieces += pieces
                left -= read
                guard isWhole else {
                    result.next.pass = .init(
                        through: begin.through, day: row.key.day, type: row.key.type.rawValue, skip: Int32(skip + read))
                    return result
                }
                result.next.pass = .init(through: begin.through, day: row.key.day, type: row.key.type.rawValue + 1)
                if left == 0 { return result }
            }
            if isLast { result.next = .init(after: begin.through) }
            return result
        }
    }

    /// Of the samples that arrived after one arrival and not after another, those after the first `skip`, `countMax` at
    /// most; their number, and whether they are the rest.
    private static func pieces(
        of block: BlockSamples, after: Int64, through: Int64, skip: Int, countMax: Int
    ) -> (pieces: [Piece], count: Int, isWhole: Bool) {
        var (pieces, left, count) = ([Piece](), skip, 0)
        for source in block.sources {
            let found = source.filtered { source.arrivals[$0] > after && source.arrivals[$0] <= through }
            let begin = min(left, found.count)
            let end = min(begin + countMax - count, found.count)
            left -= begin
            if end > begin {
                let part = begin == 0 && end == found.count ? found : found.part(begin..<end)
                pieces.append(Piece(source: source.source, batch: part.batch))
                count += end - begin
            }
            if end < found.count { return (pieces, count, false) }
        }
        return (pieces, count, true)
    }
}

extension SourceSamples {
    fileprivate func part(_ range: Range<Int>) -> SourceSamples { filtered(range.contains) }
}

import Contracts
import Domain
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Reads a page of a pass through a person's blocks: the samples of some arrivals, block by block. Sealing between two
/// pages changes nothing that a reader has still to get: it adds samples of later arrivals only, and leaves the order of
/// the others. Nor does deleting: it leaves the places of those that stay.
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

    /// Up to where the samples of a block were read: those of sources before this one, and of it up to a time.
    private struct Place {
        var source: Int16 = 0
        var time = Int64.min
    }

    /// `cursor` is within a pass; at its end the next one is not. About `samplesMax` samples: those of a source that begin
    /// at the same time come together.
    func read(
        _ account: UUID, _ cursor: Ingestion.ReadCursor, types: Int64, days: ClosedRange<CalendarDate>, samplesMax: Int,
        bytesMax: Int
    ) async throws -> Page {
        guard var pass = cursor.pass else { return Page(next: cursor) }
        if pass.day < days.lowerBound { pass = .init(through: pass.through, day: days.lowerBound) }
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
                let (day, type) = (row.key.day, row.key.type.rawValue)
                let isFirst = day == begin.day && type == begin.type
                let samples = try work.open(row.key, row.sealed)
                let (pieces, place) = Self.pieces(
                    of: samples, after: cursor.after, through: begin.through,
                    from: isFirst ? Place(source: begin.source, time: begin.time) : Place(), countMax: left)
                result.pieces += pieces
                left -= pieces.reduce(0) { $0 + $1.batch.count }
                if let place {
                    result.next.pass = .init(
                        through: begin.through, day: day, type: type, source: place.source, time: place.time)
                    return result
                }
                result.next.pass = .init(through: begin.through, day: day, type: type + 1)
                if left <= 0 { return result }
            }
            if isLast { result.next = .init(after: begin.through) }
            return result
        }
    }

    /// Of the samples that arrived after one arrival and not after another, those after a place, about `countMax`; and up to
    /// where they were read, unless they are the rest.
    private static func pieces(
        of block: BlockSamples, after: Int64, through: Int64, from place: Place, countMax: Int
    ) -> (pieces: [Piece], next: Place?) {
        var (pieces, left) = ([Piece](), countMax)
        for source in block.sources where source.source >= place.source {
            let times = source.times
            let found = source.filtered {
                source.arrivals[$0] > after && source.arrivals[$0] <= through
                    && (source.source > place.source || times[$0] > place.time)
            }
            guard found.count > 0 else { continue }
            guard left > 0 else { return (pieces, Place(source: source.source)) }
            let (own, end) = (found.times, found.end(countMax: left))
            pieces.append(Piece(source: source.source, batch: found.filtered { $0 < end }.batch))
            guard end == found.count else { return (pieces, Place(source: source.source, time: own[end - 1])) }
            left -= end
        }
        return (pieces, nil)
    }
}

extension SourceSamples {
    /// The number of the first samples, at least one, that are `countMax` or end with others of the same time.
    fileprivate func end(countMax: Int) -> Int {
        let times = times
        var end = min(max(1, countMax), times.count)
        while end < times.count, times[end] == times[end - 1] { end += 1 }
        return end
    }
}

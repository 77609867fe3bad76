import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// `ingestion.read`: a person's samples that count, in the order of arrival, and a wait for the next (REQ-07, ACC-14, NFR-02).
struct ReadMethod: Sendable {
    static let waitMillisecondsMax = 25_000
    /// Arrivals read in one step; fewer when they are large.
    static let pageMax = 200
    /// The part of the caller's time that is kept for the way back.
    private static let answerTime = Duration.milliseconds(50)

    let database: Database
    let keys: SubjectKeys
    let counters: ArrivalCounters
    let threads: BlockingPool
    let first: FirstArrivals
    let counted: CountedPieces
    /// Whether other replicas may store something of which nothing is heard here.
    let hasOtherReplicas: @Sendable () -> Bool
    /// How often a waiting call checks what they have stored.
    var lookInterval = Duration.seconds(1)

    /// `shard` gives the method of a person's shard. What is handed over is in the audit trail before it is.
    static func register(
        in router: inout RPCRouter, noting audit: AuditWriter,
        of shard: @escaping @Sendable (UUID) async throws -> ReadMethod
    ) {
        router.register(Ingestion.Read.self, allow: [ServiceName.query.rawValue]) { params, context in
            let purpose = params.purpose ?? "request"
            guard purpose.utf8.count <= AuditTrail.purposeBytesMax else {
                throw RPCError(.invalidParams, "purpose is longer than \(AuditTrail.purposeBytesMax) bytes.")
            }
            let result = try await shard(params.accountID).read(params, context)
            if !result.series.isEmpty {
                try await audit.note(
                    .init(
                        actor: context.caller, action: Ingestion.Read.name, account: params.accountID, purpose: purpose,
                        onBehalfOf: params.onBehalfOf))
            }
            return result
        }
    }

    private func read(_ params: Ingestion.Read.Params, _ context: RPCContext) async throws -> Ingestion.Read.Result {
        guard (1...SampleSeries.samplesMax).contains(params.limit) else {
            throw RPCError(.invalidParams, "limit must be from 1 to \(SampleSeries.samplesMax).")
        }
        guard (0...Self.waitMillisecondsMax).contains(params.waitMilliseconds) else {
            throw RPCError(.invalidParams, "wait_ms must be from 0 to \(Self.waitMillisecondsMax).")
        }
        guard params.after.isValid else { throw RPCError(.invalidParams, "after is not a cursor.") }
        guard try await database.queryOne(ArrivalStore.isKnown(params.accountID), as: Bool.self) == true else {
            throw RPCError(.notFound, "Nothing is stored for this account.")
        }
        let last = context.deadline.advanced(by: .zero - Self.answerTime)
        let end = min(.after(.milliseconds(params.waitMilliseconds)), last)
        do {
            return try await counters.waiting(for: params.accountID) { counter in
                var result = Ingestion.Read.Result(series: [], next: params.after, hasMore: false)
                while true {
                    let seen = counter.value
                    result = try await page(params, after: result.next)
                    // What is there already is looked through for as long as the caller waits at all.
                    guard result.series.isEmpty, !(result.hasMore ? last : end).hasPassed, !counters.isStopping else {
                        return result
                    }
                    if !result.hasMore { try await wait(for: counter, after: seen, until: end) }
                    try Task.checkCancellation()
                }
            }
        } catch IOError.limit {
            throw RPCError(.overloaded)
        } catch is PersonSamples.TooMuch {
            throw RPCError(.overloaded, "Too much of the person's data is not sealed yet; try again later.")
        }
    }

    /// Until there may be something new, or the end: then what was not heard of is looked for once.
    private func wait(for counter: EventCounter, after seen: UInt64, until end: Deadline) async throws {
        repeat {
            _ = await counter.wait(after: seen, deadline: min(end, .after(lookInterval)))
            try Task.checkCancellation()
        } while counter.value == seen && !hasOtherReplicas() && !end.hasPassed && !counters.isStopping
    }

    /// The samples after a cursor, up to about the limit; none when there is nothing new for the caller.
    private func page(
        _ params: Ingestion.Read.Params, after cursor: Ingestion.ReadCursor
    ) async throws -> Ingestion.Read.Result {
        // A sample takes about so many bytes; a page with more would be read in vain.
        let bytesMax = min(ArrivalStore.pageBytesMax, 64 * params.limit)
        let (from, to) = (params.from.millisecondsUp, params.to.millisecondsUp)
        let types = DataType.mask(params.types)
        guard cursor.pass == nil else {
            let blocks = BlockPass(database: database, keys: keys, threads: threads)
            let page = try await blocks.read(
                params.accountID, cursor, types: types,
                days: PersonSamples.days(of: types, from: params.from, to: params.to),
                samplesMax: params.limit, bytesMax: bytesMax)
            let batches = try await counted.batches(page.pieces, of: params.accountID)
            let series = batches.flatMap { $0.series(types: types, from: from, to: to) }
            return .init(series: series, next: page.next, hasMore: true)
        }
        let result = try await database.run(
            ReadStore.arrivals(
                after: cursor.after, of: params.accountID, rowsMax: Self.pageMax, bytesMax: bytesMax))
        switch try ReadStore.Page(result, after: cursor.after, rowsMax: Self.pageMax) {
        case .blocks(let through):
            return .init(series: [], next: .pass(after: cursor.after, through: through), hasMore: true)
        case .arrivals(let rows, let hasMore):
            return try await arrivals(rows, hasMore, params, after: cursor.after)
        }
    }

    private func arrivals(
        _ rows: [StoredArrival], _ hasMore: Bool, _ params: Ingestion.Read.Params, after: Int64
    ) async throws -> Ingestion.Read.Result {
        guard !rows.isEmpty else { return .init(series: [], next: .init(after: after), hasMore: hasMore) }
        guard let key = try await keys.existingKeys(of: [params.accountID])[params.accountID] else {
            throw RPCError(.notFound, "Nothing is stored for this account.")
        }
        let page = try await threads.computing {
            try Self.opened(rows, key, params, Page(next: .init(after: after), hasMore: hasMore))
        }
        let firsts = try await first.pieces(
            of: page.doubtful, params.accountID, types: DataType.mask(params.types), from: params.from.millisecondsUp,
            to: params.to.millisecondsUp)
        let pieces = (page.pieces + firsts).filter { !$0.piece.batch.isEmpty }.sorted { $0.arrival < $1.arrival }
        let batches = try await counted.batches(pieces.map(\.piece), of: params.accountID)
        return .init(series: batches.flatMap { $0.series() }, next: page.next, hasMore: page.hasMore)
    }

    private struct Page: Sendable {
        var pieces: [FirstArrivals.Piece] = []
        /// Arrivals that may repeat something.
        var doubtful: [StoredArrival] = []
        var next: Ingestion.ReadCursor
        var hasMore: Bool
    }

    /// The samples of as many arrivals as fit.
    private static func opened(
        _ rows: [StoredArrival], _ key: SubjectKey, _ params: Ingestion.Read.Params, _ start: Page
    ) throws -> Page {
        var result = start
        let (from, to) = (params.from.millisecondsUp, params.to.millisecondsUp)
        let types = DataType.mask(params.types)
        var count = 0
        for (number, row) in rows.enumerated() {
            let content = try row.content(of: params.accountID, key)
            var batch = content.batch
            batch.keep(types)
            batch = batch.between(from, to)
            guard count == 0 || count + batch.count <= params.limit else {
                result.hasMore = true
                break
            }
            if content.mayRepeat, !batch.isEmpty {
                result.doubtful.append(row)
            } else {
                result.pieces.append(
                    .init(arrival: row.arrival, piece: BlockPass.Piece(source: row.source, batch: batch)))
            }
            count += batch.count
            result.next.after = row.arrival
            if count >= params.limit {
                result.hasMore = result.hasMore || number + 1 < rows.count
                break
            }
        }
        return result
    }
}

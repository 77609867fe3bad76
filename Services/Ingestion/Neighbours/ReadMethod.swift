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
    typealias Item = Ingestion.ReadMany.Item

    static let waitMillisecondsMax = 25_000
    /// The part of the caller's time that is kept for the way back.
    static let answerTime = Duration.milliseconds(50)

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

    var recent: RecentArrivals {
        RecentArrivals(database: database, keys: keys, threads: threads, first: first, counted: counted)
    }

    /// `shard` gives the method of a person's shard. What is handed over is in the audit trail before it is.
    static func register(
        in router: inout RPCRouter, noting audit: AuditWriter,
        of shard: @escaping @Sendable (UUID) async throws -> ReadMethod
    ) {
        router.register(Ingestion.Read.self, allow: [ServiceName.query.rawValue]) { params, context in
            let item = Item(params)
            try check(item)
            let entry = try entry(of: item, for: context.caller)
            let result = try await shard(params.accountID).read(params, context)
            if !result.series.isEmpty { try await audit.note(entry) }
            return result
        }
    }

    /// Errors: `invalidParams`.
    static func check(_ item: Item) throws(RPCError) {
        guard (1...SampleSeries.samplesMax).contains(item.limit) else {
            throw RPCError(.invalidParams, "limit must be from 1 to \(SampleSeries.samplesMax).")
        }
        guard item.after.isValid else { throw RPCError(.invalidParams, "after is not a cursor.") }
    }

    /// Of samples that are handed over, one by one or of many people: what belongs together is one entry. Errors: `invalidParams`.
    static func entry(of item: Item, for caller: String) throws(RPCError) -> AuditWriter.Reading {
        try .init(Ingestion.Read.self, of: item.accountID, by: caller, item.reason)
    }

    private func read(_ params: Ingestion.Read.Params, _ context: RPCContext) async throws -> Ingestion.Read.Result {
        guard (0...Self.waitMillisecondsMax).contains(params.waitMilliseconds) else {
            throw RPCError(.invalidParams, "wait_ms must be from 0 to \(Self.waitMillisecondsMax).")
        }
        let last = context.deadline.advanced(by: .zero - Self.answerTime)
        let end = min(.after(.milliseconds(params.waitMilliseconds)), last)
        let item = Item(params)
        try await requireKnown(item)
        do {
            return try await counters.waiting(for: params.accountID) { counter in
                var next = item.after
                while true {
                    let seen = counter.value
                    // What is there already is looked through for as long as the caller waits at all.
                    let result = try await stored(item, after: next, until: last)
                    guard result.series.isEmpty, !result.hasMore, !end.hasPassed, !counters.isStopping else {
                        return result
                    }
                    next = result.next
                    try await wait(for: counter, after: seen, until: end)
                    try Task.checkCancellation()
                }
            }
        } catch IOError.limit {
            throw RPCError(.overloaded)
        } catch is PersonSamples.TooMuch {
            throw RPCError(.overloaded, "Too much of the person's data is not sealed yet; try again later.")
        }
    }

    func requireKnown(_ item: Item) async throws {
        guard try await database.queryOne(ArrivalStore.isKnown(item.accountID), as: Bool.self) == true else {
            throw Self.nothing
        }
    }

    static let nothing = RPCError(.notFound, "Nothing is stored for this account.")

    /// Until there may be something new, or the end: then what was not heard of is looked for once.
    private func wait(for counter: EventCounter, after seen: UInt64, until end: Deadline) async throws {
        repeat {
            _ = await counter.wait(after: seen, deadline: min(end, .after(lookInterval)))
            try Task.checkCancellation()
        } while counter.value == seen && !hasOtherReplicas() && !end.hasPassed && !counters.isStopping
    }

    /// What is stored after a cursor, page by page until there is something for the caller, or no more, or the time is over.
    func stored(
        _ item: Item, after cursor: Ingestion.ReadCursor, until end: Deadline
    ) async throws -> Ingestion.Read.Result {
        var result = Ingestion.Read.Result(series: [], next: cursor, hasMore: true)
        repeat {
            result = try await page(item, after: result.next)
            try Task.checkCancellation()
        } while result.series.isEmpty && result.hasMore && !end.hasPassed && !counters.isStopping
        return result
    }

    /// The samples after a cursor, up to about the limit; none when there is nothing new for the caller.
    private func page(_ item: Item, after cursor: Ingestion.ReadCursor) async throws -> Ingestion.Read.Result {
        var item = item
        item.after = cursor
        guard cursor.pass == nil else {
            let (from, to) = (item.from.millisecondsUp, item.to.millisecondsUp)
            let types = DataType.mask(item.types)
            let blocks = BlockPass(database: database, keys: keys, threads: threads)
            let page = try await blocks.read(
                item.accountID, cursor, types: types, days: PersonSamples.days(of: types, from: item.from, to: item.to),
                samplesMax: item.limit, bytesMax: item.bytesMax)
            let batches = try await counted.batches(page.pieces, of: item.accountID)
            let series = batches.flatMap { $0.series(types: types, from: from, to: to) }
            return .init(series: series, next: page.next, hasMore: true)
        }
        switch try await recent.read([item], samplesMax: item.limit).first {
        case .read(let result): return result
        case .failed(let error): throw error
        case .nothing, nil: throw Self.nothing
        }
    }
}

extension Ingestion.ReadMany.Item {
    init(_ params: Ingestion.Read.Params) {
        self.init(
            accountID: params.accountID, types: params.types, from: params.from, to: params.to, after: params.after,
            limit: params.limit, reason: params.reason)
    }

    /// A sample takes about so many bytes; a page with more would be read in vain.
    var bytesMax: Int { min(ArrivalStore.pageBytesMax, 64 * limit) }
}

import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Reactor

/// `ingestion.read`: a person's samples in the order of arrival, and a wait for the next (REQ-07, NFR-02).
struct ReadMethod: Sendable {
    static let waitMillisecondsMax = 25_000
    /// Arrivals read in one step; fewer when they are large.
    static let pageMax = 200
    /// How often a waiting call checks what other replicas have stored.
    static let lookInterval = Duration.seconds(1)
    /// The part of the caller's time that is kept for the way back.
    private static let answerTime = Duration.milliseconds(50)

    let database: Database
    let keys: SubjectKeys
    let counters: ArrivalCounters

    func register(in router: inout RPCRouter) {
        router.register(Ingestion.Read.self, allow: [ServiceName.query.rawValue]) { try await read($0, $1) }
    }

    private func read(_ params: Ingestion.Read.Params, _ context: RPCContext) async throws -> Ingestion.Read.Result {
        guard (1...SampleSeries.samplesMax).contains(params.limit) else {
            throw RPCError(.invalidParams, "limit must be from 1 to \(SampleSeries.samplesMax).")
        }
        guard (0...Self.waitMillisecondsMax).contains(params.waitMilliseconds) else {
            throw RPCError(.invalidParams, "wait_ms must be from 0 to \(Self.waitMillisecondsMax).")
        }
        guard params.after >= 0 else { throw RPCError(.invalidParams, "after must not be negative.") }
        guard try await database.queryOne(ArrivalStore.isKnown(params.accountID), as: Bool.self) == true else {
            throw RPCError(.notFound, "Nothing is stored for this account.")
        }
        let end = min(
            .after(.milliseconds(params.waitMilliseconds)), context.deadline.advanced(by: .zero - Self.answerTime))
        do {
            return try await counters.waiting(for: params.accountID) { counter in
                var result = Ingestion.Read.Result(series: [], next: params.after, hasMore: false)
                while true {
                    let seen = counter.value
                    result = try await page(params, after: result.next)
                    guard result.series.isEmpty, !end.hasPassed, !counters.isStopping else { return result }
                    if !result.hasMore {
                        _ = await counter.wait(after: seen, deadline: min(end, .after(Self.lookInterval)))
                    }
                    try Task.checkCancellation()
                }
            }
        } catch IOError.limit {
            throw RPCError(.overloaded)
        }
    }

    /// The arrivals after one, up to about the limit; none when there is nothing new for the caller.
    private func page(_ params: Ingestion.Read.Params, after: Int64) async throws -> Ingestion.Read.Result {
        let types = DataType.mask(params.types)
        // A sample takes about so many bytes; a page with more would be read in vain.
        let bytesMax = min(ArrivalStore.pageBytesMax, 64 * params.limit)
        let page = try ArrivalPage<StoredArrival>(
            await database.run(
                ArrivalStore.after(after, of: params.accountID, rowsMax: Self.pageMax, bytesMax: bytesMax)),
            rowsMax: Self.pageMax)
        var result = Ingestion.Read.Result(series: [], next: after, hasMore: page.hasMore)
        guard !page.rows.isEmpty else { return result }
        guard let key = try await keys.existingKeys(of: [params.accountID])[params.accountID] else {
            throw RPCError(.notFound, "Nothing is stored for this account.")
        }
        let (from, to) = (params.from.millisecondsUp, params.to.millisecondsUp)
        var count = 0
        for (number, row) in page.rows.enumerated() {
            let series = try row.samples(of: params.accountID, key).series(types: types, from: from, to: to)
            let more = series.reduce(0) { $0 + $1.count }
            guard count == 0 || count + more <= params.limit else {
                result.hasMore = true
                break
            }
            result.series += series
            count += more
            result.next = row.arrival
            if count >= params.limit {
                result.hasMore = result.hasMore || number + 1 < page.rows.count
                break
            }
        }
        return result
    }
}

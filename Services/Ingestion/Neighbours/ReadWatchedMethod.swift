import Contracts
import Domain
import Postgres
import Primitives
import RPC

/// `ingestion.read_watched`: what the live feed has brought of one person, once more (RUN-09, RUN-10).
struct ReadWatchedMethod: Sendable {
    /// Arrivals looked at in one step; fewer when they are large.
    static let pageMax = 200

    private struct Row: PostgresRowDecodable {
        let stored: StoredArrival
        let device: UUID
        let receivedAt: Timestamp
        let sentAt: Timestamp

        init(row: PostgresRow) throws(PostgresError) {
            stored = try StoredArrival(row: row)
            device = try row["device_id"]
            receivedAt = try row["received_at"]
            sentAt = try row["sent_at"]
        }
    }

    let database: Database
    let keys: SubjectKeys
    let clock: any WallClock

    func register(in router: inout RPCRouter) {
        router.register(Ingestion.ReadWatched.self, allow: [ServiceName.track4run.rawValue]) { params, context in
            try await read(params, for: context.caller)
        }
    }

    private func read(
        _ params: Ingestion.ReadWatched.Params, for caller: String
    ) async throws -> Ingestion.ReadWatched.Result {
        guard (1...SampleSeries.samplesMax).contains(params.limit) else {
            throw RPCError(.invalidParams, "limit must be from 1 to \(SampleSeries.samplesMax).")
        }
        guard params.after >= 0 else { throw RPCError(.invalidParams, "after must not be negative.") }
        let spans = try await database.query(
            WatchStore.spans(of: params.accountID, source: caller, at: clock.now()),
            as: Timestamp.self, Timestamp.self)
        let watched = WatchedTimes(spans: spans.map { (from: $0.0, to: $0.1) }).within(params.from, params.to)
        guard let first = watched.spans.first, let last = watched.spans.last else {
            throw RPCError(.notFound, "These times are not watched.")
        }
        let types = DataType.mask(params.types)
        let page = try ArrivalPage<Row>(
            await database.run(
                ArrivalStore.measured(
                    from: first.lowerBound, to: last.upperBound, after: params.after, of: params.accountID,
                    types: types, samplesMax: params.limit, rowsMax: Self.pageMax)),
            rowsMax: Self.pageMax)
        guard let end = page.rows.last else { return .init(samples: [], next: params.after, hasMore: false) }
        guard let key = try await keys.existingKeys(of: [params.accountID])[params.accountID] else {
            throw RPCError(.notFound, "Nothing is stored for this account.")
        }
        let samples = try page.rows.compactMap { row -> Ingestion.LiveSamples? in
            let series = watched.series(
                of: try row.stored.samples(key), types: types, sentAt: row.sentAt, receivedAt: row.receivedAt)
            guard !series.isEmpty else { return nil }
            return Ingestion.LiveSamples(
                accountID: params.accountID, deviceID: row.device, receivedAt: row.receivedAt, sentAt: row.sentAt,
                series: series)
        }
        return .init(samples: samples, next: end.stored.arrival, hasMore: page.hasMore)
    }
}

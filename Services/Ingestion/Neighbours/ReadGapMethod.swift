import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Security
import Service

/// `ingestion.read_gap`: the samples of a part of `ingestion.live` that was trimmed before a consumer had read it
/// (SOS-02, RUN-09).
struct ReadGapMethod: Sendable {
    /// Arrivals read in one step; fewer when they are large.
    static let pageMax = 200

    let database: Database
    let keys: SubjectKeys
    let clock: any WallClock

    func register(in router: inout RPCRouter) {
        router.register(
            Ingestion.ReadGap.self, allow: [ServiceName.dispatcher.rawValue, ServiceName.track4run.rawValue]
        ) { try await read($0, for: $1.caller) }
    }

    private func read(
        _ params: Ingestion.ReadGap.Params, for caller: String
    ) async throws -> Ingestion.ReadGap.Result {
        guard (1...Ingestion.ReadGap.samplesMax).contains(params.limit) else {
            throw RPCError(.invalidParams, "limit must be from 1 to \(Ingestion.ReadGap.samplesMax).")
        }
        guard params.after >= 0 else { throw RPCError(.invalidParams, "after must not be negative.") }
        guard params.receivedFrom >= clock.now() - Ingestion.ReadGap.ageMax else {
            throw RPCError(.invalidParams, "received_from must be at most 15 days ago.")
        }
        let watch = try await database.queryOne(ReceivedArrivals.watch(of: params.accountID, by: caller)) {
            row throws(PostgresError) in
            (
                times: try WatchedTimes(row: row), since: try row.decode("since", as: Timestamp?.self),
                end: try row.decode("ends_at", as: Timestamp?.self)
            )
        }
        guard let watch, let since = watch.since, !watch.times.isEmpty else {
            throw RPCError(.notAllowed, "This client does not watch this person.")
        }
        let from = max(params.receivedFrom, since)
        let to = min(params.receivedTo, watch.end ?? params.receivedTo)
        var result = Ingestion.ReadGap.Result(uploads: [], next: params.after, hasMore: false)
        if params.after == 0 {
            result.next =
                try await database.queryOne(
                    ReceivedArrivals.last(of: params.accountID, before: from), as: Int64.self) ?? 0
        }
        while result.uploads.isEmpty {
            guard try await page(params, watch.times, from: from, to: to, &result), result.hasMore else { break }
        }
        return result
    }

    /// Adds the arrivals after `result.next`, up to about the limit. `false` when the person has no key any more.
    private func page(
        _ params: Ingestion.ReadGap.Params, _ times: WatchedTimes, from: Timestamp, to: Timestamp,
        _ result: inout Ingestion.ReadGap.Result
    ) async throws -> Bool {
        let types = DataType.mask(params.types)
        let page = try ArrivalPage<ReceivedArrivals.Row>(
            await database.run(
                ReceivedArrivals.page(
                    after: result.next, of: params.accountID, types: types, from: from, to: to,
                    samplesMax: params.limit, rowsMax: Self.pageMax)),
            rowsMax: Self.pageMax)
        guard let key = try await key(of: params.accountID) else {
            result.hasMore = false
            return false
        }
        for row in page.rows {
            result.next = row.arrival
            guard let stored = row.stored, let device = stored.device else { continue }
            let series = times.series(
                of: try stored.samples(key), types: types, sentAt: row.sentAt, receivedAt: row.receivedAt)
            guard !series.isEmpty else { continue }
            let samples = Ingestion.LiveSamples(
                accountID: params.accountID, deviceID: device, receivedAt: row.receivedAt, sentAt: row.sentAt,
                series: series)
            result.uploads.append(.init(samples: samples, ageMilliseconds: row.ageMilliseconds))
        }
        result.hasMore = page.hasMore
        return true
    }

    /// That one person's key cannot be had says nothing about the others: no error that means that this service is away.
    private func key(of account: UUID) async throws -> SubjectKey? {
        guard let key = await keys.keysAtHand(of: [account])[account] else { return nil }
        do { return try key.get() } catch {
            throw RPCError(.internal, "The person's key cannot be had at present.")
        }
    }
}

/// The statements that read one person's arrivals by the time of their reception.
enum ReceivedArrivals {
    struct Row: PostgresRowDecodable {
        let arrival: Int64
        let receivedAt: Timestamp
        let sentAt: Timestamp
        let ageMilliseconds: Int64
        /// `nil` for an arrival without samples for the caller.
        let stored: StoredArrival?

        init(row: PostgresRow) throws(PostgresError) {
            arrival = try row["arrival"]
            receivedAt = try row["received_at"]
            sentAt = try row["sent_at"]
            ageMilliseconds = try row["age_ms"]
            stored = try row["is_concerned"] ? try StoredArrival(row: row) : nil
        }
    }

    /// The times of which a service watches the person, since when, and until when (null: without end).
    static func watch(of account: UUID, by source: String) -> SQL {
        """
        select \(sql: WatchStore.times), min(since) as since,
          case when not coalesce(bool_or(until is null), false) then max(until) end as ends_at
        from watch where account_id = \(account) and source = \(source) and is_watched
        """
    }

    /// The last arrival that was stored before `time`, found backwards from the newest: the work is that of the time
    /// since then.
    static func last(of account: UUID, before time: Timestamp) -> SQL {
        """
        select arrival from arrival where account_id = \(account) and stored_at < \(time) order by arrival desc limit 1
        """
    }

    static func page(
        after arrival: Int64, of account: UUID, types: Int64, from: Timestamp, to: Timestamp, samplesMax: Int,
        rowsMax: Int
    ) -> SQL {
        let concerns: SQL = "types & \(types) <> 0 and device_id is not null and stored_at >= \(from)"
        return ArrivalStore.page(
            of: """
                select arrival, id, device_id, received_at, sent_at,
                  (extract(epoch from clock_timestamp() - stored_at) * 1000)::bigint as age_ms,
                  \(sql: concerns) as is_concerned,
                  case when \(sql: concerns) then sealed end as sealed,
                  case when \(sql: concerns) then sample_count else 0 end as sample_count
                from arrival where account_id = \(account) and arrival > \(arrival) and stored_at < \(to)
                order by arrival limit \(rowsMax)
                """,
            columns: "arrival, id, device_id, received_at, sent_at, age_ms, is_concerned, sealed", order: "arrival",
            samplesMax: samplesMax)
    }
}

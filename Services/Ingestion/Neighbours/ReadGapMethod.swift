import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// `ingestion.read_gap`: the samples of a part of `ingestion.live` that was trimmed before a consumer had read it
/// (SOS-02, RUN-09).
struct ReadGapMethod: Sendable {
    /// Arrivals read in one step; fewer when they are large.
    static let pageMax = 200

    let database: Database
    let keys: SubjectKeys
    let threads: BlockingPool
    let clock: any WallClock

    /// `shard` gives the method of a person's shard. What is handed over is in the audit trail before it is.
    static func register(
        in router: inout RPCRouter, noting audit: AuditWriter,
        of shard: @escaping @Sendable (UUID) async throws -> ReadGapMethod
    ) {
        router.register(
            Ingestion.ReadGap.self, allow: [ServiceName.dispatcher.rawValue, ServiceName.track4run.rawValue]
        ) { params, context in
            let result = try await shard(params.accountID).read(params, for: context.caller)
            if !result.uploads.isEmpty {
                try await audit.note(
                    .init(
                        actor: context.caller, action: Ingestion.ReadGap.name, account: params.accountID,
                        purpose: "watch"))
            }
            return result
        }
    }

    private func read(
        _ params: Ingestion.ReadGap.Params, for caller: String
    ) async throws -> Ingestion.ReadGap.Result {
        guard (1...Ingestion.ReadGap.samplesMax).contains(params.limit) else {
            throw RPCError(.invalidParams, "limit must be from 1 to \(Ingestion.ReadGap.samplesMax).")
        }
        guard params.after.isValid else { throw RPCError(.invalidParams, "after is not a cursor.") }
        guard params.receivedFrom >= clock.now() - Ingestion.ReadGap.ageMax else {
            throw RPCError(.invalidParams, "received_from must be at most 15 days ago.")
        }
        let watch = try await database.queryOne(ReceivedArrivals.watch(of: params.accountID, by: caller)) {
            row throws(PostgresError) in
            (
                watches: try Watches(row: row), since: try row.decode("since", as: Timestamp?.self),
                end: try row.decode("ends_at", as: Timestamp?.self)
            )
        }
        guard let watch, let since = watch.since, !watch.watches.isEmpty else {
            throw RPCError(.notAllowed, "This client does not watch this person.")
        }
        let from = max(params.receivedFrom, since)
        let to = min(params.receivedTo, watch.end ?? params.receivedTo)
        var result = Ingestion.ReadGap.Result(uploads: [], next: params.after, hasMore: false)
        if params.after == .beginning { result.next = try await beginning(params.accountID, from) }
        while result.uploads.isEmpty {
            guard try await page(params, watch.watches, for: caller, from: from, to: to, &result), result.hasMore else {
                break
            }
        }
        return result
    }

    /// The last arrival before `time`, or the beginning of the blocks where arrivals of that time are gone.
    private func beginning(_ account: UUID, _ time: Timestamp) async throws -> Ingestion.ReadCursor {
        let found = try await database.queryOne(ReceivedArrivals.beginning(of: account, at: time)) {
            row throws(PostgresError) in
            (
                last: try row.decode("last", as: Int64?.self), first: try row.decode("first", as: Int64?.self),
                sealedThrough: try row.decode("sealed_through", as: Int64.self),
                isKept: try row.decode("is_kept", as: Bool.self)
            )
        }
        guard let found else { return .beginning }
        if let last = found.last { return .init(after: last) }
        let through = found.first.map { $0 - 1 } ?? found.sealedThrough
        return found.isKept || through <= 0 ? .init(after: max(0, through)) : .pass(after: 0, through: through)
    }

    /// Adds samples of a pass through blocks, of devices, measured within the interval.
    private func blocks(
        _ params: Ingestion.ReadGap.Params, _ watches: Watches, for caller: String, from: Timestamp, to: Timestamp,
        _ result: inout Ingestion.ReadGap.Result
    ) async throws -> Bool {
        let account = params.accountID
        let types = DataType.mask(params.types)
        guard try await key(of: account) != nil else {
            result.hasMore = false
            return false
        }
        let page = try await BlockPass(database: database, keys: keys, threads: threads).read(
            account, result.next, types: types, days: PersonSamples.days(of: types, from: from, to: to),
            samplesMax: params.limit,
            bytesMax: ArrivalStore.pageBytesMax)
        let devices = try await ArrivalStore.devices(of: account, in: database)
        let now = clock.now()
        for piece in page.pieces {
            let batch = piece.batch.between(from.millisecondsUp, to.millisecondsUp)
            guard let device = devices[piece.source], let span = batch.span else { continue }
            let last = Timestamp(milliseconds: span.latest)
            let series = watches.series(of: batch, for: caller, types: types, sentAt: last, receivedAt: last)
            guard !series.isEmpty else { continue }
            result.uploads.append(
                .init(
                    samples: .init(
                        accountID: account, deviceID: device, receivedAt: last, sentAt: last, series: series),
                    ageMilliseconds: max(0, (now - last).milliseconds)))
        }
        result.next = page.next
        result.hasMore = true
        return true
    }

    /// Adds the samples after `result.next`, up to about the limit. `false` when the person has no key any more.
    private func page(
        _ params: Ingestion.ReadGap.Params, _ watches: Watches, for caller: String, from: Timestamp, to: Timestamp,
        _ result: inout Ingestion.ReadGap.Result
    ) async throws -> Bool {
        guard result.next.pass == nil else {
            return try await blocks(params, watches, for: caller, from: from, to: to, &result)
        }
        let types = DataType.mask(params.types)
        let page = try ArrivalPage<ReceivedArrivals.Row>(
            await database.run(
                ReceivedArrivals.page(
                    after: result.next.after, of: params.accountID, from: from, to: to, rowsMax: Self.pageMax)),
            rowsMax: Self.pageMax)
        guard let key = try await key(of: params.accountID) else {
            result.hasMore = false
            return false
        }
        let before = result
        result = try await threads.computing {
            try Self.opened(page, key, before, params) { content in
                watches.series(
                    of: content.batch, for: caller, types: types, sentAt: content.sentAt,
                    receivedAt: content.receivedAt)
            }
        }
        return true
    }

    /// Adds the samples of as many arrivals as fit; `series` is what of one concerns the caller.
    private static func opened(
        _ page: ArrivalPage<ReceivedArrivals.Row>, _ key: SubjectKey, _ before: Ingestion.ReadGap.Result,
        _ params: Ingestion.ReadGap.Params, _ series: (ArrivalContent) -> [SampleSeries]
    ) throws -> Ingestion.ReadGap.Result {
        var result = before
        result.hasMore = page.hasMore
        var count = 0
        for (number, row) in page.rows.enumerated() {
            guard row.arrival == result.next.after + 1 || result.next.after == 0 else {
                // Arrivals that were there are in blocks only.
                result.next = .pass(after: result.next.after, through: row.arrival - 1)
                result.hasMore = true
                break
            }
            result.next.after = row.arrival
            guard let stored = row.stored, let device = row.device else { continue }
            let content = try stored.content(of: params.accountID, key)
            let series = series(content)
            guard !series.isEmpty else { continue }
            let samples = Ingestion.LiveSamples(
                accountID: params.accountID, deviceID: device, receivedAt: content.receivedAt, sentAt: content.sentAt,
                series: series)
            result.uploads.append(.init(samples: samples, ageMilliseconds: row.ageMilliseconds))
            count += series.reduce(0) { $0 + $1.count }
            if count >= params.limit {
                result.hasMore = page.hasMore || number + 1 < page.rows.count
                break
            }
        }
        return result
    }

    /// That one person's key cannot be had says nothing about the others: no error that means that this service is away.
    private func key(of account: UUID) async throws -> SubjectKey? {
        guard let key = await keys.keysAtHand(of: [account])[account] else { return nil }
        do { return try key.get() } catch {
            // Nobody has a key of whom there is nothing.
            if error is KeyMissing, try await !hasSamples(account) { return nil }
            throw RPCError(.internal, "The person's key cannot be had at present.")
        }
    }

    private func hasSamples(_ account: UUID) async throws(PostgresError) -> Bool {
        try await database.queryOne(
            "select exists (select from person where account_id = \(account) and types <> 0)", as: Bool.self) ?? false
    }
}

/// The statements that read one person's arrivals by the time of their reception.
enum ReceivedArrivals {
    struct Row: PostgresRowDecodable, Sendable {
        let arrival: Int64
        let ageMilliseconds: Int64
        let device: UUID?
        /// `nil` for what did not come from a device, or was stored before the interval.
        let stored: StoredArrival?

        init(row: PostgresRow) throws(PostgresError) {
            arrival = try row["arrival"]
            ageMilliseconds = try row["age_ms"]
            device = try row["device_id"]
            stored = try row["is_concerned"] ? try StoredArrival(row: row) : nil
        }
    }

    /// The watches of a service on the person, since when, and until when (null: without end).
    static func watch(of account: UUID, by source: String) -> SQL {
        """
        select \(sql: WatchStore.columns), min(since) as since,
          case when not coalesce(bool_or(until is null), false) then max(until) end as ends_at
        from watch where account_id = \(account) and source = \(source) and is_watched
        """
    }

    /// The last arrival that was stored before `time`, found backwards from the newest; the first that is still there; and
    /// whether all that was stored since that time is.
    static func beginning(of account: UUID, at time: Timestamp) -> SQL {
        """
        select p.sealed_through, l.arrival as last, f.arrival as first,
          \(time) >= clock_timestamp() - \(ArrivalDays.keptHours) * interval '1 hour' as is_kept
        from (select number, sealed_through from person where account_id = \(account) offset 0) p
        left join lateral (
          select arrival from arrival where person = p.number and stored_at < \(time) order by arrival desc limit 1) l on true
        left join lateral (select arrival from arrival where person = p.number order by arrival limit 1) f on true
        """
    }

    /// Of one person no arrival is stored before another one that precedes it.
    static func page(
        after arrival: Int64, of account: UUID, from: Timestamp, to: Timestamp, rowsMax: Int
    ) -> SQL {
        ArrivalStore.page(
            of: """
                select arrival, source, device_id, age_ms, is_concerned, case when is_concerned then sealed end as sealed
                from (
                  select a.arrival, a.source, a.sealed, s.identity as device_id,
                    greatest(0, extract(epoch from clock_timestamp() - a.stored_at) * 1000)::bigint as age_ms,
                    s.identity is not null and a.stored_at >= \(from) as is_concerned
                  from arrival a left join lateral (
                    select identity from source
                    where person = a.person and number = a.source and kind = 'device' limit 1) s on true
                  where a.person = (select number from person where account_id = \(account))
                    and a.arrival > \(arrival) and a.stored_at < \(to)
                  order by a.arrival limit \(rowsMax)) c
                """,
            columns: "arrival, source, device_id, age_ms, is_concerned, sealed", order: "arrival")
    }
}

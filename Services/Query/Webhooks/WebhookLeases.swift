import Postgres
import Primitives
import Security
import Service

/// Which process sends for which webhooks, and how far they are. A process that stops or dies loses its webhooks to others within
/// about two seconds; what it writes afterwards counts for nothing, by the fence.
struct WebhookLeases: Sendable {
    static let claimMax = 50

    struct Claimed: Sendable {
        let webhook: Webhook
        let fence: Int64
    }

    struct Held: Sendable {
        let fence: Int64
        /// Of the third party's last event.
        let lastNumber: Int64
    }

    /// A person of whom something could not be sent.
    struct Lane: Sendable {
        let id: UUID
        let from: Int64
        let attempts: Int
        let pause: Duration
    }

    /// What has come of sending since it was last written.
    struct Progress: Sendable {
        var attempts: [WebhookAttempt] = []
        var position: Int64 = 0
        /// What is held now, or no longer (`nil`).
        var lanes: [UUID: Lane?] = [:]
        var hasSuccess = false
        /// Whether the last attempt failed.
        var endsFailing = false
        /// Everything that is held is due: the receiver is back.
        var isBack = false
    }

    let store: WebhookStore
    let times: WebhookTimes

    private var database: Database { store.database }
    private var leaseEnd: SQL { "clock_timestamp() + \(times.lease.microseconds) * interval '1 microsecond'" }

    // MARK: Leases

    /// Prolongs the lease of a process; `false` when others have taken what it had. Those whose leases have run out are gone. A lease
    /// further ahead than any was made before the clock was set back.
    func renew(_ holder: UUID, isFirst: Bool) async throws(PostgresError) -> Bool {
        let renewed: Int
        if isFirst {
            renewed = try await database.execute("insert into webhook_sender values (\(holder), \(sql: leaseEnd))")
        } else {
            renewed = try await database.execute(
                "update webhook_sender set lease_until = \(sql: leaseEnd) where id = \(holder)")
        }
        try await database.execute(
            """
            delete from webhook_sender where id <> \(holder)
              and (lease_until < clock_timestamp() or lease_until > \(sql: leaseEnd) + interval '1 second')
            """)
        return renewed > 0
    }

    func held(by holder: UUID) async throws(PostgresError) -> [UUID: Held] {
        let rows = try await database.query(
            """
            select w.id, w.fence, coalesce(p.last_number, 0) from webhook w
            left join recipient p on p.requester_id = w.requester_id where w.holder = \(holder)
            """, as: UUID.self, Int64.self, Int64.self)
        return Dictionary(
            rows.map { ($0.0, Held(fence: $0.1, lastNumber: $0.2)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes up webhooks that nobody sends for. Those that cannot be read are reported, and left alone for a while.
    func claim(
        for holder: UUID, max: Int, but skipped: [UUID], reporting unreadable: UnreadableRows
    ) async throws -> (claimed: [Claimed], unreadable: [UUID]) {
        let rows = try await database.rows(
            """
            with claimed as (
              update webhook set holder = \(holder), fence = fence + 1
              where id in (
                select id from webhook
                where state = 'active' and id <> all(\(skipped))
                  and not exists (select from webhook_sender s where s.id = webhook.holder)
                order by id limit \(Int64(max)) for no key update skip locked)
              returning *)
            select \(sql: WebhookStore.columns), w.fence from claimed w
            """)
        var (claimed, lost): ([Claimed], [UUID]) = ([], [])
        for row in rows {
            let id: UUID = try row["id"]
            if let webhook = unreadable.read("query.webhook", id, { try store.webhook(row) }) {
                claimed.append(Claimed(webhook: webhook, fence: try row["fence"]))
            } else {
                lost.append(id)
            }
        }
        return (claimed, lost)
    }

    /// Gives webhooks back for which nothing is sent here.
    func release(_ webhooks: [UUID], of holder: UUID) async throws(PostgresError) {
        try await database.execute(
            "update webhook set holder = null where holder = \(holder) and id = any(\(webhooks))")
    }

    /// Gives all webhooks back at once, when the process stops.
    func release(_ holder: UUID) async throws(PostgresError) {
        try await database.execute("delete from webhook_sender where id = \(holder)")
    }

    // MARK: Progress

    func lanes(of webhook: UUID) async throws(PostgresError) -> [Lane] {
        let rows = try await database.query(
            """
            select lane_id, from_number, attempts, extract(epoch from next_at - clock_timestamp())::float8 from webhook_held
            where webhook_id = \(webhook)
            """, as: UUID.self, Int64.self, Int32.self, Double.self)
        let longest = (times.pauses.max() ?? .zero) * 2
        return rows.map { row in
            // By a clock that was set back it may be further ahead than any pause.
            Lane(id: row.0, from: row.1, attempts: Int(row.2), pause: min(max(.zero, .seconds(row.3)), longest))
        }
    }

    /// Writes what was done, in one statement. For how long every attempt has failed; `nil` when the webhook belongs to somebody else
    /// by now: then the log of attempts alone is written, since they were made.
    func write(_ progress: Progress, of webhook: UUID, fence: Int64) async throws(PostgresError) -> Duration? {
        let kept = progress.lanes.values.compactMap { $0 }
        let freed = progress.lanes.filter { $0.value == nil }.map(\.key)
        let age = try await database.queryOne(
            """
            with own as (
              update webhook set position = \(progress.position), failing_since = case
                when \(progress.endsFailing && progress.hasSuccess) then clock_timestamp()
                when \(progress.endsFailing) then coalesce(failing_since, clock_timestamp())
                when \(progress.hasSuccess) then null else failing_since end
              where id = \(webhook) and fence = \(fence) returning id, failing_since),
            logged as (\(sql: WebhookAttempts.insert(progress.attempts, of: webhook))),
            freed as (
              delete from webhook_held h using own where h.webhook_id = own.id and h.lane_id = any(\(freed))),
            due as (
              update webhook_held h set next_at = clock_timestamp() from own
              where \(progress.isBack) and h.webhook_id = own.id and h.lane_id <> all(\(freed + kept.map(\.id)))),
            held as (
              insert into webhook_held (webhook_id, lane_id, from_number, attempts, next_at)
              select own.id, l.id, l.from_number, l.attempts, clock_timestamp() + l.pause * interval '1 microsecond'
              from own, unnest(\(kept.map(\.id)), \(kept.map(\.from)), \(kept.map { Int32(clamping: $0.attempts) }),
                \(kept.map(\.pause.microseconds))) l (id, from_number, attempts, pause)
              on conflict (webhook_id, lane_id) do update set from_number = excluded.from_number,
                attempts = excluded.attempts, next_at = excluded.next_at)
            select coalesce(extract(epoch from clock_timestamp() - failing_since), 0)::float8 from own
            """, as: Double.self)
        return age.map { .seconds($0) }
    }

    /// Disables a webhook; whether it was still the sender's. Call in a transaction with the message about it.
    func disable(
        _ webhook: UUID, fence: Int64, because reason: Webhook.Reason, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        try await transaction.execute(
            """
            update webhook set state = 'disabled', reason = \(reason), holder = null, fence = fence + 1
            where id = \(webhook) and fence = \(fence)
            """) > 0
    }
}

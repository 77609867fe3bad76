import Contracts
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Pauses of monitoring (SOS-01f). Each has an end: nobody is left unwatched because a pause was forgotten. Who is paused has no
/// monitor, so nothing that looks after monitors needs to know of pauses; an emergency that is open stays so, and a call by hand
/// goes out as ever.
extension EnrolmentStore {
    /// Longest pause; another one may follow.
    static let pauseMax = Duration.seconds(7 * 86_400)
    /// How often pauses that are over are looked for, and how many at a time.
    static let resumingInterval = Duration.seconds(5)
    private static let resumedMax = 100

    /// Until when nobody watches the person; `nil` for who is watched, or not enrolled.
    func pausedUntil(_ account: UUID) async throws(PostgresError) -> Timestamp? {
        try await database.queryOne(
            "select paused_until from enrolment where account = \(account) and is_active", as: Timestamp?.self) ?? nil
    }

    /// Pauses, or changes the end of a pause. `nil` when the person is not enrolled.
    func pause(
        _ account: UUID, for time: Duration, notice: SQL, at now: Timestamp
    ) async throws -> Timestamp? {
        try await database.transaction { transaction in
            let changed = try await transaction.queryOne(
                """
                update enrolment set version = version + 1, changed_at = \(now),
                  paused_until = clock_timestamp() + make_interval(secs => \(time.seconds))
                where account = \(account) and is_active returning version, paused_until
                """, as: Int64.self, Timestamp.self)
            guard let (version, until) = changed else { return nil }
            try await transaction.batch([
                "delete from monitor where account = \(account)", GapStore.end(of: account), notice,
                WatchChange.note(of: account),
            ])
            try await feeds.publish([Self.watch(account, isWatched: false, version: version)], in: transaction)
            return until
        }
    }

    /// Ends a pause: the person is watched when this returns. False when there is none. With `isDue` only one that is over.
    @discardableResult
    func resume(_ account: UUID, isDue: Bool = false, notice: SQL, at now: Timestamp) async throws -> Bool {
        // The key is at hand (`WatchedKeys`), also while the key store is away.
        guard let key = try await keys.existingKey(of: account) else { return false }
        let condition: SQL = isDue ? "and (\(sql: Self.isOver))" : ""
        return try await database.transaction { transaction in
            let version = try await transaction.queryOne(
                """
                update enrolment set version = version + 1, changed_at = \(now), paused_until = null
                where account = \(account) and is_active and paused_until is not null \(sql: condition)
                returning version
                """, as: Int64.self)
            guard let version else { return false }
            try await beginMonitor(of: account, key, version: version, in: transaction)
            try await transaction.execute(WatchChange.note(of: account))
            try await transaction.execute(notice)
            try await feeds.publish([Self.watch(account, isWatched: true, version: version)], in: transaction)
            return true
        }
    }

    /// An end that is further ahead than it was ever set was set before the clock was set back, and is over.
    private static var isOver: SQL {
        """
        paused_until <= clock_timestamp() or paused_until > clock_timestamp() + make_interval(secs => \(pauseMax.seconds))
        """
    }

    /// Ends pauses that are over. Somebody who cannot be watched again yet holds up nobody, and is tried again.
    func resumeDue(at now: Timestamp, telling notices: NoticeOutbox, log: Log) async throws {
        let due = try await database.query(
            """
            select account from enrolment
            where paused_until is not null and (\(sql: Self.isOver)) and account <> all(\(unresumed.resting))
            order by paused_until limit \(Self.resumedMax)
            """, as: UUID.self)
        for account in due {
            unresumed.begin(account)
            do {
                let told = try notices.insert([Notice(to: account, template: "sos-resumed", email: true)], at: now)
                try await resume(account, isDue: true, notice: told, at: now)
                unresumed.succeeded(account)
            } catch {
                log.error(
                    "a pause is over, and the person is not watched yet",
                    ["account": .string(account.description), "error": Log.text(of: error)])
            }
        }
        if !due.isEmpty { notices.wake() }
    }
}

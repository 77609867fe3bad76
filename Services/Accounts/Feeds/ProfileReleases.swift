import Contracts
import Feed
import Postgres
import Primitives
import Reactor
import Service

/// Releases coarse profiles to the anonymous store in shuffled batches of closed days, so that neither order nor time
/// identifies anybody.
struct ProfileReleases: Sendable {
    /// How long after its end a day is closed.
    static let holdTime = Duration.seconds(48 * 3600)
    /// Profiles released in one transaction.
    static let batchMax = 1000

    let store: Store
    /// Fewer wait for others: in a batch of one, a number would be somebody who has just registered.
    var batchMin = 100

    /// Records that the profiles of these subjects are new or have changed.
    static func note(
        _ subjects: [Int32], at now: Timestamp, in session: some SQLSession
    ) async throws(PostgresError) {
        try await session.execute(
            """
            insert into profile_change (subject, changed_at) select n, \(now) from unnest(\(subjects)) n
            on conflict on constraint profile_change_key do nothing
            """)
    }

    /// Releases the profiles that are due, unless they are too few to hide among each other; returns their number.
    func releaseDue() async throws -> Int {
        var count = 0
        while true {
            let batch = try await releaseBatch()
            count += batch.released
            guard batch.taken == Self.batchMax else { return count }
        }
    }

    private func releaseBatch() async throws -> (taken: Int, released: Int) {
        let now = store.now()
        let closed = (now - Self.holdTime).dateUTC.startUTC
        return try await store.transaction { transaction in
            let due = try await transaction.query(
                """
                select subject from profile_change where changed_at < \(closed)
                order by random() limit \(Self.batchMax) for update skip locked
                """, as: Int32.self)
            guard due.count >= batchMin else { return (due.count, 0) }
            let profiles = try await profiles(of: due, in: transaction)
            // One that cannot be read is tried again with those of today, and holds up no other.
            try await transaction.execute(
                "update profile_change set changed_at = \(now) where subject = any(\(profiles.unreadable))")
            guard profiles.readable.count >= batchMin else { return (due.count, 0) }
            try await transaction.execute(
                """
                delete from profile_change
                where subject = any(\(due)) and subject <> all(\(profiles.unreadable))
                """)
            let versions = try await transaction.query(
                """
                update person set subject_version = subject_version + 1
                where subject = any(\(profiles.readable.map(\.subject))) returning subject, subject_version
                """, as: Int32.self, Int64.self)
            let bySubject = Dictionary(versions.map { ($0.0, $0.1) }) { first, _ in first }
            let events = try profiles.readable.shuffled().map { profile in
                try AccountFeeds.profile(profile, version: bySubject[profile.subject] ?? 0)
            }
            try await store.feeds.publish(events, in: transaction)
            return (due.count, events.count)
        }
    }

    /// The coarse profiles of these subjects, locked, and the subjects whose profile cannot be read.
    private func profiles(
        of subjects: [Int32], in transaction: Transaction
    ) async throws -> (readable: [Accounts.CoarseProfile], unreadable: [Int32]) {
        let rows = try await transaction.query(
            "select account, profile, subject from person where subject = any(\(subjects)) order by subject for update",
            as: UUID.self, [UInt8].self, Int32.self)
        let keys = try await store.keys(of: rows.map(\.0))
        var (readable, unreadable): ([Accounts.CoarseProfile], [Int32]) = ([], [])
        for (account, sealed, subject) in rows {
            let profile = store.unreadable.read("accounts.person", account) {
                try store.columns.open(
                    sealed, as: PersonProfile.self, .person, row: account, with: keys.key(of: account)
                ).coarse(subject: subject)
            }
            if let profile { readable.append(profile) } else { unreadable.append(subject) }
        }
        return (readable, unreadable)
    }
}

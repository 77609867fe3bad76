import Contracts
import Feed
import Postgres
import Primitives
import Reactor

/// Releases coarse profiles to the anonymous store in shuffled batches of closed days, so that neither order nor time
/// identifies anybody.
struct ProfileReleases: Sendable {
    /// How long after its end a day is closed.
    static let holdTime = Duration.seconds(48 * 3600)
    /// Profiles released in one transaction.
    static let batchMax = 1000

    let store: Store

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

    /// Releases the profiles that are due; returns their number.
    func releaseDue() async throws -> Int {
        var count = 0
        while true {
            let released = try await releaseBatch()
            count += released
            guard released == Self.batchMax else { return count }
        }
    }

    private func releaseBatch() async throws -> Int {
        let closed = (store.now() - Self.holdTime).dateUTC.startUTC
        return try await store.transaction { transaction in
            let subjects = try await transaction.query(
                """
                with due as (
                  select subject from profile_change where changed_at < \(closed)
                  order by random() limit \(Self.batchMax) for update skip locked)
                delete from profile_change c using due where c.subject = due.subject returning c.subject
                """, as: Int32.self)
            guard !subjects.isEmpty else { return 0 }
            let rows = try await transaction.query(
                """
                update person set subject_version = subject_version + 1 where subject = any(\(subjects))
                returning account, profile, subject, subject_version
                """, as: UUID.self, [UInt8].self, Int32.self, Int64.self)
            var events: [FeedEvent] = []
            for (account, sealed, subject, version) in rows.shuffled() {
                let profile = try store.columns.open(sealed, as: PersonProfile.self, .person, row: account)
                events.append(try AccountFeeds.profile(profile.coarse(subject: subject), version: version))
            }
            try await store.feeds.publish(events, in: transaction)
            return subjects.count
        }
    }
}

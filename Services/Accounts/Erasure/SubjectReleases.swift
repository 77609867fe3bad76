import Contracts
import Feed
import Postgres
import Primitives

/// Subject numbers of erased people, on their way out of the anonymous store: in shuffled batches of at least `batchMin`, or all that
/// there are once one has waited for `waitMax`, so that an account and a number never vanish together (ACC-12). The account
/// is not known here any more; of the time only the day is.
struct SubjectReleases: Sendable {
    static let waitMax = Duration.seconds(28 * 86_400)
    static let interval = Duration.seconds(600)
    static let batchMax = 1000

    let store: Store
    /// Fewer wait for others.
    var batchMin = 20

    /// Adds the number of a person who is erased, with the version of its last profile.
    static func add(
        _ subject: Int32, version: Int64, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        try await transaction.batch([
            """
            insert into subject_release (subject, version, since)
            values (\(subject), \(version), (\(now)::timestamptz at time zone 'UTC')::date)
            """,
            "delete from profile_change where subject = \(subject)",
        ])
    }

    /// The last day on which the values of a number may be there that was released at `time`: a day more than the wait, since
    /// days count from their beginning.
    static func lastDay(from time: Timestamp) -> CalendarDate { (time + waitMax + .seconds(86_400)).dateUTC }

    /// Publishes the numbers that are due; how many there were.
    @discardableResult
    func releaseDue() async throws -> Int {
        let oldest = (store.now() - Self.waitMax).dateUTC
        return try await store.transaction { transaction in
            // All replicas one after the other, so that no two batches divide those that wait.
            try await transaction.execute("lock table subject_release in share row exclusive mode")
            let waiting = try await transaction.query(
                "select subject, version, since <= \(oldest) from subject_release order by random() limit \(Self.batchMax)",
                as: Int32.self, Int64.self, Bool.self)
            guard waiting.count >= batchMin || waiting.contains(where: \.2) else { return 0 }
            try await transaction.execute(
                """
                with released as (
                  delete from subject_release where subject = any(\(waiting.map(\.0))) returning subject, version + 1 as version)
                insert into erased_subject as e (subject, version) select subject, version from released order by subject
                on conflict on constraint erased_subject_key do update set version = greatest(e.version, excluded.version)
                """)
            try await store.feeds.publish(
                try waiting.map { try AccountFeeds.erasedSubject($0.0, version: $0.1 + 1) }, in: transaction)
            return waiting.count
        }
    }
}

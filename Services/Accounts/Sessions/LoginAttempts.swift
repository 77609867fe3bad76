import Postgres
import Primitives

/// Slows down guessing (ACC-08): counted by the name that is typed, whether there is such an account or not, so that
/// being slowed down tells nothing (ACC-07). A try is counted before the password is looked at, so that many at once
/// gain nothing.
struct LoginAttempts: Sendable {
    /// Wrong passwords in a row after which the owner is told and tries have to wait.
    static let freeTries = 3
    static let firstPauseSeconds = 5
    /// Short enough that nobody can keep the owner out.
    static let pauseSecondsMax = 60
    /// After which a row of wrong passwords is forgotten.
    static let memory = Duration.seconds(24 * 3600)

    let store: Store

    /// Counts a try. Returns how many there were in a row, this one included. Throws `too-many-tries` when it comes too
    /// early; it is not counted then.
    func begin(_ index: [UInt8]) async throws -> Int {
        let now = store.now()
        let tries = try await store.database.queryOne(
            """
            insert into login_attempt as a (login_index, tries, last_at, not_before)
            values (\(index), 1, \(now), \(now))
            on conflict on constraint login_attempt_key do update set
              tries = case when a.last_at < \(now - Self.memory) then 1 else a.tries + 1 end,
              last_at = \(now),
              not_before = case
                when a.last_at < \(now - Self.memory) or a.tries + 1 < \(Self.freeTries) then \(now)
                else \(now) + interval '1 second' * least(
                  \(Self.pauseSecondsMax),
                  \(Self.firstPauseSeconds) * power(2, least(a.tries + 1 - \(Self.freeTries), 20)))
                end
            where a.not_before <= \(now)
            returning tries
            """, as: Int32.self)
        if let tries { return Int(tries) }
        let notBefore = try await store.database.queryOne(
            "select not_before from login_attempt where login_index = \(index)", as: Timestamp.self)
        let wait = (notBefore ?? now) - now
        throw Refusal(
            .tooManyTries, "too-many-tries", "Too many wrong passwords; please wait a moment.",
            retryAfter: max(.seconds(1), wait))
    }

    /// Forgets the row of wrong passwords, after a right one.
    func forget(_ index: [UInt8]) async throws(PostgresError) {
        try await store.database.execute("delete from login_attempt where login_index = \(index)")
    }
}

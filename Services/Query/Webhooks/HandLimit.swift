import HTTP
import Postgres
import Primitives
import Service

/// How often a third party may have its webhooks called by hand: tests and events that are sent again, of all its webhooks together. Each
/// is a call that nobody limits otherwise, and rows of the log of attempts.
enum HandLimit {
    /// In an hour.
    static let callsMax = 60
    private static let window = Duration.seconds(3600)

    /// Counts a call by the clock of the database, before it is made. Refused ones do not count. Errors: 429 `too-many-requests`.
    static func count(for requester: UUID, in session: some SQLSession) async throws {
        // As it stands when the row is locked: a call that began later may have been counted before.
        let isCounting: SQL = """
            t > clock_timestamp() - \(window.microseconds) * interval '1 microsecond' and t <= clock_timestamp()
            """
        let counted = try await session.execute(
            """
            insert into webhook_by_hand as b (requester_id, called_at) values (\(requester), array[clock_timestamp()])
            on conflict (requester_id) do update
              set called_at = array(select t from unnest(b.called_at) t where \(sql: isCounting)) || excluded.called_at
              where (select count(*) from unnest(b.called_at) t where \(sql: isCounting)) < \(Int64(callsMax))
            """)
        guard counted == 0 else { return }
        let wait = try await session.queryOne(
            """
            select extract(epoch from min(t) - clock_timestamp())::float8 from webhook_by_hand cross join unnest(called_at) t
            where requester_id = \(requester) and \(sql: isCounting)
            """, as: Double?.self)
        let seconds = Int(window.components.seconds)
        let rest = seconds + Int((wait ?? nil) ?? 0) + 1
        throw Problem.tooManyRequests(
            RateLimit(
                policy: "webhooks-by-hand", quota: callsMax, windowSeconds: seconds, remaining: 0,
                resetSeconds: min(max(1, rest), seconds)))
    }
}

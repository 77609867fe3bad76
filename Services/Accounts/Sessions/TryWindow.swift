import Postgres
import Primitives

/// Counts tries within a window that begins with the first of them, in a table with the columns `tries` and `since`, whose key is
/// the subject of the tries. Each is counted before it is checked, so that tries at the same time gain nothing, and stays counted when
/// it was wrong.
struct TryWindow: Sendable {
    /// How far in the future a window may begin: by a clock that was set back it would last for ever.
    private static let skewMax = Duration.seconds(60)

    /// Its key is the constraint TABLE_key.
    let table: String
    let subject: String
    let max: Int
    let length: Duration

    /// Counts a try, unless there were `max` within the window; whether it was counted.
    func count(_ value: SQL, at now: Timestamp, in database: Database) async throws(PostgresError) -> Bool {
        let isOver: SQL = "t.since <= \(now - length) or t.since > \(now + Self.skewMax)"
        let tries = try await database.queryOne(
            """
            insert into \(identifier: table) as t (\(identifier: subject), tries, since) values (\(sql: value), 1, \(now))
            on conflict on constraint \(identifier: table + "_key") do update set
              tries = case when \(sql: isOver) then 1 else t.tries + 1 end,
              since = case when \(sql: isOver) then \(now) else t.since end
            where \(sql: isOver) or t.tries < \(max)
            returning tries
            """, as: Int32.self)
        return tries != nil
    }

    /// Deletes windows that are over, and those of a clock that was ahead.
    func forget(at now: Timestamp) -> SQL {
        "delete from \(identifier: table) where since < \(now - length) or since > \(now + Self.skewMax)"
    }
}

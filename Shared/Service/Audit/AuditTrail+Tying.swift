import Postgres
import Reactor

extension AuditTrail {
    /// How often entries that wait are tied to the others.
    static let interval = Duration.seconds(1)
    /// Entries tied in one step: what that takes, here and in the database, is not felt by look-ups between two groups.
    private static let tiedMax: Int32 = 16
    /// Rest after tying so many, times what that took: many entries that wait (of people who were provisioned) take a quarter of
    /// the time that look-ups need, too.
    private static let restFactor = 3
    private static let roundTime = Duration.seconds(60)

    /// Ties the entries that wait to the last one, in the order in which they were written, for `roundTime` at most. What is committed
    /// late, with a lower number, is tied the next time.
    public func tie() async throws {
        // By the index: the rows that were tied before, and are not cleaned up yet, lie before the first that waits.
        var first = try await database.queryOne(
            "select number from \(sql: prefix)audit_waiting order by number limit 1", as: Int64.self)
        let end = Deadline.after(Self.roundTime)
        while let from = first, !end.hasPassed {
            let start = Deadline.now()
            first =
                try await database.queryOne(
                    "select \(sql: prefix)audit_tie(\(from), \(Self.tiedMax))", as: Int64?.self) ?? nil
            if first != nil { try await EventLoop.current?.sleep(for: Deadline.now().since(start) * Self.restFactor) }
        }
    }
}

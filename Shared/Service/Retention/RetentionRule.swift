public import Postgres
public import Primitives

/// For how long a service keeps one kind of rows: histories, look-ups, messages. What is older is deleted, a bounded number
/// at a time (NFR-06; GDPR article 5, storage limitation). The configuration's member `retention` may give other days.
public struct RetentionRule: Sendable {
    /// Rows deleted in one transaction.
    public static let batchMax = 1000

    /// As in the configuration.
    public let name: String
    /// Where the configuration says nothing.
    public let days: Int
    /// The fewest that the configuration may say.
    let daysMin: Int
    private let delete: @Sendable (Timestamp) async throws -> Int

    /// `delete` deletes at most `batchMax` rows that are older than the time, and says how many.
    public init(
        _ name: String, days: Int, daysMin: Int = 1, delete: @escaping @Sendable (Timestamp) async throws -> Int
    ) {
        self.name = name
        self.days = days
        self.daysMin = daysMin
        self.delete = delete
    }

    /// Deletes at most `batchMax` rows that are older than the time; how many there were.
    public func enforce(before time: Timestamp) async throws -> Int { try await delete(time) }

    /// Rows of `table` whose time is in `column`, or only those of which `condition` holds.
    public init(
        _ name: String, days: Int, table: String, column: String, where condition: SQL = "true", in database: Database
    ) {
        self.init(name, days: days) { time in
            // By the rows' places, so that no key has to be named. A row that was changed meanwhile has another place.
            try await database.execute(
                """
                delete from \(identifier: table) where ctid = any(array(
                  select ctid from \(identifier: table)
                  where \(identifier: column) < \(time) and (\(sql: condition)) limit \(Int64(Self.batchMax))))
                """)
        }
    }
}

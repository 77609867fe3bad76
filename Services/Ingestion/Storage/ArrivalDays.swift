import Postgres

/// The partitions of `arrival`, one for each UTC day of reception by the database's clock.
enum ArrivalDays {
    /// Days for which there are partitions before they begin. Each more is looked through for every upload.
    static let ahead: Int32 = 1

    /// Makes those that are lacking, from today on.
    static func add(in database: Database) async throws(PostgresError) {
        try await database.execute(
            """
            select add_arrival_days((clock_timestamp() at time zone 'UTC')::date,
              (clock_timestamp() at time zone 'UTC')::date + \(ahead))
            """)
    }
}

public import Postgres

extension FeedConsumer {
    /// Whether all that the producer had committed so long ago is applied to the consumer's `database`, and nothing of it was
    /// parked.
    public static func hasCaughtUp(
        with feed: String, within time: Duration, in database: Database
    ) async throws(PostgresError) -> Bool {
        let progress = try await CursorStore.progress(of: feed, in: database, deadline: nil)
        guard let age = progress.age, age < time else { return false }
        let isParked = try await database.queryOne(
            "select exists (select from feed_parked where split_part(feed, '/', 1) = \(feed))", as: Bool.self)
        return isParked == false
    }
}

import Postgres
import Reactor
import Service

/// How many imported files of a shard wait to be read or are being read, for operators.
struct ImportCount: Sendable {
    static let interval = Duration.seconds(15)

    private let database: Database
    private let waiting: Gauge
    private let reading: Gauge

    init(database: Database, shard: Int, metrics: Metrics) {
        self.database = database
        let files = metrics.gauges(
            "trackme_ingestion_imports", "Imported files, of all processes, that are not read to the end.",
            labels: ["shard", "state"])
        waiting = files[String(shard), "waiting"]
        reading = files[String(shard), "reading"]
    }

    func count() async throws(PostgresError) {
        let found = try await database.queryOne(
            """
            select count(*) filter (where state = 'waiting'), count(*) filter (where state = 'reading')
            from import_job where state in ('waiting', 'reading')
            """, as: Int.self, Int.self)
        waiting.set(Double(found?.0 ?? 0))
        reading.set(Double(found?.1 ?? 0))
    }
}

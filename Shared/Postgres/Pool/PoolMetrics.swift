internal import JSON
internal import Telemetry

/// The metrics of the pools of one database, over all loops; `schema` distinguishes a service's databases.
struct PoolMetrics {
    let waiting: Gauge
    let waitTime: Histogram
    let overloads: Counter
    private let failures: Counter
    private let log: Log
    private let schema: String

    init(_ configuration: DatabaseConfiguration) {
        let metrics = configuration.observer.metrics
        log = configuration.observer.log
        schema = configuration.searchPath.first ?? ""
        waiting =
            metrics.gauges(
                "trackme_database_waiting", "Calls that wait for a connection to the database.", labels: ["schema"])[
                schema]
        waitTime =
            metrics.histograms(
                "trackme_database_wait_seconds", "How long calls waited that found no free connection.",
                labels: ["schema"])[schema]
        overloads =
            metrics.counters(
                "trackme_database_overloads_total", "Calls refused because too many waited for a connection.",
                labels: ["schema"])[schema]
        failures =
            metrics.counters(
                "trackme_database_connect_failures_total", "Connections to the database that could not be made.",
                labels: ["schema"])[schema]
    }

    /// One line for the first in a row: the pool tries again for as long as it takes.
    func connectFailed(_ error: PostgresError, isFirst: Bool) {
        failures.increment()
        guard isFirst, error != .cancelled, error != .closed else { return }
        log.warning("database connection failed", ["schema": .string(schema), "error": Log.text(of: error)])
    }

    func connectedAgain() { log.info("database connected again", ["schema": .string(schema)]) }
}

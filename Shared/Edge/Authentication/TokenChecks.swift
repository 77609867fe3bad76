import HTTP
import Telemetry

/// Counts the checks of access tokens by their outcome.
struct TokenChecks: Sendable {
    private static let name = "trackme_token_checks_total"
    private let accepted: Counter
    /// By the problem's code: `unauthorized`, `insufficient-scope`, …
    private let outcomes: MetricFamily<Counter>

    init(_ metrics: Metrics) {
        outcomes = metrics.counters(Self.name, "Access tokens checked, by what came of it.", labels: ["outcome"])
        accepted = outcomes["accepted"]
    }

    func counting(_ check: () async throws(Problem) -> Identity) async throws(Problem) -> Identity {
        do throws(Problem) {
            let identity = try await check()
            accepted.increment()
            return identity
        } catch {
            outcomes[error.code].increment()
            throw error
        }
    }
}

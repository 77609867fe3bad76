import JSON
import Primitives
import RPC
import Service

/// The parts that couriers use.
struct HandOverServices: Sendable {
    let store: IncidentStore
    let hooks: Hooks
    let caller: HookCaller
    let accounts: any RPCCaller
    let tokens: HandOverToken
    let baseURL: String
    let times: HandOverTimes
    let log: Log
    let metrics: HandOverMetrics

    func reply(_ incident: UUID, hook: String) -> IncidentMessage.Reply {
        let base = "\(baseURL)/dispatcher/v1/handovers/\(incident)"
        return .init(
            hook: hook, token: tokens.of(incident, hook: hook), acceptanceURL: "\(base)/acceptance",
            rejectionURL: "\(base)/rejection", resolutionURL: "\(base)/resolution")
    }
}

/// The metrics of hand-overs.
struct HandOverMetrics: Sendable {
    let attempts: MetricFamily<Counter>
    let alarms: MetricFamily<Counter>
    /// From the receipt of the sample that decided to the first call.
    let firstCall: Histogram

    init(_ metrics: Metrics) {
        attempts = metrics.counters(
            "trackme_handover_attempts_total", "Calls to hooks, by outcome.", labels: ["hook", "outcome"])
        alarms = metrics.counters(
            "trackme_handover_alarms_total", "Reasons for which the operator was alarmed.", labels: ["reason"])
        firstCall = metrics.histogram(
            "trackme_handover_first_call_seconds",
            "From the receipt of the deciding sample to the first call to a hook (SOS-05: under 0.5 s).")
    }
}

import JSON
import Primitives
import RPC
import Reactor
import Service

/// The parts that couriers use.
struct HandOverServices: Sendable {
    let store: any IncidentKeeper
    /// What the database has not taken in time.
    let local: LocalJournal
    let hooks: Hooks
    let caller: any HookCalling
    let accounts: any RPCCaller
    let tokens: HandOverToken
    let baseURL: String
    let times: HandOverTimes
    let log: Log
    let bell: AlarmBell
    let metrics: HandOverMetrics

    /// Of CAP alerts.
    var sender: CAPAlert.Sender { .init(baseURL: baseURL) }

    /// `IncidentKeeper.settle`, after what this machine's disk has of the incident whose place this one has taken: so that is over there.
    func settle(
        _ journalled: JournalledIncident, seen: IncidentDetails? = nil, deadline: Deadline?
    ) async throws -> IncidentStore.Settlement {
        if let before = journalled.opening?.details.supersedes, before != journalled.id, let known = local[before] {
            do {
                if case .settled = try await settle(known, deadline: deadline) {
                    local.settle(known.entryIDs, of: before)
                }
            } catch  where !isDatabaseAway(error) {
                log.error("an incident on disk cannot be written yet", ["error": Log.text(of: error)])
            }
        }
        let settlement = try await store.settle(journalled, seen: seen, deadline: deadline)
        if case .settled(let settled) = settlement, settled.isTooLate {
            log.error("an alarm is too old to be handed over", ["incident": .string(journalled.id.description)])
            bell.ring(OperatorAlarm(.lateAlarm, about: journalled.id.description))
        }
        return settlement
    }

    func reply(_ incident: UUID, hook: String) -> IncidentMessage.Reply {
        let base = "\(baseURL)/dispatcher/v1/handovers/\(incident)"
        return .init(
            hook: hook, token: tokens.of(incident, hook: hook), acceptanceURL: "\(base)/acceptance",
            rejectionURL: "\(base)/rejection", resolutionURL: "\(base)/resolution", statusURL: "\(base)/status")
    }
}

/// The metrics of hand-overs.
struct HandOverMetrics: Sendable {
    private let attempts: MetricFamily<Counter>
    private let answered: MetricFamily<Gauge>
    let alarms: MetricFamily<Counter>
    /// From the receipt of the sample that decided to the first call.
    let firstCall: Histogram

    init(_ metrics: Metrics) {
        attempts = metrics.counters(
            "trackme_handover_attempts_total", "Calls to hooks, by outcome.", labels: ["hook", "outcome"])
        answered = metrics.gauges(
            "trackme_hook_answered_timestamp_seconds",
            "When, in seconds since 1970, a call of this process to a hook last had this outcome.",
            labels: ["hook", "outcome"])
        alarms = metrics.counters(
            "trackme_handover_alarms_total", "Reasons for which the operator was alarmed.", labels: ["reason"])
        firstCall = metrics.histogram(
            "trackme_handover_first_call_seconds",
            "From the receipt of the deciding sample to the first call to a hook (SOS-05: under 0.5 s).")
    }

    /// Counts a call to a hook that has ended now. `outcome`: `received`, or why it failed.
    func record(_ outcome: String, of hook: String) {
        attempts[hook, outcome].increment()
        answered[hook, outcome].set(Double(Timestamp.now().milliseconds) / 1000)
    }
}

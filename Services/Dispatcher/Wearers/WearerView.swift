import Contracts
import Primitives

/// How somebody stands, as the person and the own devices are shown it (SOS-04, SOS-08, SOS-13).
struct WearerView: Encodable, Sendable, Equatable {
    let state: Dispatcher.WearerState.Stage
    /// To be named in a call-off.
    let incident: UUID?
    let isExercise: Bool
    /// When an ambulance service is called, by this service's clock; clients count down by `call_in_ms`.
    let callsAt: Timestamp?
    let callInMilliseconds: Int64?
    let arrivesAt: Timestamp?
    let serverTime: Timestamp

    enum CodingKeys: String, CodingKey {
        case state, incident, isExercise, callsAt, arrivesAt, serverTime
        case callInMilliseconds = "call_in_ms"
    }

    init(_ told: Dispatcher.WearerState, at now: Timestamp) {
        state = told.stage
        incident = told.incident
        isExercise = told.isExercise
        callInMilliseconds = told.callsInMilliseconds
        callsAt = told.callsInMilliseconds.map { now + .milliseconds($0) }
        arrivesAt = told.arrivesInMilliseconds.map { now + .milliseconds($0) }
        serverTime = now
    }
}

import Contracts
import Primitives

/// What a device is told of its wearer in the answer to an upload (SOS-04, SOS-08, SOS-13). Times are counted from the answer: a
/// device's clock may be wrong.
struct WearerAnswer: Encodable, Sendable, Equatable {
    let state: Dispatcher.WearerState.Stage
    /// To be named in a call-off (`POST /dispatcher/v1/device/incidents/{id}/false-alarm`).
    let incident: UUID?
    let isExercise: Bool
    /// Seconds until an ambulance service is called.
    let callInS: Int64?
    /// Seconds until the ambulance is expected; 0 when it should be there.
    let arrivalInS: Int64?

    init?(_ knowledge: WearerStates.Knowledge) {
        guard case .told(let told) = knowledge, told.stage != .calm else { return nil }
        state = told.stage
        incident = told.incident
        isExercise = told.isExercise
        callInS = told.callsInMilliseconds.map(Self.seconds)
        arrivalInS = told.arrivesInMilliseconds.map(Self.seconds)
    }

    /// Begun seconds count.
    private static func seconds(_ milliseconds: Int64) -> Int64 { max(0, (milliseconds + 999) / 1000) }
}

import HTTP
import JSON
import Primitives
import Service

/// What ambulance services tell of their work (SOS-13): signed as their decisions are. It is shown to the wearer and decides nothing.
extension CallbackRoutes {
    /// An arrival that is expected later than this from now is a mistake.
    private static let arrivalMax = Duration.seconds(86_400)
    /// Clocks are off, and messages wait.
    private static let arrivalPastMax = Duration.seconds(3600)

    private enum Status: String, Codable {
        case received, dispatched
        case onScene = "on-scene"
        case arrivalExpected = "arrival-expected"
    }

    private struct Report: Decodable, HandOverProof {
        var hook: String
        var token: String
        var decidedAt: Timestamp?
        var status: Status
        /// Of `arrival-expected`.
        var arrival: Timestamp?
    }

    private struct Answer: Encodable {
        var incident: UUID
        var status: Status
    }

    func addProgress(to routes: inout ServiceRoutes) {
        let path = "/dispatcher/v1/handovers/:incident/status"
        routes.on(.post, path, access: .secretInRequest, body: .buffered(bytesMax: Self.bytesMax)) { request in
            let (incident, report, call) = try authenticate(request, as: Report.self)
            let event = IncidentEvent.progress(report.hook, try progress(report), call)
            switch try await desk.decide(event, of: incident, at: standby.clock.now()) {
            case .done: desk.changed(incident)
            case .repeated: break
            case .acceptedByAnother:
                throw Problem(.conflict, code: "accepted-by-another", detail: "another ambulance service has it")
            case .notAccepted, .handedBack:
                throw Problem(
                    .conflict, code: "not-accepted", detail: "accept the incident before you tell of your way to it")
            case .outdated:
                throw Problem(.conflict, code: "outdated-status", detail: "you have sent another status after this one")
            case .closed:
                throw Problem(
                    .conflict, code: "incident-closed", detail: "the incident was called off or is closed")
            case nil: throw Problem.notFound
            }
            return try .json(Answer(incident: incident, status: report.status))
        }
    }

    private func progress(_ report: Report) throws(Problem) -> Incident.Progress {
        switch report.status {
        case .received: return .received
        case .dispatched: return .dispatched
        case .onScene: return .onScene
        case .arrivalExpected:
            let now = clock.now()
            guard let arrival = report.arrival, arrival - now <= Self.arrivalMax, now - arrival <= Self.arrivalPastMax
            else {
                throw Problem(
                    .unprocessableContent, code: "arrival-out-of-range",
                    detail: "arrival has to be a time from an hour ago to a day from now",
                    errors: [.init(pointer: "/arrival", detail: "must be a time from an hour ago to a day from now")])
            }
            return .arrivalExpected(arrival)
        }
    }
}

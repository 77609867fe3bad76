import Primitives

extension Incident {
    /// What an ambulance service tells of its work beside its decisions (SOS-13). It is shown, and decides nothing: who is called,
    /// when, and who has the incident depends on receipts, acceptances and rejections alone.
    enum Progress: Sendable, Equatable, Codable {
        /// Somebody at the service has the incident before them. That its program has it is what 2xx says.
        case received
        /// An ambulance is on its way.
        case dispatched
        case onScene
        /// By the service's own clock.
        case arrivalExpected(Timestamp)
    }

    /// How far the service that has accepted has come, as it says itself.
    struct Help: Sendable, Equatable, Codable {
        var dispatchedAt: IncidentAge?
        var onSceneAt: IncidentAge?
        var arrivalExpected: Timestamp?
        /// The newest time of a report that counted, by the service's clock.
        var reportedAt: Timestamp?
        /// Reports that are in the history.
        var reports = 0
    }

    /// Why an ambulance service rejects an incident. Words, no text: the history holds nothing personal.
    enum RejectionReason: String, Sendable, Equatable, CaseIterable, Codable {
        case noVehicle = "no-vehicle"
        case outsideArea = "outside-area"
        /// It knows of the emergency in another way.
        case duplicate
        case notAnEmergency = "not-an-emergency"
        case technical
        case other
    }
}

extension Incident.Help {
    /// Reports of one service that the history shows; later ones count all the same.
    static let reportsMax = 64

    /// Takes a report of the service that has accepted up, unless it has sent a newer one.
    mutating func take(
        _ progress: Incident.Progress, by hook: String, _ call: Incident.CallBack?, at age: IncidentAge,
        _ result: inout Incident.Transition
    ) -> IncidentVerdict {
        if let newest = reportedAt, let call, call.sentAt < newest { return .outdated }
        guard let kind = note(progress, at: age) else { return .repeated }
        reportedAt = call?.sentAt ?? reportedAt
        guard reports < Self.reportsMax else { return .done }
        reports += 1
        var detail: String?
        if case .arrivalExpected(let time) = progress { detail = time.description }
        result.add(kind, hook: hook, detail: detail)
        return .done
    }

    /// `nil` when it says nothing new, and otherwise the entry for the history.
    private mutating func note(_ progress: Incident.Progress, at age: IncidentAge) -> IncidentStep.Kind? {
        switch progress {
        case .received: return nil
        case .dispatched:
            guard dispatchedAt == nil else { return nil }
            dispatchedAt = age
            return .dispatched
        case .onScene:
            guard onSceneAt == nil else { return nil }
            onSceneAt = age
            return .onScene
        case .arrivalExpected(let time):
            guard arrivalExpected != time else { return nil }
            arrivalExpected = time
            return .arrivalExpected
        }
    }
}

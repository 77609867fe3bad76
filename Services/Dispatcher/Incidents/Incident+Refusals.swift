import Primitives

extension Incident {
    /// An acceptance that was refused, since another service had the incident, and when.
    struct Refusal: Sendable, Equatable, Codable {
        var id: String
        var at: IncidentAge
        var attempt: UUID?

        /// What an acceptance that was told apart that it counts was told beside that.
        enum Kind: Sendable { case told, untold }
    }
}

extension Incident.HandOver {
    /// Of one acceptance the last two stay: the last one may have been told to nobody.
    mutating func refuse(_ call: Incident.CallBack, at age: IncidentAge) {
        let known = refusals ?? []
        let kept = known.filter { $0.id != call.id } + known.filter { $0.id == call.id }.suffix(1)
        let refusal = Incident.Refusal(id: call.id, at: age, attempt: call.attempt)
        refusals = (kept + [refusal]).suffix(2 * Incident.rejectionsMax)
    }

    /// How an acceptance of that time was refused that was told apart that it counts. `told`: after it, sent again, since it was answered
    /// nowhere. `untold`: the answer of the database to this attempt was lost; it shows that the other acceptance, of then (`other`), was
    /// the earlier one, whatever their clocks say. `nil`: it was not, or another service has the incident since.
    func refusal(
        of call: Incident.CallBack?, acceptedAt time: IncidentAge, after other: IncidentAge?
    ) -> Incident.Refusal.Kind? {
        guard let call, let refusals else { return nil }
        func isUntold(_ refusal: Incident.Refusal) -> Bool { call.attempt != nil && refusal.attempt == call.attempt }
        if refusals.contains(where: { $0.id == call.id && $0.at >= time && !isUntold($0) }) { return .told }
        return refusals.contains { isUntold($0) && $0.at >= other ?? .zero } ? .untold : nil
    }
}

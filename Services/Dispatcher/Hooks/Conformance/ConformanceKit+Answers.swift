import JSON
import Primitives

/// What the receiver calls back.
extension ConformanceKit {
    private var acceptanceMax: Duration { settings.times.acceptanceMax }

    mutating func acceptance() async throws(JSONError) -> [String] {
        let incident = incident()
        remember(incident)
        let call = target.call(incident.webhookID(1), try incident.body())
        let faults = received("An alert was", await target.send(call))
        guard faults.isEmpty else { return faults }
        // For the case after this one.
        _ = await target.send(target.call(call.id, call.body))
        let listener = listener
        let isAccepted = await listener.wait(acceptanceMax) { _ in !listener.acceptances(of: incident.id).isEmpty }
        guard !isAccepted else { return [] }
        let others = listener.calls(about: incident.id).map(\.kind)
        return [
            "No acceptance of incident \(incident.id) came to \(baseURL) within \(acceptanceMax.milliseconds / 1000) s"
                + (others.isEmpty ? "." : "; what came was: \(others.joined(separator: ", ")).")
                + " Accept it by hand or by program while this runs: POST to reply.acceptance_url."
        ]
    }

    func twice() async throws(JSONError) -> [String] {
        guard let accepted, !listener.acceptances(of: accepted).isEmpty else {
            return ["No incident was accepted, so nothing can be said."]
        }
        let listener = listener
        let isTwice = await listener.wait(settings.times.quiet) { _ in listener.acceptances(of: accepted).count > 1 }
        return isTwice
            ? [
                "An alert that was sent twice was accepted twice, under two webhook-ids: a repeat is known by its webhook-id, or by incident.id and sequence. Two ambulances would go to one person."
            ] : []
    }

    func again() async throws(JSONError) -> [String] {
        let incident = ConformanceIncident(settings, baseURL: baseURL)
        listener.expect(incident, .failFirst)
        var faults = try await received("An alert was", incident)
        guard faults.isEmpty else { return faults }
        let listener = listener
        guard await listener.wait(acceptanceMax, until: { _ in !listener.calls(about: incident.id).isEmpty }) else {
            return ["No call back about incident \(incident.id) came within \(acceptanceMax.milliseconds / 1000) s."]
        }
        let first = listener.calls(about: incident.id)[0]
        let isRepeated = await listener.wait(settings.times.repeatMax) { _ in
            listener.calls(about: incident.id).dropFirst().contains { $0.isLike(first) }
        }
        guard isRepeated,
            let second = listener.calls(about: incident.id).dropFirst().first(where: { $0.isLike(first) })
        else {
            return [
                "A call back (\(first.kind)) was answered 503 and did not come again within \(settings.times.repeatMax.milliseconds / 1000) s: the dispatcher does not know of your decision, and calls the next service. Send it until it is answered 2xx or 4xx."
            ]
        }
        if second.id != first.id {
            faults.append(
                "A call back (\(first.kind)) that was sent again has another webhook-id: keep the id, and sign anew with the present time."
            )
        }
        if second.text("decided_at") != first.text("decided_at") {
            faults.append(
                "A call back (\(first.kind)) that was sent again has another decided_at: keep when it was decided, or an old decision that comes late takes the place of a newer one."
            )
        }
        return faults
    }

    func refused() async throws(JSONError) -> [String] {
        let incident = ConformanceIncident(settings, baseURL: baseURL)
        listener.expect(incident, .refuse)
        let faults = try await received("An alert was", incident)
        guard faults.isEmpty else { return faults }
        let listener = listener
        guard await listener.wait(acceptanceMax, until: { _ in !listener.acceptances(of: incident.id).isEmpty }) else {
            return ["No acceptance of incident \(incident.id) came within \(acceptanceMax.milliseconds / 1000) s."]
        }
        let count = listener.calls(about: incident.id).count { $0.kind == "acceptance" }
        let comesAgain = await listener.wait(settings.times.quiet) { _ in
            listener.calls(about: incident.id).count { $0.kind == "acceptance" } > count
        }
        return comesAgain
            ? [
                "An acceptance that was answered 409 came again: another service has the incident, or it is over. Tell the people at your desk, and send nobody."
            ] : []
    }

    /// What was wrong with any call back.
    func callBacks() -> [String] {
        let calls = listener.calls
        guard !calls.isEmpty else { return ["No call back came at all."] }
        var seen: Set<String> = []
        return calls.flatMap(\.faults).filter { seen.insert($0).inserted }
    }
}

import JSON
import Primitives

/// What the receiver calls back.
extension ConformanceKit {
    private var acceptanceMax: Duration { settings.times.acceptanceMax }

    mutating func acceptance() async throws(JSONError) -> [String] {
        let incident = incident()
        remember(incident)
        let call = target.call(incident.webhookID(1), try incident.body())
        let faults = received("An alert", await target.send(call))
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

    func twice() async -> [String] {
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

    func again() async throws(JSONError) -> ConformanceOutcome {
        try await comesAgain(
            .failFirst, 503, "the dispatcher does not know of your decision, and calls the next service."
        ) { _ in true }
    }

    func unauthorized() async throws(JSONError) -> ConformanceOutcome {
        try await comesAgain(
            .refuseSignatureOnce, 401,
            "it may be right once a clock is corrected, or a secret is replaced on both sides. Until then alarm a person: the next service is called."
        ) { $0.kind == "acceptance" }
    }

    /// A call back that is answered so once has to come again, the same.
    private func comesAgain(
        _ policy: ConformanceListener.Policy, _ code: Int, _ advice: String,
        _ isMeant: (ConformanceListener.Call) -> Bool
    ) async throws(JSONError) -> ConformanceOutcome {
        let incident = ConformanceIncident(settings, baseURL: baseURL)
        listener.expect(incident, policy)
        var faults = try await received("An alert", incident)
        guard faults.isEmpty else { return .faults(faults) }
        let (id, listener) = (incident.id, listener)
        _ = await listener.wait(acceptanceMax) { _ in listener.calls(about: id).contains(where: isMeant) }
        guard let first = listener.calls(about: id).first(where: isMeant) else {
            return .faults([
                "No call back about incident \(id) came within \(acceptanceMax.milliseconds / 1000) s."
            ])
        }
        guard first.faults.isEmpty else { return wrong(first) }
        _ = await listener.wait(settings.times.repeatMax) { _ in
            listener.calls(about: id).count { $0.isLike(first) } > 1
        }
        guard let second = listener.calls(about: id).filter({ $0.isLike(first) }).dropFirst().first else {
            return .faults([
                "A call back (\(first.kind)) was answered \(code) and did not come again within \(settings.times.repeatMax.milliseconds / 1000) s: \(advice) Send it until it is answered 2xx, or refused for good."
            ])
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
        return .faults(faults)
    }

    /// The call back was refused for what is wrong with it, and not for what is tried.
    private func wrong(_ call: ConformanceListener.Call) -> ConformanceOutcome {
        settings.cases.contains(.callbacks)
            ? .notTried("the call backs are wrong: \(call.faults.first ?? "")") : .faults(call.faults)
    }

    func refused() async throws(JSONError) -> ConformanceOutcome {
        let incident = ConformanceIncident(settings, baseURL: baseURL)
        listener.expect(incident, .refuse)
        let faults = try await received("An alert", incident)
        guard faults.isEmpty else { return .faults(faults) }
        let (id, listener) = (incident.id, listener)
        _ = await listener.wait(acceptanceMax) { _ in !listener.acceptances(of: id).isEmpty }
        guard let first = listener.acceptances(of: id).first else {
            return .faults([
                "No acceptance of incident \(id) came within \(acceptanceMax.milliseconds / 1000) s."
            ])
        }
        guard first.faults.isEmpty else { return wrong(first) }
        let comesAgain = await listener.wait(settings.times.quiet) { _ in
            listener.calls(about: id).count { $0.kind == "acceptance" } > 1
        }
        return .faults(
            comesAgain
                ? [
                    "An acceptance that was answered 409 came again: another service has the incident, or it is over. Tell the people at your desk, and send nobody."
                ] : [])
    }

    /// Of call backs of which some alone say when it was decided: they cannot be put in order.
    private func undatedFaults(_ calls: [ConformanceListener.Call]) -> [String] {
        func kinds(_ isDated: Bool) -> String {
            Set(calls.filter { ($0.text("decided_at") != nil) == isDated }.map(\.kind)).sorted().joined(separator: ", ")
        }
        let (with, without) = (kinds(true), kinds(false))
        return with.isEmpty || without.isEmpty
            ? []
            : [
                "decided_at stands in some call backs (\(with)), and not in all (\(without)): send it in each of them, or in none."
            ]
    }

    /// What was wrong with any call back.
    func callBacks() -> [String] {
        let calls = listener.calls
        guard !calls.isEmpty else { return ["No call back came at all."] }
        return calls.flatMap(\.faults) + undatedFaults(calls)
    }
}

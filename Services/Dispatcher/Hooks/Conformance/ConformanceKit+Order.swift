import JSON
import Primitives

/// Messages that overtake one another, are lost, or take back what was said.
extension ConformanceKit {
    func lostAlert() async throws(JSONError) -> [String] {
        var incident = incident()
        incident.received()
        incident.moved()
        let faults = try await received("An update of an incident that was not known", incident)
        guard faults.isEmpty else { return faults }
        let (id, listener, time) = (incident.id, listener, settings.times.acceptanceMax)
        let isAnswered = await listener.wait(time) { _ in !listener.calls(about: id).isEmpty }
        return isAnswered
            ? []
            : [
                "An update came of incident \(id), whose alert was lost, and no call back followed within \(time.milliseconds / 1000) s: whoever does not know an incident takes its update as an alert, and accepts or rejects it."
            ]
    }

    func over() async throws(JSONError) -> [String] {
        var cancelled = incident()
        cancelled.received()
        cancelled.calledOff()
        var ended = incident()
        ended.received()
        ended.accepted()
        ended.resolved()
        var overtaken = incident()
        let alert = target.call(overtaken.webhookID(1), try overtaken.body())
        overtaken.received()
        overtaken.calledOff()
        var faults = try await received("A cancellation of an incident that was not known", cancelled)
        faults += try await received("The end of an incident that was not known", ended)
        faults += try await received("A cancellation", overtaken)
        faults += received("An alert that came after its cancellation", await target.send(alert))
        let meant = [
            (id: cancelled.id, what: "A cancellation of an incident that was not known"),
            (id: ended.id, what: "The end of an incident that was not known"),
            (id: overtaken.id, what: "An alert (sequence 1) that came after its cancellation (a higher sequence)"),
        ]
        let listener = listener
        _ = await listener.wait(settings.times.quiet) { _ in
            meant.contains { !listener.acceptances(of: $0.id).isEmpty }
        }
        return faults
            + meant.filter { !listener.acceptances(of: $0.id).isEmpty }.map {
                "\($0.what) was accepted: somebody would go where nobody is needed. The message with the highest sequence decides, in whatever order they come."
            }
    }

    /// Another service has accepted, and hands the incident back.
    func neededAgain() async throws(JSONError) -> [String] {
        var incident = ConformanceIncident(settings, baseURL: baseURL)
        listener.expect(incident, .refuse)
        var faults = try await received("An alert", incident)
        let (id, listener, time) = (incident.id, listener, settings.times.acceptanceMax)
        // An acceptance of the first alert is answered 409, and does not count.
        _ = await listener.wait(settings.times.quiet) { _ in !listener.acceptances(of: id).isEmpty }
        incident.received()
        incident.acceptedByAnother()
        faults += try await received("A cancellation since another service comes", incident)
        let before = Set(listener.acceptances(of: id).map(\.id))
        incident.handedBackByAnother()
        listener.expect(incident)
        faults += try await received("An alert after a cancellation", incident)
        guard faults.isEmpty else { return faults }
        let isAccepted = await listener.wait(time) { _ in
            listener.acceptances(of: id).contains { !before.contains($0.id) }
        }
        return isAccepted
            ? []
            : [
                "Incident \(id) was cancelled and then came again as an alert with a higher sequence, and no acceptance followed within \(time.milliseconds / 1000) s: the other service has handed it back, and the person waits for you."
            ]
    }
}

import JSON
import Primitives
import Security

/// Messages that are as they should be.
extension ConformanceKit {
    func probe() async throws(JSONError) -> [String] {
        let message = ProbeMessage(at: .now())
        let hook = Hook(
            name: settings.hook, url: target.url, secrets: settings.secrets, area: nil, allowsPrivate: true,
            form: settings.form)
        let body = try message.encoded(for: hook, sender: .init(baseURL: baseURL))
        return received("A probe", await target.send(target.call(message.probe.id, body))).map {
            $0 + " A probe comes every 20 s; whoever does not answer it is taken for dead, and our operator is alarmed."
        }
    }

    func alert() async throws(JSONError) -> [String] {
        let incident = incident()
        let call = target.call(incident.webhookID(1), try incident.body())
        let faults = received("An alert", await target.send(call))
        guard faults.isEmpty else { return faults }
        return received(
            "The same alert, sent again,",
            await target.send(target.call(call.id, call.body))
        ).map { $0 + " We send again when an answer is lost: the same webhook-id is the same message." }
    }

    func update() async throws(JSONError) -> [String] {
        var incident = incident()
        let alert = (id: incident.webhookID(1), body: try incident.body())
        var faults = received("An alert", await target.send(target.call(alert.id, alert.body)))
        incident.received()
        incident.moved()
        faults += try await received("An update", incident)
        faults += received(
            "An older message that came after a newer one", await target.send(target.call(alert.id, alert.body))
        ).map {
            $0 + " Messages overtake one another: take it, and let the one with the highest sequence stand."
        }
        return faults
    }

    func resolved() async throws(JSONError) -> [String] {
        var incident = incident()
        var faults = try await received("An alert", incident)
        incident.received()
        incident.accepted()
        incident.resolved()
        faults += try await received("The end of an emergency (resolved)", incident)
        return faults
    }

    func cancel() async throws(JSONError) -> [String] {
        var incident = incident()
        var faults = try await received("An alert", incident)
        incident.received()
        incident.calledOff()
        faults += try await received("A cancellation", incident)
        faults += try await received("A cancellation, sent again,", incident)
        return faults
    }

    /// Each cancellation and end that is not in another case.
    func reasons() async throws(JSONError) -> [String] {
        let ends: [(what: String, happens: (inout ConformanceIncident) -> Void)] = [
            ("A cancellation since another service comes (accepted-by-another)", { $0.acceptedByAnother() }),
            ("A cancellation since nobody has accepted for a day (unanswered)", { $0.timeIsUp() }),
            ("A cancellation that names the incident in its place (superseded)", { $0.superseded() }),
            (
                "An end since hours have passed (time-over)",
                {
                    $0.accepted()
                    $0.timeIsUp()
                }
            ),
            (
                "An end that names the incident in its place (superseded)",
                {
                    $0.accepted()
                    $0.superseded()
                }
            ),
        ]
        var faults: [String] = []
        for end in ends {
            var incident = incident()
            faults += try await received("An alert", incident)
            incident.received()
            end.happens(&incident)
            faults += try await received(end.what, incident)
        }
        return faults
    }

    /// Whoever was called while the connection broke gets a cancellation of what it has never seen.
    func unknown() async throws(JSONError) -> [String] {
        let advice =
            " Its alert may have been lost: take an update as an alert, and answer 2xx to a cancellation of what you do not have."
        var updated = incident()
        updated.received()
        updated.moved()
        var faults = try await received("An update of an incident that was not known", updated)
        var cancelled = incident()
        cancelled.received()
        cancelled.calledOff()
        faults += try await received("A cancellation of an incident that was not known", cancelled)
        var over = incident()
        over.received()
        over.accepted()
        over.resolved()
        faults += try await received("The end of an incident that was not known", over)
        return faults.map { $0 + advice }
    }

    /// What a later version may send.
    func words() async throws(JSONError) -> [String] {
        let more: JSONValue = ["nested": ["a": [1, 2]], "text": "of a later version"]
        var faults: [String] = []
        for place in [nil, "incident", "position", "person", "reply"] {
            let answer = try await send { $0.adding("of_a_later_version", more, in: place) }
            faults += received(
                "A message with a member that is not known yet in \(place ?? "the message")", answer
            ).map { $0 + " Pass over members that you do not know: new ones come without notice." }
        }
        for member in ["message", "reason", "urgency"] {
            let answer = try await send { $0.adding(member, "of-a-later-version", in: "incident") }
            faults += received("A message with an unknown word in incident.\(member)", answer).map {
                $0 + " Show what you do not know to somebody, and answer 2xx."
            }
        }
        faults += received("A message of a higher version", try await send { $0.adding("version", 2, in: nil) }).map {
            $0 + " Show it to somebody as it is, and answer 2xx: a person may wait."
        }
        return faults
    }

    /// A new alert that was changed before it was signed.
    private func send(_ change: (JSONValue) -> JSONValue) async throws(JSONError) -> ConformanceTarget.Answer {
        let own = incident()
        let value = try JSONDecoder().decode(JSONValue.self, from: try own.body())
        return await target.send(target.call(own.webhookID(1), try JSONEncoder().encode(change(value))))
    }

    func secrets() async throws(JSONError) -> [String] {
        let incident = incident()
        let body = try incident.body()
        let (id, now) = (incident.webhookID(1), Timestamp.now())
        let own = WebhookSignature.sign(id: id, at: now, body: body, secrets: settings.secrets)
        let other = WebhookSignature.sign(id: id, at: now, body: body, secrets: [.random()])
        var faults: [String] = []
        for (name, signature) in [
            ("A message with two signatures, of which the second one fits,", "\(other) \(own)"),
            ("A message with two signatures, of which the first one fits,", "\(own) \(other)"),
            (
                "A message with a signature of another scheme (v1a) before one that fits",
                "v1a,\(other.dropFirst(3)) \(own)"
            ),
        ] {
            let call = ConformanceTarget.Call(id: id, body: body, sentAt: now, signature: signature)
            faults += received(name, await target.send(call)).map {
                $0
                    + " webhook-signature is a list, apart by spaces: pass over what is not v1, and take the message when one fits."
            }
        }
        return faults
    }
}

extension JSONValue {
    /// With one more member, or another value for it, in the object or in the member of it.
    func adding(_ name: String, _ value: JSONValue, in place: String?) -> JSONValue {
        guard case .object(var object) = self else { return self }
        if let place {
            guard let inner = object[place] else { return self }
            object[place] = inner.adding(name, value, in: nil)
        } else {
            object[name] = value
        }
        return .object(object)
    }
}

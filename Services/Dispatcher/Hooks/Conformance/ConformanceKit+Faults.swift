import JSON
import Primitives
import Reactor
import Security

/// Messages that must be refused, and bad days.
extension ConformanceKit {
    private static let checkAdvice =
        "check the signature before you look at the body, with the library of Standard Webhooks for your language."

    func wrongSignature() async throws(JSONError) -> [String] {
        let incident = incident()
        let body = try incident.body()
        let (id, now) = (incident.webhookID(1), Timestamp.now())
        var faults: [String] = []
        for (what, signature) in [
            (
                "A message signed with another secret",
                WebhookSignature.sign(id: id, at: now, body: body, secrets: [.random()])
            ),
            (
                "A message signed for another webhook-id",
                WebhookSignature.sign(id: "other", at: now, body: body, secrets: settings.secrets)
            ),
            (
                "A message signed for another time",
                WebhookSignature.sign(id: id, at: now - .seconds(30), body: body, secrets: settings.secrets)
            ),
            ("A message whose signature is not base64", "v1,%%%"),
        ] {
            let call = ConformanceTarget.Call(id: id, body: body, sentAt: now, signature: signature)
            faults += refused(what, await target.send(call), Self.checkAdvice)
        }
        return faults
    }

    func changedBody() async throws(JSONError) -> [String] {
        let incident = incident()
        var call = target.call(incident.webhookID(1), try incident.body())
        call.body = Array(String(decoding: call.body, as: UTF8.self).replacing("45.46", with: "41.90").utf8)
        return refused(
            "A message whose position was changed after it was signed", await target.send(call), Self.checkAdvice)
    }

    func unsigned() async throws(JSONError) -> [String] {
        let incident = incident()
        var call = target.call(incident.webhookID(1), try incident.body())
        call.signature = nil
        return refused("A message without the header webhook-signature", await target.send(call), Self.checkAdvice)
    }

    func age() async throws(JSONError) -> [String] {
        let incident = incident()
        let (id, body) = (incident.webhookID(1), try incident.body())
        let advice = "refuse what is more than 300 s from now, or whoever has recorded a message can send it again."
        var faults = refused(
            "A message of ten minutes ago", await target.send(target.call(id, body, at: .now() - .seconds(600))), advice
        )
        faults += refused(
            "A message of ten minutes from now", await target.send(target.call(id, body, at: .now() + .seconds(600))),
            advice)
        return faults
    }

    func garbage() async throws(JSONError) -> [String] {
        let texts = settings.form == .json ? ["{\"incident\": ", "[]", "", "\u{FEFF}{}"] : ["<alert", "<other/>", ""]
        var faults: [String] = []
        for text in texts {
            let call = target.call("\(UUID.random()):1", Array(text.utf8))
            faults += refused(
                "A signed body that is no message (\(text.isEmpty ? "empty" : text))", await target.send(call),
                "with 2xx we take it for received, and with 5xx for a broken service.")
        }
        let after = try await probe()
        return faults + after.map { "After bodies that were no messages: \($0)" }
    }

    func slow() async throws(JSONError) -> [String] {
        let (slow, other) = (incident(), incident())
        let slowCall = target.call(slow.webhookID(1), try slow.body())
        let otherCall = target.call(other.webhookID(1), try other.body())
        let (target, time) = (target, settings.times.slowBody)
        guard let loop = EventLoop.current else { return [] }
        let sending = loop.task { await target.sendSlowly(slowCall, over: time) }
        // Once the slow one has begun.
        try? await loop.sleep(for: time / 4)
        var faults = received("A message that came while another one came slowly", await target.send(otherCall)).map {
            $0 + " Read each body apart from the others: a slow network on our side must not stop the next emergency."
        }
        faults += received("A message whose body came over \(time.milliseconds) ms", await sending.value)
        return faults
    }

    func many() async throws(JSONError) -> [String] {
        var calls: [ConformanceTarget.Call] = []
        for _ in 0..<20 {
            let one = incident()
            calls.append(target.call(one.webhookID(1), try one.body()))
        }
        let target = target
        let answers = await withTaskGroup(of: ConformanceTarget.Answer.self) { group in
            for call in calls { group.addTask { await target.send(call) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let bad = answers.filter { !$0.isReceived }
        guard let first = bad.first else { return [] }
        return [
            "Of 20 messages at once \(bad.count) were not received; one \(first.words). An earthquake brings many incidents at the same moment."
        ]
    }
}

import HTTP
import JSON
import Primitives
import Reactor
import Security

/// The calls back.
extension ReferenceReceiver {
    /// When an ambulance is expected, from the acceptance.
    private static let arrival = Duration.seconds(480)
    private static let attemptMax = Duration.seconds(5)
    /// After this the next service has the incident for long.
    private static let attemptsMax = 1000

    /// What came of a call back.
    private enum Outcome: Equatable {
        case taken
        /// With another service, over, or not understood: not sent again.
        case refused(UInt16)
        case givenUp
    }

    func accept(_ incident: UUID, _ reply: AmbulanceMessage.Reply) async {
        if settings.tellsProgress { await status("received", incident, reply) }
        guard await send("accepted", to: reply.acceptanceURL, ["decision": "accepted"], incident, reply) == .taken
        else {
            return
        }
        if settings.tellsProgress {
            await status("dispatched", incident, reply)
            await status(
                "arrival-expected", incident, reply, ["arrival": .string((Timestamp.now() + Self.arrival).description)])
        }
        guard let pause = settings.closesAfter else { return }
        do throws(IOError) { try await loop.sleep(for: pause) } catch { return }
        guard isOpen(incident) else { return }
        if settings.tellsProgress { await status("on-scene", incident, reply) }
        await resolve(incident, reply)
    }

    func resolve(_ incident: UUID, _ reply: AmbulanceMessage.Reply) async {
        _ = await send("resolved", to: reply.resolutionURL, ["decision": "resolved"], incident, reply)
    }

    func reject(_ incident: UUID, _ reply: AmbulanceMessage.Reply, _ reason: String) async {
        _ = await send(
            "rejected", to: reply.rejectionURL, ["decision": "rejected", "reason": .string(reason)], incident, reply)
    }

    func status(
        _ word: String, _ incident: UUID, _ reply: AmbulanceMessage.Reply, _ more: JSONObject = [:]
    ) async {
        var content = more
        content["status"] = .string(word)
        _ = await send(word, to: reply.statusURL, content, incident, reply)
    }

    /// Until it is answered 2xx, or refused for good: under the same id, signed anew each time, so that the dispatcher tells a repeat.
    private func send(
        _ event: String, to address: String, _ content: JSONObject, _ incident: UUID, _ reply: AmbulanceMessage.Reply
    ) async -> Outcome {
        var members = content
        members["hook"] = .string(reply.hook)
        members["token"] = .string(reply.token)
        members["decided_at"] = .string(Timestamp.now().description)
        guard let url = HTTPURL(address), let body = try? JSONEncoder().encode(JSONValue.object(members)) else {
            return .givenUp
        }
        let id = "msg_\(UUID.random())"
        var isToldRefused = false
        for attempt in 0..<Self.attemptsMax {
            let code = await post(body, id, to: url)
            let fields: JSONObject = [
                "incident": .string(incident.description), "answer": code.map { .integer(Int64($0)) } ?? .null,
            ]
            switch code {
            case .some(200..<300):
                tell(event, fields)
                return .taken
            // A clock is corrected, a secret replaced on both sides: it may be right later. A person is told.
            case 401?:
                if !isToldRefused { tell("\(event)-refused", fields) }
                isToldRefused = true
            case .some(let code) where (400..<500).contains(code) && code != 408 && code != 429:
                tell("\(event)-refused", fields)
                return .refused(code)
            default: break
            }
            let pause = settings.pauses[min(attempt, settings.pauses.count - 1)]
            do throws(IOError) { try await loop.sleep(for: pause) } catch { return .givenUp }
        }
        return .givenUp
    }

    private func post(_ body: [UInt8], _ id: String, to url: HTTPURL) async -> UInt16? {
        let now = Timestamp.now()
        var request = HTTPClientRequest(
            .post, url,
            fields: [
                "Content-Type": "application/json", WebhookSignature.idHeader: id,
                WebhookSignature.timestampHeader: WebhookSignature.timestamp(now),
                WebhookSignature.signatureHeader: WebhookSignature.sign(
                    id: id, at: now, body: body, secrets: settings.secrets),
            ], body: body)
        request.isRepeatable = true
        return try? await client.send(request, deadline: .after(Self.attemptMax)).status.rawValue
    }
}

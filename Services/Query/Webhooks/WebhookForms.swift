import Domain
import HTTP
import Primitives
import Security

/// A webhook as its third party sees it.
struct WebhookView: Encodable, Sendable {
    let id: UUID
    let url: String
    let description: String?
    let payload: Webhook.Payload
    /// Absent when all are sent.
    let events: [String]?
    let state: Webhook.State
    let reason: Webhook.Reason?
    let createdAt: Timestamp
    /// Since when every attempt has failed.
    let failingSince: Timestamp?
    /// People of whom an event is tried again.
    let heldPeople: Int
    /// Until when calls are signed with the secret before, too; absent when they are not.
    let previousSecretUntil: Timestamp?
    /// Shown once.
    let secret: String?

    init(_ webhook: Webhook, secret: WebhookSecret? = nil, at now: Timestamp) {
        id = webhook.id
        url = webhook.content.url
        description = webhook.content.description
        payload = webhook.payload
        events = webhook.kinds.isEmpty ? nil : webhook.kinds.map(\.rawValue)
        state = webhook.state
        reason = webhook.reason
        createdAt = webhook.createdAt
        failingSince = webhook.failingSince
        heldPeople = webhook.heldCount
        previousSecretUntil = webhook.secrets.overlapEnd(at: now)
        self.secret = secret?.text
    }
}

extension Event.Kind: Decodable {}

/// A new webhook.
struct WebhookForm: Decodable, Sendable {
    static let urlBytesMax = 2000
    static let descriptionLimits = TextLimits(charactersMax: 200)

    let url: String
    let description: String?
    let payload: Webhook.Payload?
    let events: [Event.Kind]?

    /// Errors: 422 with all that is wrong.
    func check(allowsPrivate: Bool) throws(Problem) {
        try WebhookChange(url: url, description: description, payload: payload, events: events, state: nil)
            .check(allowsPrivate: allowsPrivate)
    }
}

/// What is changed of one; what is absent stays.
struct WebhookChange: Decodable, Sendable {
    enum State: String, Decodable, CaseIterable, Sendable {
        case active, paused
    }

    let url: String?
    /// Empty to have none.
    let description: String?
    let payload: Webhook.Payload?
    /// Empty to have all.
    let events: [Event.Kind]?
    let state: State?

    /// Errors: 422 with all that is wrong.
    func check(allowsPrivate: Bool) throws(Problem) {
        var errors: [Problem.FieldError] = []
        func refuse(_ pointer: String, _ detail: String) {
            errors.append(.init(pointer: "/\(pointer)", detail: detail))
        }
        if let url {
            let parsed = url.utf8.count <= WebhookForm.urlBytesMax ? HTTPURL(url) : nil
            if let parsed {
                if !parsed.isSecure, !(allowsPrivate && parsed.isOnThisMachine) {
                    refuse("url", "write an https address")
                } else if !allowsPrivate, parsed.namesPrivateAddress {
                    refuse("url", "the address is not a public one")
                }
            } else {
                refuse("url", "write an https address of at most \(WebhookForm.urlBytesMax) bytes, without a user name")
            }
        }
        if let description, !description.isEmpty, let fault = WebhookForm.descriptionLimits.fault(in: description) {
            refuse("description", fault.description)
        }
        if let events, Set(events).count != events.count { refuse("events", "name each kind once") }
        guard errors.isEmpty else {
            throw Problem(.unprocessableContent, code: "invalid-request", detail: errors[0].detail, errors: errors)
        }
    }

    func apply(to webhook: inout Webhook) {
        if let url { webhook.content.url = url }
        if let description { webhook.content.description = description.isEmpty ? nil : description }
        if let payload { webhook.payload = payload }
        if let events { webhook.kinds = events }
        switch state {
        case .active: (webhook.state, webhook.reason) = (.active, nil)
        case .paused: (webhook.state, webhook.reason) = (.paused, nil)
        case nil: break
        }
    }
}

/// What is to be sent again.
struct ReplayForm: Decodable, Sendable {
    /// Everything from this event on.
    let fromEventID: UUID?
    /// Everything since then.
    let since: Timestamp?
    /// This event alone, at once.
    let eventID: UUID?

    /// Errors: 422 unless exactly one is given.
    func check() throws(Problem) {
        guard [fromEventID != nil, since != nil, eventID != nil].filter({ $0 }).count == 1 else {
            let detail = "give exactly one of event_id, from_event_id and since"
            throw Problem(
                .unprocessableContent, code: "invalid-request", detail: detail,
                errors: [.init(pointer: "", detail: detail)])
        }
    }
}

/// What came back of a call that was made at once.
struct CallResult: Encodable, Sendable {
    let eventID: UUID
    let isDelivered: Bool
    let status: Int?
    let error: String?
    let durationMs: Int64
    /// The beginning of the answer's body.
    let body: String?

    init(_ answer: WebhookCaller.Answer, of event: UUID) {
        eventID = event
        isDelivered = answer.isDelivered
        status = answer.status
        error = answer.error
        durationMs = answer.took.milliseconds
        body = answer.body.isEmpty ? nil : answer.body
    }
}

import JSON
import Primitives

/// The body of a call: `type`, `timestamp` and `data` (Standard Webhooks). `data` is the event as it is in pages and streams; of
/// a thin one without its series and with a link.
struct WebhookPayload: Encodable {
    let type: String
    let timestamp: Timestamp
    private let data: Content

    private enum Content: Encodable {
        case full(Event)
        case thin(Event, link: String)
        case test(UUID)

        private enum CodingKeys: String, CodingKey { case webhookID, link }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .full(let event): try event.encode(to: encoder)
            case .thin(let event, let link):
                try event.withoutContent.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(link, forKey: .link)
            case .test(let webhook):
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(webhook, forKey: .webhookID)
            }
        }
    }

    /// What a test call is called.
    static let testType = "webhook.test"

    init(_ event: Event, _ payload: Webhook.Payload, baseURL: String) {
        type = event.kind.rawValue
        timestamp = event.createdAt
        data =
            switch payload {
            case .full: .full(event)
            case .thin: .thin(event, link: "\(baseURL)/query/v1/events/\(event.id)")
            }
    }

    init(testOf webhook: UUID, at now: Timestamp) {
        type = Self.testType
        timestamp = now
        data = .test(webhook)
    }
}

extension Event {
    fileprivate var withoutContent: Event {
        Event(
            requester: requester, number: number, id: id, request: request, kind: kind, types: types, data: nil,
            createdAt: createdAt)
    }
}

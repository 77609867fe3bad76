import Contracts
import Primitives
import Security
import Service

/// Mails that say where something is, and never what: what they link to needs a log-in.
extension Notice {
    /// Requests named in one mail.
    private static let requestsMax = 20

    private static func page(of request: UUID, _ baseURL: String) -> String { "\(baseURL)/data-requests/\(request)" }

    /// How many events of which requests are new.
    static func news(_ news: MailingStore.News, to requester: UUID, _ baseURL: String) -> Notice {
        // A value takes 4096 bytes.
        let named = news.counts.prefix(min(requestsMax, 4000 / (page(of: requester, baseURL).utf8.count + 32)))
        var lines = named.map { "\(page(of: $0.request, baseURL)) (\($0.events))" }
        if named.count < news.counts.count { lines.append("…") }
        return Notice(
            to: requester, template: "events-new",
            values: [
                "events": "\(news.events)\(news.isMore ? "+" : "")", "requests": "\(news.counts.count)",
                "list": lines.joined(separator: "\n"),
                "link": "\(baseURL)/data-requests",
            ])
    }

    /// Where the results of a request are. The same for a while, so that asking again and again fills no mailbox.
    static func results(
        of request: ConsentRequest, _ baseURL: String, at now: Timestamp, pause: Duration
    ) -> Notice {
        let slot = now.milliseconds / pause.milliseconds
        return Notice(
            id: .named(Array("results \(slot)".utf8), in: request.id), to: request.requesterID,
            template: "results-link",
            values: ["request_id": request.id.description, "link": page(of: request.id, baseURL)])
    }
}

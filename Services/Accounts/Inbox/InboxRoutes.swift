import HTTP
import Primitives
import Service

/// `GET /inbox`, `POST /inbox/:id/read`.
struct InboxRoutes: Sendable {
    private struct Page: Encodable {
        let messages: [Inbox.Message]
        let next: String?
    }

    let inbox: Inbox

    func add(to routes: inout ServiceRoutes) {
        let inbox = inbox
        routes.answer(.get, "/inbox", access: .anyLogIn, query: .read) { request, caller in
            let before = try request.parameters { (query) throws(Problem) in query.cursor(as: UUID.self) }
            let page = try await inbox.messages(of: caller.account, before: before)
            let next = try page.last.map { last throws(Problem) in try HTTPCursor.encode(last) }
            return try .json(Page(messages: page.messages, next: next))
        }
        routes.answer(.post, "/inbox/:id/read", access: .anyLogIn) { request, caller in
            try await inbox.markRead(try request.parameter("id"), of: caller.account)
            return .noContent
        }
    }
}

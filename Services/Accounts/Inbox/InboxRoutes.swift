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
    let access: Access

    func add(to routes: inout ServiceRoutes) {
        let (inbox, access) = (inbox, access)
        routes.answer(.get, "/inbox") { request in
            let account = try await access.account(of: request)
            let cursor = try request.query()["cursor"]
            let before = try cursor.map { (text) throws(Problem) in try HTTPCursor.decode(text, as: UUID.self) }
            let messages = try await inbox.messages(of: account, before: before)
            var next: String?
            if messages.count == Inbox.pageMax, let last = messages.last { next = try HTTPCursor.encode(last.id) }
            return try .json(Page(messages: messages, next: next))
        }
        routes.answer(.post, "/inbox/:id/read") { request in
            let account = try await access.account(of: request)
            try await inbox.markRead(try request.parameter("id"), of: account)
            return .noContent
        }
    }
}

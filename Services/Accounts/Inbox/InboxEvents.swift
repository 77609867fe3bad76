import HTTP
import JSON
import Primitives
import Reactor
import Service

/// `GET /inbox/events`: the inbox as it fills (ACC-17). `unread` tells how many messages nobody has read, at the beginning and after
/// each that came; `message` is one that came, emergencies before all others. Sent at least once: a client that comes back with
/// `Last-Event-ID` may get some again, by the same id.
struct InboxEvents: Sendable {
    /// Silence after which it is said that nothing has changed; `stream.js` relies on it.
    private static let stillEvery = Duration.seconds(15)

    let inbox: Inbox
    let watch: InboxWatch
    let authenticator: Authenticator
    let sessions: OpenSessions

    func add(to routes: inout ServiceRoutes) {
        routes.answer(.get, "/inbox/events", access: .anyLogIn) { request, caller in
            try await follow(request, caller.account)
        }
    }

    private func follow(_ request: HTTPRequest, _ account: UUID) async throws -> HTTPResponse {
        let last = try request.field("last-event-id").map { (text) throws(Problem) -> UUID in
            guard let id = UUID(text) else {
                throw Problem(
                    .badRequest, code: "invalid-last-event-id", detail: "Last-Event-ID is none of this stream")
            }
            return id
        }
        try watch.check(account)
        return .live { writer in
            // Before the question what was missed, so that nothing comes between them.
            let reader = try watch.open(account)
            defer { watch.close(reader) }
            try await writer.write(ServerSentEvent.retry(after: .seconds(3)))
            let missed =
                if let last { try await inbox.messages(since: last, of: account) ?? [] } else { [] as [Inbox.Message] }
            try await send(missed, to: writer, of: account)
            try await request.serverEnd.calling {
                reader.end()
            } during: {
                while let ids = await reader.next(within: Self.stillEvery) {
                    // Breaks off when the token has expired or was revoked.
                    try await sessions.check(try await authenticator.require(request, .anyLogIn))
                    guard !ids.isEmpty else {
                        try Task.checkCancellation()
                        try await writer.write(ServerSentEvent.still)
                        try await writer.flush()
                        continue
                    }
                    try await send(try await inbox.messages(ids, of: account), to: writer, of: account)
                }
            }
        }
    }

    private func send(_ messages: [Inbox.Message], to writer: HTTPBodyWriter, of account: UUID) async throws {
        for message in messages {
            try await writer.write(
                ServerSentEvent.encode(
                    "message", id: message.id.description, data: try JSONEncoder().encode(message)))
        }
        let unread = try await inbox.unread(of: account)
        // Under the newest one's id: who comes back goes on from there.
        try await writer.write(
            ServerSentEvent.encode(
                "unread", id: unread.newest?.description ?? "", data: try JSONEncoder().encode(unread)))
        try await writer.flush()
    }
}

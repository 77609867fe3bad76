import Domain
import HTTP
import Primitives
import Service

/// `POST /sessions`, `POST /sessions/refresh`, `GET /sessions`, `DELETE /sessions`, `DELETE /sessions/:id`.
struct SessionRoutes: Sendable {
    /// Whose session was opened.
    struct Account: Encodable {
        let id: UUID
        let kind: AccountKind

        init(_ opened: Sessions.Opened) {
            id = opened.account
            kind = opened.kind
        }
    }

    private struct Tokens: Encodable {
        let accessToken: String
        let tokenType = "Bearer"
        let expiresIn: Int64
        let refreshToken: String
        let sessionID: UUID
        let account: Account
    }

    private struct Refresh: Decodable {
        let refreshToken: String
    }

    private struct List: Encodable { let sessions: [Sessions.Listed] }

    let login: Login
    let sessions: Sessions

    func add(to routes: inout ServiceRoutes) {
        let (login, sessions) = (login, sessions)
        routes.answer(.post, "/sessions", access: .secretInRequest) { request in
            try Self.response(
                try await login.begin(try request.body(Login.Form.self), from: request.clientAddress))
        }
        routes.answer(.post, "/sessions/refresh", access: .secretInRequest) { request in
            try Self.response(try await sessions.refresh(try request.body(Refresh.self).refreshToken))
        }
        routes.answer(.get, "/sessions", access: .anyLogIn) { _, caller in
            try .json(List(sessions: try await sessions.list(of: caller.account, current: caller.session)))
        }
        routes.answer(.delete, "/sessions", access: .anyLogIn) { _, caller in
            try await sessions.endAll(of: caller.account)
            return .noContent
        }
        routes.answer(.delete, "/sessions/:id", access: .anyLogIn) { request, caller in
            try await sessions.end(try request.parameter("id"), of: caller.account)
            return .noContent
        }
    }

    private static func response(_ opened: Sessions.Opened) throws(Problem) -> HTTPResponse {
        try HTTPResponse.json(
            Tokens(
                accessToken: opened.accessToken, expiresIn: TokenIssuer.life.milliseconds / 1000,
                refreshToken: opened.refreshToken, sessionID: opened.session,
                account: .init(opened))
        ).uncached
    }
}

import HTTP
import Primitives
import Service

/// `POST /browser-session`, `POST /browser-session/refresh` and `DELETE /browser-session`: log-in, refresh and log-out of
/// browsers, whose tokens are in cookies (`BrowserSession`) and never in a body (ACC-16). All three take requests of our own
/// pages only: a log-in that another page causes would have the person write into somebody else's account.
struct BrowserSessionRoutes: Sendable {
    private struct Session: Encodable {
        let expiresIn: Int64
        let sessionID: UUID
        let account: SessionRoutes.Account
    }

    let login: Login
    let sessions: Sessions
    let authenticator: Authenticator

    func add(to routes: inout ServiceRoutes) {
        routes.answer(.post, "/browser-session", access: .secretInRequest) { request in
            try BrowserSession.requireOwnPage(request)
            let opened = try await login.begin(try request.body(Login.Form.self), from: request.clientAddress)
            // Nobody can log out of a session whose cookies are replaced, and its push messages would go on coming here.
            try await end(of: request)
            return try Self.response(opened)
        }
        routes.answer(.post, "/browser-session/refresh", access: .secretInRequest) { request in
            try BrowserSession.requireOwnPage(request)
            do {
                return try Self.response(try await sessions.refresh(BrowserSession.refresh.value(in: request) ?? ""))
            } catch let refusal as Refusal {
                return Self.cleared(refusal.problem.response(request.trace))
            }
        }
        routes.answer(.delete, "/browser-session", access: .secretInRequest) { request in
            try BrowserSession.requireOwnPage(request)
            try await end(of: request)
            return Self.cleared(.noContent)
        }
    }

    /// Ends the sessions that the cookies belong to, which is one as a rule. Each of them can be missing: the access token
    /// lives shorter, and a browser may have dropped the other. Sessions that have ended are no errors.
    private func end(of request: HTTPRequest) async throws {
        if let token = BrowserSession.refresh.value(in: request) { try await sessions.end(refreshToken: token) }
        if let token = BrowserSession.access.value(in: request) {
            let identity: Identity
            do throws(Problem) { identity = try await authenticator.identity(of: token) } catch {
                guard error.status == .unauthorized else { throw error }
                return
            }
            if let session = identity.session { _ = try await sessions.endIfOpen(session, of: identity.account) }
        }
    }

    private static func response(_ opened: Sessions.Opened) throws(Problem) -> HTTPResponse {
        var response = try HTTPResponse.json(
            Session(
                expiresIn: TokenIssuer.life.milliseconds / 1000, sessionID: opened.session,
                account: .init(opened))
        ).uncached
        response.set(BrowserSession.access, to: opened.accessToken, for: TokenIssuer.life)
        response.set(BrowserSession.refresh, to: opened.refreshToken, for: Sessions.idleLife)
        return response
    }

    private static func cleared(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.clear(BrowserSession.access)
        response.clear(BrowserSession.refresh)
        return response
    }
}

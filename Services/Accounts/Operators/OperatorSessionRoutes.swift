import HTTP
import Service

/// The log-in of operators, on their listener: `POST /invitation`, `POST /invitation/acceptance`, `GET`, `POST` and `DELETE /session`.
struct OperatorSessionRoutes: Sendable {
    struct Session: Encodable { let name: String }

    let login: OperatorLogin

    func add(to routes: inout ServiceRoutes) {
        let login = login
        routes.open(.post, "/invitation") { request in
            try HTTPResponse.json(try await login.begin(try request.body(OperatorLogin.InvitationForm.self))).uncached
        }
        routes.open(.post, "/invitation/acceptance") { request in
            try Self.response(
                try await login.accept(
                    try request.body(OperatorLogin.AcceptanceForm.self), from: request.clientAddress))
        }
        routes.open(.post, "/session") { request in
            let opened = try await login.begin(
                try request.body(OperatorLogin.Form.self), from: request.clientAddress)
            try await login.sessions.end(of: request)
            return try Self.response(opened)
        }
        routes.open(.delete, "/session") { request in
            try await login.sessions.end(of: request)
            var response = HTTPResponse.noContent
            response.clear(OperatorSessions.cookie)
            return response
        }
        routes.open(.get, "/session") { request in
            guard let caller = try await login.sessions.current(request) else { return .noContent.uncached }
            return try HTTPResponse.json(Session(name: caller.name)).uncached
        }
    }

    private static func response(_ opened: OperatorSessions.Opened) throws(Problem) -> HTTPResponse {
        var response = try HTTPResponse.json(Session(name: opened.name)).uncached
        response.set(OperatorSessions.cookie, to: opened.token, for: OperatorSessions.life)
        return response
    }
}

extension ServiceRoutes {
    private static let operatorPrefix = OperatorRoutes.prefix(AccountsService.name)

    /// A route for operators before their log-in, from our own page.
    fileprivate mutating func open(_ method: HTTPMethod, _ pattern: String, _ handler: @escaping Handler) {
        on(
            method, Self.operatorPrefix + pattern, access: .secretInRequest,
            body: .buffered(bytesMax: Self.bodyBytesMax)
        ) { request in
            try BrowserSession.requireOwnPage(request)
            do { return try await handler(request) } catch let refusal as Refusal { throw refusal.problem }
        }
    }

    /// A route for operators who are logged in. Nothing of it is kept by browsers.
    mutating func act(
        _ method: HTTPMethod, _ pattern: String, _ sessions: OperatorSessions, query: QueryPolicy = .refused,
        bodyBytesMax: Int = Self.bodyBytesMax,
        _ handler: @escaping @Sendable (HTTPRequest, OperatorSessions.Operator) async throws -> HTTPResponse
    ) {
        on(
            method, Self.operatorPrefix + pattern, query: query, body: .buffered(bytesMax: bodyBytesMax),
            admitting: { try await sessions.admit($0) }
        ) { request, caller in
            do { return try await handler(request, caller).uncached } catch let refusal as Refusal {
                throw refusal.problem
            }
        }
    }
}

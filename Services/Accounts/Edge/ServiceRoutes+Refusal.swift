import Security
import HTTP
import JSON
import RPC
import Service

extension ServiceRoutes {
    /// Bytes of a body of this service at most.
    static let bodyBytesMax = 64 << 10

    /// As `on`, for handlers that throw `Refusal`.
    mutating func answer(
        _ method: HTTPMethod, _ pattern: String, access: OpenAccess, query: QueryPolicy = .refused,
        _ handler: @escaping Handler
    ) {
        on(
            method, "/accounts/v1" + pattern, access: access, query: query,
            body: .buffered(bytesMax: Self.bodyBytesMax)
        ) { request in
            do { return try await handler(request) } catch let refusal as Refusal { throw refusal.problem }
        }
    }

    /// As `on`, for handlers that throw `Refusal`.
    mutating func answer(
        _ method: HTTPMethod, _ pattern: String, access: Access, query: QueryPolicy = .refused,
        bodyBytesMax: Int = Self.bodyBytesMax, _ handler: @escaping AccountHandler
    ) {
        on(
            method, "/accounts/v1" + pattern, access: access, query: query, body: .buffered(bytesMax: bodyBytesMax)
        ) { request, caller in
            do { return try await handler(request, caller) } catch let refusal as Refusal { throw refusal.problem }
        }
    }
}

extension Access {
    /// Any account that has logged in.
    static let anyLogIn = Access.logIn(.individual, .thirdParty, .organiser)
}

extension RPCRouter {
    /// As `register`, for handlers that throw `Refusal`.
    mutating func answer<M: RPCMethod>(
        _: M.Type, allow callers: Set<String>,
        _ handler: @escaping @Sendable (M.Params, RPCContext) async throws -> M.Result
    ) {
        register(M.self, allow: callers) { params, context in
            do { return try await handler(params, context) } catch let refusal as Refusal { throw refusal.rpc }
        }
    }
}

extension HTTPRequest {
    /// The body as JSON with few values.
    func body<T: Decodable>(_ type: T.Type = T.self) throws(Problem) -> T {
        try json(type, limits: JSONLimits(depthMax: 8, bytesMax: ServiceRoutes.bodyBytesMax, valuesMax: 1000))
    }
}

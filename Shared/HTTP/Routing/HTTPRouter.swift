/// Which handler answers which request. Built once, then shared. `:name` in a pattern takes one segment, `*name` the
/// rest. HEAD is answered by GET's handler, OPTIONS by itself; a known path with another method is 405 with `Allow`.
public struct HTTPRouter: Sendable {
    private var tree = RouteTree()
    private let cors: CORSPolicy?

    public init(cors: CORSPolicy? = nil) {
        self.cors = cors
    }

    /// Answers `method` on `pattern`. `deadline` replaces the server's for this route.
    public mutating func on(
        _ method: HTTPMethod, _ pattern: String, body: HTTPBodyPolicy = .buffered(), deadline: Duration? = nil,
        _ handler: @escaping HTTPHandler
    ) {
        let segments = RouteTree.segments(of: pattern)
        let names = segments.compactMap { segment -> String? in
            switch segment {
            case .literal: nil
            case .parameter(let name), .tail(let name): name
            }
        }
        tree.add(
            method, segments,
            HTTPRoute(pattern: pattern, parameterNames: names, body: body, deadline: deadline, handler: handler))
    }

    /// Routes below `prefix`, each inside `wrapper`.
    public mutating func group(
        _ prefix: String, wrapper: HTTPWrapper? = nil, _ build: (inout HTTPRouteGroup) -> Void
    ) {
        var group = HTTPRouteGroup(router: self, prefix: prefix, wrapper: wrapper)
        build(&group)
        self = group.router
    }

    /// The answer to a request whose body is in memory, with problems made into responses. What the server does,
    /// without a connection.
    public func handle(_ request: HTTPRequest) async -> HTTPResponse {
        let match = match(request.head)
        if case .route(let route, _) = match, case .streaming(let bytesMax) = route.body, request.bytes.count > bytesMax
        {
            return Problem(.contentTooLarge, code: "content-too-large", detail: "the body is too large").response(
                request.trace)
        }
        return await respond(to: request, match)
    }

    @inline(__always)
    func match(_ head: HTTPRequestHead) -> HTTPRouteMatch { tree.match(head) }

    func respond(to request: HTTPRequest, _ match: HTTPRouteMatch) async -> HTTPResponse {
        guard case .route(let route, let parameters) = match else { return refuse(request, match) }
        var request = request
        request.pathParameters = parameters
        var response: HTTPResponse
        do throws(Problem) {
            response = try await route.handler(request)
        } catch {
            response = error.response(request.trace)
        }
        if let cors { cors.apply(to: &response, for: request, methods: nil) }
        return response
    }

    private func refuse(_ request: HTTPRequest, _ match: HTTPRouteMatch) -> HTTPResponse {
        switch match {
        case .otherMethods(var methods):
            if !methods.contains(.options) { methods.append(.options) }
            let allow = methods.map(\.description).joined(separator: ", ")
            guard request.method == .options else {
                return Problem(.methodNotAllowed, code: "method-not-allowed", fields: ["Allow": allow]).response(
                    request.trace)
            }
            var response = HTTPResponse(.noContent, fields: ["Allow": allow])
            cors?.apply(to: &response, for: request, methods: methods)
            return response
        case .malformed:
            return Problem(.badRequest, code: "malformed-request", detail: "the path is not valid UTF-8").response(
                request.trace)
        case .notFound, .route:
            if request.method == .options, request.path == "*" {
                let all = HTTPMethod.allCases.map(\.description).joined(separator: ", ")
                return HTTPResponse(.noContent, fields: ["Allow": all])
            }
            return Problem.notFound.response(request.trace)
        }
    }
}

/// Routes with a common prefix and wrapper.
public struct HTTPRouteGroup {
    fileprivate(set) var router: HTTPRouter
    fileprivate let prefix: String
    fileprivate let wrapper: HTTPWrapper?

    /// As `HTTPRouter.on`; `pattern` comes after the prefix.
    public mutating func on(
        _ method: HTTPMethod, _ pattern: String, body: HTTPBodyPolicy = .buffered(), deadline: Duration? = nil,
        _ handler: @escaping HTTPHandler
    ) {
        router.on(method, prefix + pattern, body: body, deadline: deadline, Self.wrap(handler, wrapper))
    }

    /// A group inside this one; its wrapper goes inside this one's.
    public mutating func group(
        _ prefix: String, wrapper inner: HTTPWrapper? = nil, _ build: (inout HTTPRouteGroup) -> Void
    ) {
        let outer = wrapper
        let both: HTTPWrapper? =
            if let outer, let inner {
                { (request, handler) async throws(Problem) in try await outer(request, Self.wrap(handler, inner)) }
            } else { inner ?? outer }
        var group = HTTPRouteGroup(router: router, prefix: self.prefix + prefix, wrapper: both)
        build(&group)
        router = group.router
    }

    private static func wrap(_ handler: @escaping HTTPHandler, _ wrapper: HTTPWrapper?) -> HTTPHandler {
        guard let wrapper else { return handler }
        return { (request) async throws(Problem) in try await wrapper(request, handler) }
    }
}

/// Which handler answers which request. Built once, then shared. `:name` in a pattern takes one segment, `*name` the
/// rest. HEAD is answered by GET's handler, OPTIONS by itself; a known path with another method is 405 with `Allow`.
public struct HTTPRouter: Sendable {
    /// What the head of a request alone decides.
    enum Verdict {
        case admitted(HTTPAdmission)
        case refused(HTTPResponse)
    }

    private var tree = RouteTree()
    private let codings: Set<String>

    /// `codings` are those of bodies that handlers undo themselves, in lower case (RFC 9110 §8.4); with any other, the answer is
    /// 415.
    public init(codings: Set<String> = []) { self.codings = codings }

    /// Answers `method` on `pattern`. `deadline` replaces the server's for this route.
    public mutating func on(
        _ method: HTTPMethod, _ pattern: String, body: HTTPBodyPolicy = .buffered(), deadline: Duration? = nil,
        _ handler: @escaping HTTPHandler
    ) {
        add(method, pattern, body, deadline, .handler(handler))
    }

    /// Answers `method` on `pattern` with the handler that `gate` names for each request that it lets through.
    public mutating func admit(
        _ method: HTTPMethod, _ pattern: String, body: HTTPBodyPolicy = .buffered(), deadline: Duration? = nil,
        by gate: @escaping HTTPGate
    ) {
        add(method, pattern, body, deadline, .gate(gate))
    }

    private mutating func add(
        _ method: HTTPMethod, _ pattern: String, _ body: HTTPBodyPolicy, _ deadline: Duration?,
        _ answering: HTTPRoute.Answering
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
            HTTPRoute(pattern: pattern, parameterNames: names, body: body, deadline: deadline, answering: answering))
    }

    /// The answer to a request whose body is in memory, with problems made into responses. What the server does,
    /// without a connection.
    public func handle(_ request: HTTPRequest) async -> HTTPResponse {
        var request = request
        guard case .route(let route, let parameters) = match(request.head) else {
            return refusal(of: request, match(request.head))
        }
        request.pathParameters = parameters
        // As at a server, a gate sees no body.
        let body = request.body
        request.body = .buffered([])
        switch await verdict(on: request, route) {
        case .refused(let response): return response
        case .admitted(let admission):
            request.body = body
            if case .streaming(let bytesMax) = route.body, request.bytes.count > bytesMax {
                let problem = Problem(.contentTooLarge, code: "content-too-large", detail: "the body is too large")
                return response(.failure(problem), to: request)
            }
            return response(await outcome(of: request, admission), to: request)
        }
    }

    @inline(__always)
    func match(_ head: HTTPRequestHead) -> HTTPRouteMatch { tree.match(head) }

    /// Whether the request is admitted. `request` has its path parameters and no body.
    func verdict(on request: HTTPRequest, _ route: HTTPRoute) async -> Verdict {
        do throws(Problem) {
            let admission: HTTPAdmission
            switch route.answering {
            case .handler(let handler): admission = HTTPAdmission(handler: handler)
            case .gate(let gate): admission = try await gate(request)
            }
            try request.requireContent(codedBy: codings)
            return .admitted(admission)
        } catch {
            return .refused(response(.failure(error), to: request))
        }
    }

    /// The outcome of the handler.
    func outcome(of request: HTTPRequest, _ admission: HTTPAdmission) async -> Result<HTTPResponse, Problem> {
        do throws(Problem) { return .success(try await admission.handler(request)) } catch { return .failure(error) }
    }

    /// The response for an outcome.
    func response(_ outcome: Result<HTTPResponse, Problem>, to request: HTTPRequest) -> HTTPResponse {
        switch outcome {
        case .success(let response): response
        case .failure(let problem): problem.response(request.trace)
        }
    }

    /// The answer to a request that leads to no route.
    func refusal(of request: HTTPRequest, _ match: HTTPRouteMatch) -> HTTPResponse {
        switch match {
        case .otherMethods(var methods):
            if !methods.contains(.options) { methods.append(.options) }
            let allow = methods.map(\.description).joined(separator: ", ")
            guard request.method == .options else {
                return Problem(.methodNotAllowed, code: "method-not-allowed", fields: ["Allow": allow]).response(
                    request.trace)
            }
            return HTTPResponse(.noContent, fields: ["Allow": allow])
        case .malformed:
            return Problem(
                .badRequest, code: "malformed-request",
                detail: "the path is not valid UTF-8, or holds a control character"
            ).response(request.trace)
        case .notFound, .route:
            if request.method == .options, request.path == "*" {
                let all = HTTPMethod.allCases.map(\.description).joined(separator: ", ")
                return HTTPResponse(.noContent, fields: ["Allow": all])
            }
            return Problem.notFound.response(request.trace)
        }
    }
}

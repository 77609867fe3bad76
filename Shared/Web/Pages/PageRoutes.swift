public import Edge
public import HTTP
public import JSON

extension ServiceRoutes {
    /// Answers GET on `pattern` with a page whose values `values` gives; a problem becomes a page that tells it in words.
    /// Parameters that `values` does not read are ignored: links in mails and tools add some of their own.
    public mutating func page(
        _ pattern: String, _ page: Site.Page, of site: Site,
        _ values: @escaping @Sendable (HTTPRequest) async throws -> JSONObject = { _ in [:] }
    ) {
        on(.get, pattern, access: .page, query: .ignored) { request in
            do {
                return try site.response(page, to: request, try await values(request))
            } catch let problem as Problem {
                return try site.response(problem, to: request)
            }
        }
    }
}

extension Site {
    /// A page that tells a problem in words.
    func response(_ problem: Problem, to request: HTTPRequest) throws(TemplateError) -> HTTPResponse {
        var values: JSONObject = [:]
        switch problem.status.rawValue {
        case 404: values["missing"] = .bool(true)
        case 400..<500:
            let details =
                problem.errors.map(\.detail) + (problem.errors.isEmpty ? [problem.detail ?? problem.title] : [])
            values["refused"] = .object(["details": .array(details.map { .string($0) })])
        default: values["busy"] = .bool(true)
        }
        var response = try response(
            .init("problem-page", template: "problem", hasScript: false), to: request, values, status: problem.status)
        if let retryAfter = problem.retryAfter { response.fields["Retry-After"] = "\(retryAfter.components.seconds)" }
        return response
    }
}

extension JSONObject {
    /// What the API would answer, as the values of a page. Errors: it cannot be written as JSON, or is no object.
    public init(answer: some Encodable) throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(answer))
        guard case .object(let object) = value else {
            throw TemplateError(description: "the values of a page have to be an object")
        }
        self = object
    }
}

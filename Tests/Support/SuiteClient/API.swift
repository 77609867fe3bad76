import Contracts
import HTTP
import JSON
import Reactor

/// The public HTTP API as one caller uses it: without a token, or as the person, device or application that has one. The
/// calls of each service are in `Services/`.
public struct API: Sendable {
    public let suite: Suite
    public let token: String?
    /// How often a call is made that is answered 503, or not at all.
    private var tries = 1

    public init(_ suite: Suite, token: String? = nil) {
        self.suite = suite
        self.token = token
    }

    /// The same API for steps that only prepare what is of interest: on a busy machine a call may be answered 503, or
    /// not at all when its handler takes far too long, and is made again then. Call on a loop.
    public var patient: API {
        var patient = self
        patient.tries = 5
        return patient
    }

    /// The same API with a token.
    public func with(token: String) -> API { API(suite, token: token) }

    /// Sends `body` as JSON and decodes the answer. Errors: all but `local`.
    func call<Answer: Decodable & Sendable>(
        _ method: HTTPMethod, _ service: ServiceName, _ path: String, _ body: (some Encodable)? = Nothing?.none,
        as type: Answer.Type = Answer.self
    ) async throws(SuiteError) -> Answer {
        let response = try await send(try request(method, service, path, body))
        do throws(HTTPClientError) {
            return try response.json(Answer.self)
        } catch { throw .unexpected("\(method) \(path) was answered with something else than expected: \(error)") }
    }

    /// As `call`, for answers without content that matters.
    func perform(
        _ method: HTTPMethod, _ service: ServiceName, _ path: String, _ body: (some Encodable)? = Nothing?.none
    ) async throws(SuiteError) {
        _ = try await send(try request(method, service, path, body))
    }

    /// A request with the caller's token. Errors: `local`, `unexpected`.
    func request(
        _ method: HTTPMethod, _ service: ServiceName, _ path: String, _ body: (some Encodable)? = Nothing?.none
    ) throws(SuiteError) -> HTTPClientRequest {
        let text = try suite.configuration.baseURL(of: service) + "/\(service.rawValue)/v1" + path
        guard let url = HTTPURL(text) else { throw .local("\(text) is not a URL.") }
        var fields = HTTPFields()
        if let token { fields["Authorization"] = "Bearer \(token)" }
        guard let body else { return HTTPClientRequest(method, url, fields: fields) }
        do throws(HTTPClientError) {
            return try .json(method, url, fields: fields, body)
        } catch { throw .unexpected("\(method) \(path) cannot be sent: \(error)") }
    }

    /// The answer, if it is one of success. Errors: `refused`, `unreachable`.
    func send(_ request: HTTPClientRequest) async throws(SuiteError) -> HTTPClientResponse {
        try await patiently(tries: tries) { () throws(SuiteError) in try await sendOnce(request) }
    }

    private func sendOnce(_ request: HTTPClientRequest) async throws(SuiteError) -> HTTPClientResponse {
        let name = "\(request.method) \(request.url.target)"
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await suite.http.send(request, deadline: .after(Suite.callMax))
        } catch { throw .unreachable(call: name, reason: "\(error)") }
        guard (200..<300).contains(response.status.rawValue) else {
            throw Self.refusal(name, response.status, response.body)
        }
        return response
    }

    static func refusal(_ call: String, _ status: HTTPStatus, _ body: [UInt8]) -> SuiteError {
        let problem = try? JSONDecoder().decode(ReceivedProblem.self, from: body)
        return .refused(
            call: call, status: status, code: problem?.code ?? problem?.error ?? "without a code",
            detail: problem?.detail ?? "")
    }
}

/// A body that is not there.
struct Nothing: Codable, Sendable {}

/// The members of a problem that we look at; `error` is OAuth's (RFC 6749).
private struct ReceivedProblem: Decodable {
    let code: String?
    let detail: String?
    let error: String?

    enum CodingKeys: String, CodingKey { case code, type, detail, error }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        detail = try container.decodeIfPresent(String.self, forKey: .detail)
        error = try container.decodeIfPresent(String.self, forKey: .error)
        let type = try container.decodeIfPresent(String.self, forKey: .type)
        code =
            try container.decodeIfPresent(String.self, forKey: .code)
            ?? type?.split(separator: ":").last.map(String.init)
    }
}

public import HTTP
import OpenAPITesting
public import Service
public import Testing

extension AssembledService {
    /// The answer to `request`. What of the exchange the service's OpenAPI document does not say is an issue of the test that asks
    /// (NFR-09).
    ///
    /// - Parameter collects: whether a streamed answer is taken into memory, so that it is checked, too.
    public func answer(
        _ request: HTTPRequest, collects: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> HTTPResponse {
        var response = await http.handle(request)
        if collects, case .stream = response.body { response.body = .bytes(try await response.collectedBody()) }
        for fault in try APIDocument.of(openAPI).faults(of: request, answer: response) {
            Issue.record("OpenAPI document: \(fault)", sourceLocation: sourceLocation)
        }
        return response
    }
}

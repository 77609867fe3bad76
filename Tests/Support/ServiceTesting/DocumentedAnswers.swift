public import HTTP
import OpenAPITesting
public import Service

/// An exchange that the service's OpenAPI document does not say.
public struct UndocumentedExchange: Error, CustomStringConvertible {
    /// What of it: request, status and reason each.
    public let faults: [String]

    public var description: String { "OpenAPI document: " + faults.joined(separator: "; ") }
}

extension AssembledService {
    /// The answer to `request`. Throws `UndocumentedExchange` when the service's OpenAPI document does not say all of it (NFR-09).
    ///
    /// - Parameter collects: whether a streamed answer is taken into memory, so that it is checked, too.
    public func answer(_ request: HTTPRequest, collects: Bool = false) async throws -> HTTPResponse {
        var response = await http.handle(request)
        if collects, case .stream = response.body { response.body = .bytes(try await response.collectedBody()) }
        let faults = try APIDocument.of(openAPI).faults(of: request, answer: response)
        guard faults.isEmpty else { throw UndocumentedExchange(faults: faults) }
        return response
    }
}

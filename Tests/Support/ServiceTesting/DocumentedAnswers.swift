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
        try Self.check(request, response, against: openAPI)
        return response
    }

    /// The same of the operators' listener: what is asked of the service's own routes there is checked against the document about
    /// them.
    public func operatorsAnswer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = await operators.handle(request)
        if let operatorsOpenAPI, request.path.hasPrefix(OperatorRoutes.prefix(name) + "/") {
            try Self.check(request, response, against: operatorsOpenAPI)
        }
        return response
    }

    private static func check(_ request: HTTPRequest, _ response: HTTPResponse, against document: [UInt8]) throws {
        let faults = try APIDocument.of(document).faults(of: request, answer: response)
        guard faults.isEmpty else { throw UndocumentedExchange(faults: faults) }
    }
}

public import Reactor

/// Something that answers HTTP requests: a client with a live server at the other end, or a router alone. The same test
/// runs against both.
public protocol HTTPCaller: Sendable {
    func send(_ request: HTTPClientRequest, deadline: Deadline) async throws(HTTPClientError) -> HTTPClientResponse
}

extension HTTPClient: HTTPCaller {}

/// Answers from a router in this process, without a connection; bodies that stream are collected.
public struct LocalHTTPCaller: HTTPCaller {
    private let router: HTTPRouter

    public init(_ router: HTTPRouter) {
        self.router = router
    }

    public func send(
        _ request: HTTPClientRequest, deadline: Deadline
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        var local: HTTPRequest
        do throws(HTTPParseError) {
            local = try HTTPRequest(
                request.method, request.url.target, fields: request.fields, body: request.body)
        } catch { throw .invalidRequest(error.detail) }
        local.deadline = deadline
        let response = await router.handle(local)
        var fields = response.fields
        if let type = response.contentType { fields["Content-Type"] = type.description }
        var body: [UInt8] = []
        if request.method != .head {
            do { body = try await response.collectedBody(lastEventID: local.field("last-event-id")) } catch {
                throw .malformedResponse("the body broke off: \(error)")
            }
        }
        return HTTPClientResponse(status: response.status, fields: fields, body: body)
    }
}

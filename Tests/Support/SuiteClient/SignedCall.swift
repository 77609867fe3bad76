import HTTP
import JSON
import Primitives
import Reactor
public import Security

extension API {
    /// A call to a full address, signed with a webhook's secret (Standard Webhooks) instead of a token.
    public func post(
        _ body: [String: String], to address: String, signedWith secret: WebhookSecret
    ) async throws(SuiteError) {
        guard let url = HTTPURL(address) else { throw .unexpected("\(address) is not a URL.") }
        var request: HTTPClientRequest
        do throws(HTTPClientError) { request = try .json(.post, url, body) } catch {
            throw .unexpected("\(address) cannot be called: \(error)")
        }
        let (id, now) = ("msg_\(UUID.random())", Timestamp.now())
        request.fields[WebhookSignature.idHeader] = id
        request.fields[WebhookSignature.timestampHeader] = WebhookSignature.timestamp(now)
        request.fields[WebhookSignature.signatureHeader] = WebhookSignature.sign(
            id: id, at: now, body: request.body, secrets: [secret])
        _ = try await send(request)
    }
}

/// A message that is not HTTP as RFC 9112 wants it, or exceeds a limit: the one status it is answered with, and why.
/// The connection cannot be used any more.
public struct HTTPParseError: Error, Sendable, Equatable {
    public let status: HTTPStatus
    /// Fit for showing to the client.
    public let detail: String

    init(_ status: HTTPStatus, _ detail: StaticString) {
        self.status = status
        self.detail = detail.description
    }
}

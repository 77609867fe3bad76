import Security
import HTTP
import Service

/// What a third party's token may be good for here.
enum Scope: String, Sendable {
    case requests, groups
}

extension Authenticator {
    /// A company that asks for data, with a token for `scope`.
    func thirdParty(_ request: HTTPRequest, scope: Scope) async throws(Problem) -> Identity {
        try await require(request, kinds: [.thirdParty], scope: scope.rawValue)
    }

    func individual(_ request: HTTPRequest) async throws(Problem) -> Identity {
        try await require(request, kinds: [.individual])
    }
}

import HTTP

/// How a service authenticates callers: its authenticator, and what has to hold beyond a valid token.
public struct Authentication: Sendable {
    /// Throws when a valid token is not accepted, for example because its session has ended.
    public typealias Confirmation = @Sendable (Identity) async throws -> Void

    public let authenticator: Authenticator
    private let confirm: Confirmation?

    public init(_ authenticator: Authenticator, confirm: Confirmation? = nil) {
        self.authenticator = authenticator
        self.confirm = confirm
    }

    /// Whose token `request` carries, if `access` admits it. Throws what `Authenticator.require` and the confirmation
    /// throw.
    func admit(_ request: HTTPRequest, _ access: Access) async throws -> Identity {
        let identity = try await authenticator.require(request, access)
        try await confirm?(identity)
        return identity
    }
}

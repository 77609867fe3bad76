/// Why the token endpoint gives no token (RFC 6749 section 5.2).
enum TokenFailure: Error, Equatable {
    case invalidRequest(String)
    case invalidClient
    /// The code or the refresh token is not good, or not this client's.
    case invalidGrant(String)
    case unsupportedGrantType
    case invalidScope
    case suspended
    case withdrawn

    var error: String {
        switch self {
        case .invalidRequest: "invalid_request"
        case .invalidClient: "invalid_client"
        case .invalidGrant: "invalid_grant"
        case .unsupportedGrantType: "unsupported_grant_type"
        case .invalidScope: "invalid_scope"
        case .suspended, .withdrawn: "unauthorized_client"
        }
    }

    /// For developers, in characters that the specification allows.
    var description: String {
        switch self {
        case .invalidRequest(let reason), .invalidGrant(let reason): reason
        case .invalidClient: "the client is unknown, or its secret is wrong"
        case .unsupportedGrantType: "grant_type must be client_credentials, authorization_code or refresh_token"
        case .suspended: "the operator has suspended the account; the mail to its address says why"
        case .withdrawn: "the operator has withdrawn the admission of the application"
        case .invalidScope:
            "scope must name some of the scopes that the client has; groups counts once the operator has admitted the company"
        }
    }
}

/// Who asks for tokens, as the request says.
struct ClientProof: Sendable {
    let id: String
    let secret: String?
}

/// What is granted.
struct TokenGrant: Sendable {
    let token: String
    let scopes: [String]
    /// For the next token, once; only applications have one.
    var refreshToken: String?
}

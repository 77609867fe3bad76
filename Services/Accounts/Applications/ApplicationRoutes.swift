import HTTP
import JSON
import Security
import Service

/// `POST /authorizations/questions` and `POST /authorizations`, by individuals; and what programs read of this server
/// (RFC 8414).
struct ApplicationRoutes: Sendable {
    private struct Asked: Decodable { let query: String }

    /// RFC 8414 §2, RFC 9207 §3.
    private struct Metadata: Encodable {
        let issuer: String
        let authorizationEndpoint: String
        let tokenEndpoint: String
        let jwksURI: String
        let serviceDocumentation: String
        let scopesSupported = TokenIssuer.thirdPartyScopes + TokenIssuer.pairedDeviceScopes
        let responseTypesSupported = ["code"]
        let responseModesSupported = ["query"]
        let grantTypesSupported = ["authorization_code", "refresh_token", "client_credentials"]
        let tokenEndpointAuthMethodsSupported = ["client_secret_basic", "client_secret_post", "none"]
        let codeChallengeMethodsSupported = ["S256"]
        let authorizationResponseIssParameterSupported = true

        init(issuer: String) {
            self.issuer = issuer
            authorizationEndpoint = "\(issuer)/authorize"
            tokenEndpoint = "\(issuer)/accounts/v1/oauth/token"
            jwksURI = "\(issuer)/accounts/v1/.well-known/jwks.json"
            serviceDocumentation = "\(issuer)/developers"
        }
    }

    let authorizations: Authorizations

    func add(to routes: inout ServiceRoutes) {
        let authorizations = authorizations
        routes.answer(.post, "/authorizations/questions", access: .logIn(.individual)) { request, caller in
            try HTTPResponse.json(
                try await authorizations.question(try request.body(Asked.self).query, to: caller.account)
            ).uncached
        }
        routes.answer(.post, "/authorizations", access: .logIn(.individual)) { request, caller in
            try HTTPResponse.json(
                try await authorizations.answer(
                    try request.body(Authorizations.Form.self), of: caller.account)
            ).uncached
        }
        routes.on(.get, "/.well-known/oauth-authorization-server", access: .anyone) { _ in
            var response = try HTTPResponse.json(Metadata(issuer: authorizations.issuer))
            response.fields["Cache-Control"] = "public, max-age=300"
            return response
        }
    }
}

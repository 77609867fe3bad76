import HTTP
import JSON
import Primitives
import Security
import Service

/// `POST /oauth/token` and `GET /.well-known/jwks.json`.
struct TokenRoutes: Sendable {
    private struct Granted: Encodable {
        let accessToken: String
        let tokenType = "Bearer"
        let expiresIn: Int64
        let scope: String
        let refreshToken: String?
    }

    private struct Refused: Encodable {
        let error: String
        let errorDescription: String
    }

    let credentials: ClientCredentials
    let applications: ApplicationTokens
    let keys: SigningKeys

    func add(to routes: inout ServiceRoutes) {
        let keys = keys
        routes.answer(.post, "/oauth/token", access: .secretInRequest) { request in
            do {
                let grant = try await grant(try Parameters(request))
                return try HTTPResponse.json(
                    Granted(
                        accessToken: grant.token, expiresIn: TokenIssuer.life.milliseconds / 1000,
                        scope: grant.scopes.joined(separator: " "), refreshToken: grant.refreshToken)
                ).uncached
            } catch let failure as TokenFailure {
                return try Self.response(failure)
            }
        }
        routes.answer(.get, "/.well-known/jwks.json", access: .anyone) { _ in
            var response = try HTTPResponse.json(keys.published)
            response.fields["Cache-Control"] = "public, max-age=300"
            return response
        }
    }

    private func grant(_ parameters: Parameters) async throws -> TokenGrant {
        switch try parameters.required("grant_type") {
        case "client_credentials":
            return try await credentials.grant(try parameters.client(), scope: try parameters.value("scope"))
        case "authorization_code":
            return try await applications.redeem(
                try parameters.required("code"), redirectURI: try parameters.required("redirect_uri"),
                verifier: try parameters.required("code_verifier"), by: try parameters.client())
        case "refresh_token":
            let scope = try parameters.value("scope") ?? TokenIssuer.deviceScope
            guard scope == TokenIssuer.deviceScope else { throw TokenFailure.invalidScope }
            return try await applications.refresh(
                try parameters.required("refresh_token"), by: try parameters.client())
        default: throw TokenFailure.unsupportedGrantType
        }
    }

    private static func response(_ failure: TokenFailure) throws(Problem) -> HTTPResponse {
        var response = try HTTPResponse.json(
            Refused(error: failure.error, errorDescription: failure.description),
            status: failure == .invalidClient ? .unauthorized : .badRequest
        ).uncached
        if failure == .invalidClient { response.fields["WWW-Authenticate"] = "Basic realm=\"trackme\"" }
        return response
    }
}

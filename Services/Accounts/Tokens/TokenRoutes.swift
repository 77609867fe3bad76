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
    }

    private struct Refused: Encodable {
        let error: String
        let errorDescription: String
    }

    let credentials: ClientCredentials
    let keys: SigningKeys

    func add(to routes: inout ServiceRoutes) {
        let (credentials, keys) = (credentials, keys)
        routes.answer(.post, "/oauth/token", access: .secretInRequest) { request in
            do {
                let grant = try await Self.grant(request, credentials)
                var response = try HTTPResponse.json(
                    Granted(
                        accessToken: grant.token, expiresIn: TokenIssuer.life.milliseconds / 1000,
                        scope: grant.scopes.joined(separator: " ")))
                response.fields["Cache-Control"] = "no-store"
                return response
            } catch let failure as ClientCredentials.Failure {
                return try Self.response(failure)
            }
        }
        routes.answer(.get, "/.well-known/jwks.json", access: .anyone) { _ in
            var response = try HTTPResponse.json(keys.published)
            response.fields["Cache-Control"] = "public, max-age=300"
            return response
        }
    }

    private static func grant(
        _ request: HTTPRequest, _ credentials: ClientCredentials
    ) async throws -> ClientCredentials.Grant {
        let form: QueryItems
        do throws(Problem) {
            form = try request.form()
        } catch {
            guard error.status == .badRequest else { throw error }
            throw ClientCredentials.Failure.invalidRequest("the form cannot be read")
        }
        func value(_ name: String) throws(ClientCredentials.Failure) -> String? {
            let values = form.all(name)
            // A parameter must not come twice (RFC 6749 section 3.2); an empty one counts as absent.
            guard values.count <= 1 else { throw .invalidRequest("\(name) comes more than once") }
            return values.first.flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let type = try value("grant_type") else {
            throw ClientCredentials.Failure.invalidRequest("grant_type is missing")
        }
        guard type == "client_credentials" else { throw ClientCredentials.Failure.unsupportedGrantType }
        let bodyID = try value("client_id") ?? value("device_id")
        let bodySecret = try value("client_secret") ?? value("device_secret")
        let scope = try value("scope")
        if let field = request.field("authorization") {
            // Only one way to authenticate at once (RFC 6749 section 2.3).
            guard bodySecret == nil else {
                throw ClientCredentials.Failure.invalidRequest("send the secret in one way: Authorization or the form")
            }
            guard let (id, secret) = basic(field), bodyID == nil || bodyID == id else {
                throw ClientCredentials.Failure.invalidClient
            }
            return try await credentials.grant(id: id, secret: secret, scope: scope)
        }
        guard let id = bodyID, let secret = bodySecret else { throw ClientCredentials.Failure.invalidClient }
        return try await credentials.grant(id: id, secret: secret, scope: scope)
    }

    /// Our ids and secrets have no character that form encoding would change (RFC 6749 section 2.3.1).
    private static func basic(_ field: String) -> (id: String, secret: String)? {
        guard field.utf8.count > 6, field.prefix(6).lowercased() == "basic ",
            let bytes = Base64.standard.decode(field.dropFirst(6)),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    private static func response(_ failure: ClientCredentials.Failure) throws(Problem) -> HTTPResponse {
        var response = try HTTPResponse.json(
            Refused(error: failure.error, errorDescription: failure.description),
            status: failure == .invalidClient ? .unauthorized : .badRequest)
        response.fields["Cache-Control"] = "no-store"
        if failure == .invalidClient { response.fields["WWW-Authenticate"] = "Basic realm=\"trackme\"" }
        return response
    }
}

import Contracts
import HTTP
import Primitives

/// What an application asks a person for: the query of the page `/authorize` (RFC 6749 §4.1.1, RFC 7636 §4.3). Parameters that are
/// not known are passed over; a known one must not come twice.
struct AuthorizationRequest: Sendable {
    static let queryBytesMax = 4000
    static let stateBytesMax = 1000

    /// What is wrong, where the application may be told (RFC 6749 §4.1.2.1).
    struct Fault: Error, Equatable {
        let error: String
        /// For its developers, in characters that the specification allows.
        let description: String
    }

    let application: SourceApplications.Application
    let redirectURI: RedirectURI
    let state: String?
    /// SHA-256 of the secret that the application shows with the code.
    let challenge: Result<[UInt8], Fault>

    /// Throws `Refusal` for what is told to the person alone, since nothing says that an answer would reach the application:
    /// an unknown application or redirect URI.
    init(
        _ query: String, find: (UUID) async throws -> SourceApplications.Application?
    ) async throws {
        guard query.utf8.count <= Self.queryBytesMax, let items = QueryItems(query) else {
            throw Refusal.invalid("/query", "The link of the application cannot be read.", code: "broken-link")
        }
        guard items.all("client_id").count == 1, let id = items["client_id"].flatMap({ UUID($0) }),
            let application = try await find(id)
        else {
            throw Refusal(.notFound, "unknown-application", "There is no such application, or it is admitted no more.")
        }
        guard items.all("redirect_uri").count == 1, let text = items["redirect_uri"],
            application.redirectURIs.contains(text), let redirectURI = RedirectURI(text)
        else {
            throw Refusal(
                .forbidden, "wrong-redirect-uri",
                "The link leads to an address that the application has not registered.")
        }
        (self.application, self.redirectURI) = (application, redirectURI)
        let states = items.all("state")
        state = states.count == 1 && states[0].utf8.count <= Self.stateBytesMax ? states[0] : nil
        do throws(Fault) { challenge = .success(try Self.challenge(items, hasState: state != nil)) } catch {
            challenge = .failure(error)
        }
    }

    /// The address for an answer to the application. `issuer` says whose answer it is, so that one of another server is not taken
    /// for ours (RFC 9207).
    func answer(_ parameters: [(name: String, value: String)], issuer: String) -> String {
        redirectURI.adding(parameters + (state.map { [("state", $0)] } ?? []) + [("iss", issuer)])
    }

    func answer(_ fault: Fault, issuer: String) -> String {
        answer([("error", fault.error), ("error_description", fault.description)], issuer: issuer)
    }

    private static func challenge(_ items: QueryItems, hasState: Bool) throws(Fault) -> [UInt8] {
        func value(_ name: String) throws(Fault) -> String? {
            do throws(RepeatedParameter) { return try items.single(name) } catch {
                throw Fault(error: "invalid_request", description: error.description)
            }
        }
        guard hasState || items.all("state").isEmpty else {
            throw Fault(
                error: "invalid_request", description: "state comes once and has at most \(stateBytesMax) bytes")
        }
        guard try value("request") == nil, try value("request_uri") == nil else {
            throw Fault(error: "request_not_supported", description: "send the parameters themselves")
        }
        guard let type = try value("response_type") else {
            throw Fault(error: "invalid_request", description: "response_type is missing")
        }
        guard type == "code" else {
            throw Fault(error: "unsupported_response_type", description: "response_type must be code")
        }
        guard (try value("response_mode") ?? "query") == "query" else {
            throw Fault(error: "invalid_request", description: "response_mode must be query")
        }
        guard (try value("scope") ?? TokenIssuer.deviceScope) == TokenIssuer.deviceScope else {
            throw Fault(error: "invalid_scope", description: "the only scope is \(TokenIssuer.deviceScope)")
        }
        guard try value("code_challenge_method") == "S256", let text = try value("code_challenge"),
            text.utf8.count == 43, let hash = Base64.url.decode(text), hash.count == 32
        else {
            throw Fault(
                error: "invalid_request",
                description: "PKCE is needed: code_challenge of 43 characters, code_challenge_method S256")
        }
        return hash
    }
}

import HTTP
import JSON
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct DocumentTests {
    @Test("NFR-09: the OpenAPI document says what is served, and the requests that it shows are answered as it says")
    func walk() async throws {
        try await AccountsTest.with { test in
            // The people and things that the examples are about.
            _ = try await test.register(TestPerson(number: 1))
            let person = try await test.individual(TestPerson(email: "anna.bianchi@example.org"))
            let company = try await test.company()
            let session = try LoggedIn(try await test.logIn("anna.bianchi@example.org")).session
            let pairing = try await test.send(.post, "/pairings", #"{"name":"Watch","data_types":["heart-rate"]}"#)
            let device = try await test.send(
                .post, "/devices", token: person.token, #"{"code":"\#(try pairing.text("code"))"}"#)
            let client = try await test.send(
                .post, "/clients", token: company.token, #"{"name":"Export","scopes":["requests"]}"#)
            let messages = try await test.send(.get, "/inbox", token: person.token).json["messages"]?.items
            let tokens = TestTokens(key: test.settings.signingKey, clock: test.clock)
            let walk = try DocumentWalk(
                test.service.assembled,
                paths: [
                    "/accounts/v1/sessions/{id}": "/accounts/v1/sessions/\(session)",
                    "/accounts/v1/pairings/{id}": "/accounts/v1/pairings/\(try pairing.text("pairing_id"))",
                    "/accounts/v1/devices/{id}": "/accounts/v1/devices/\(try device.text("device_id"))",
                    "/accounts/v1/clients/{id}": "/accounts/v1/clients/\(try client.text("client_id"))",
                    "/accounts/v1/inbox/{id}": "/accounts/v1/inbox/\(messages?.first?["id"]?.text ?? "none")",
                ]
            ) { kind, scopes in
                switch kind {
                case .individual: person.token
                case .thirdParty: company.token
                default: try tokens.token(kind, account: .random(), scopes: scopes)
                }
            }
            // Those whose secrets cannot stand in a document; the session ends when the password is changed.
            let faults = try await walk.faults(unsuccessful: [
                "DELETE /accounts/v1/sessions/{id}", "POST /accounts/v1/confirmations/confirm",
                "POST /accounts/v1/confirmations/question",
                "POST /accounts/v1/password-resets/complete",
                "POST /accounts/v1/sessions/refresh", "POST /accounts/v1/browser-session/refresh",
                "POST /accounts/v1/pairings/{id}/claim",
                "POST /accounts/v1/devices", "POST /accounts/v1/pairings/redeem", "DELETE /accounts/v1/pairings/{id}",
                "POST /accounts/v1/erasure-receipts", "POST /accounts/v1/me/exports/{id}/archive",
                "DELETE /accounts/v1/me/exports/{id}", "POST /accounts/v1/me/erasures",
                "POST /accounts/v1/me/second-factor", "POST /accounts/v1/me/second-factor/activation",
                "POST /accounts/v1/me/second-factor/recovery-codes", "POST /accounts/v1/me/second-factor/removal",
                "POST /accounts/v1/me/passkeys", "POST /accounts/v1/me/passkeys/challenges",
                "POST /accounts/v1/me/passkeys/{id}/removal",
                "POST /accounts/v1/oauth/token", "POST /accounts/v1/authorizations",
                "POST /accounts/v1/authorizations/questions", "GET /accounts/v1/me/picture",
            ])
            #expect(faults == [])
        }
    }
}

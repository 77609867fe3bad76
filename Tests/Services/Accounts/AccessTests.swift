import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await AccountsTest.with { test in
            let tokens = TestTokens(key: test.settings.signingKey, clock: test.service.clock)
            let faults = try await AccessWalk.faults(
                in: test.service.assembled, tokens: tokens,
                open: [
                    "POST /accounts/v1/individuals", "POST /accounts/v1/third-parties", "POST /accounts/v1/organisers",
                    "GET /accounts/v1/terms", "GET /accounts/v1/terms/:kind/:version",
                    "POST /accounts/v1/confirmations/confirm", "POST /accounts/v1/confirmations",
                    "POST /accounts/v1/confirmations/question",
                    "POST /accounts/v1/password-resets", "POST /accounts/v1/password-resets/complete",
                    "POST /accounts/v1/erasure-receipts",
                    "GET /accounts/v1/places", "GET /accounts/v1/places/:code",
                    "POST /accounts/v1/sessions",
                    "POST /accounts/v1/sessions/refresh", "POST /accounts/v1/browser-session",
                    "POST /accounts/v1/browser-session/refresh", "DELETE /accounts/v1/browser-session",
                    "POST /accounts/v1/pairings", "POST /accounts/v1/pairings/redeem",
                    "POST /accounts/v1/pairings/:id/claim", "POST /accounts/v1/oauth/token",
                    "GET /accounts/v1/.well-known/jwks.json",
                ])
            #expect(faults == [])
        }
    }
}

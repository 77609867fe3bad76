import HTTP
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct LanguagePageTests {
    @Test(
        "NFR-08b: who chooses a language comes back to the page, and never to another site",
        arguments: [
            ("to=en&from=%2Fruns%3Ftext%3Da%2520b", "/runs?text=a%20b"), ("to=en", "/"), ("to=en&from=", "/"),
            ("to=en&from=%2F%2Fevil.example", "/"), ("to=en&from=%2F%5Cevil.example", "/"),
            ("to=en&from=https%3A%2F%2Fevil.example%2F", "/"), ("to=en&from=runs", "/"),
        ])
    func back(_ query: String, _ location: String) async throws {
        try await AccountsTest.with { test in
            let response = await test.service.assembled.http.handle(try HTTPRequest(.get, "/language?\(query)"))
            #expect(response.status == .seeOther && response.fields["Location"] == location)
            #expect(response.fields["Set-Cookie"] == "language=en; Path=/; SameSite=Lax; Max-Age=31536000")
        }
    }
}

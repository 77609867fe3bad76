import HTTP
import Service
import ServiceTesting
import Testing

@testable import Query

/// The pages of third parties, as they are sent.
@Suite struct PageTests {
    private static let paths = [
        "/data-requests", "/data-requests/01979c2e-8f00-7a31-9c2b-5d3f2a1b4c6d", "/data-events", "/webhooks",
        "/webhooks/01979c2e-8f00-7a31-9c2b-5d3f2a1b4c6d", "/mailing", "/group-requests",
    ]

    private func page(
        _ path: String, _ world: World, cookie: String = "account=third-party"
    ) async throws -> (status: HTTPStatus, text: String, cookie: String?) {
        let request = try HTTPRequest(.get, path, fields: ["Cookie": cookie, "Accept-Language": "en"])
        let response = await world.service.assembled.http.handle(request)
        let text = String(decoding: try await response.collectedBody(), as: UTF8.self)
        return (response.status, text, response.fields["Set-Cookie"])
    }

    @Test("PAY-01c: without prices no page has a way to payments, a kind of event that is about them, or invoices")
    func withoutPrices() async throws {
        try await World.with { world in
            for path in Self.paths {
                let found = try await page(path, world)
                #expect(found.status == .ok && found.text.contains("href=\"/webhooks\""), "\(path)")
                #expect(!found.text.contains("/payments") && !found.text.contains("payment."), "\(path)")
                #expect(found.cookie == nil)
            }
            #expect(try await page("/payments", world).status == .notFound)
            let groups = try await page("/group-requests", world).text
            #expect(!groups.contains("id=\"price\""))
            // The browser was told while there were prices.
            let late = try await page("/mailing", world, cookie: "account=third-party; payments=on")
            #expect(!late.text.contains("/payments"))
            #expect(late.cookie?.hasPrefix("payments=; ") == true && late.cookie?.contains("Max-Age=0") == true)
        }
    }

    @Test(
        "PAY-01b: with prices every page has a way to what is due and paid, and payments are among the kinds of events")
    func withPrices() async throws {
        try await World.withPayments { world, _ in
            for path in Self.paths + ["/payments"] {
                let found = try await page(path, world)
                #expect(found.status == .ok && found.text.contains("href=\"/payments\""), "\(path)")
                #expect(found.cookie?.hasPrefix("payments=on; ") == true, "\(path)")
            }
            for path in ["/webhooks", "/mailing"] {
                #expect(try await page(path, world).text.contains("value=\"payment.due\""))
            }
            // Told already; and of no use to others.
            #expect(try await page("/mailing", world, cookie: "account=third-party; payments=on").cookie == nil)
            let person = try await page("/requests", world, cookie: "account=individual")
            #expect(person.cookie == nil && !person.text.contains("/payments"))
        }
    }

    @Test("PAY-01ab: the page of questions about groups has the price of an answer, where there is one")
    func groupPrice() async throws {
        try await World.withGroupPrice { world, _ in
            let text = try await page("/group-requests", world).text
            #expect(text.contains("id=\"price\" data-amount=\"2000\" data-currency=\"EUR\""))
        }
        try await World.withPayments { world, _ in
            let text = try await page("/group-requests", world).text
            #expect(!text.contains("id=\"price\""))
        }
    }

    @Test("SUB-02cd: the page of a webhook has an id in its address, and every kind of event can be chosen in words")
    func kinds() async throws {
        try await World.withPayments { world, _ in
            #expect(try await page("/webhooks/none", world).status == .notFound)
            for path in ["/webhooks", "/mailing"] {
                let text = try await page(path, world).text
                for kind in Event.Kind.allCases { #expect(text.contains("value=\"\(kind.rawValue)\""), "\(kind)") }
                #expect(text.contains("Data that no longer comes"))
            }
        }
    }
}

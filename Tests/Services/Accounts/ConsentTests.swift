import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct ConsentTests {
    private func receipts(_ test: AccountsTest, _ who: LoggedIn) async throws -> [[String?]] {
        let own = try await test.send(.get, "/me/consents", token: who.token)
        return try #require(own.json["receipts"]?.items).map { receipt in
            ["purpose", "way", "version", "language"].map { receipt[$0]?.text } + [
                receipt["is_given"]?.flag?.description
            ]
        }
    }

    @Test("ACC-05b NFR-06: Consents are given one by one, with a receipt that tells how, and withdrawn as easily")
    func ownForm() async throws {
        try await AccountsTest.with { test in
            var person = TestPerson()
            person.more = #","consents":{"health_data":true,"position":false},"language":"en""#
            let anna = try await test.individual(person)
            #expect(
                try await receipts(test, anna) == [
                    ["position", "registration", "2026-01", "en", "false"],
                    ["health-data", "registration", "2026-01", "en", "true"],
                    ["terms", "registration", "2026-01", nil, "true"],
                ])
            test.clock.advance(by: .seconds(60))
            let cursor = try await test.end(of: Accounts.changesFeed)
            let changed = try await test.send(
                .patch, "/me/consents", token: anna.token, #"{"health_data":false,"position":true}"#)
            #expect(changed.status == 200)
            #expect(changed.json["consents"]?["health_data"]?.flag == false)
            #expect(changed.json["consents"]?["position"]?.flag == true)
            let newest = try await receipts(test, anna)
            #expect(
                newest.count == 5
                    && newest.prefix(2) == [
                        ["position", "session", "2026-01", "en", "true"],
                        ["health-data", "session", "2026-01", "en", "false"],
                    ])
            // Who collects learns of it.
            let event = try #require(try await test.events(of: Accounts.changesFeed, after: cursor).last)
            let change = try event.decode(Accounts.AccountChange.self)
            #expect(change.paused == ["health"])
            // What changes nothing needs no receipt.
            _ = try await test.send(.patch, "/me/consents", token: anna.token, #"{"position":true}"#)
            #expect(try await receipts(test, anna).count == 5)
        }
    }

    @Test(
        "ACC-05b SOS-01: Emergency calls are consented to by enrolling and withdrawn by leaving, each with one receipt")
    func emergencyCalls() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            func isGiven() async throws -> Bool? {
                try await test.send(.get, "/me/consents", token: anna.token).json["emergency_calls"]?.flag
            }
            let before = try await receipts(test, anna)
            #expect(try await isGiven() == false)
            for template in ["sos-ended", "sos-enrolled", "sos-enrolled", "sos-ended"] {
                _ = try await test.service.rpc(as: "dispatcher").call(
                    Accounts.Notify.self,
                    .init(id: .random(), accountID: anna.account, template: template, values: [:], email: false))
                #expect(try await isGiven() == (template == "sos-enrolled"))
            }
            #expect(
                try await receipts(test, anna) == [
                    ["emergency-calls", "session", Dispatcher.clausesVersion, "it", "false"],
                    ["emergency-calls", "session", Dispatcher.clausesVersion, "it", "true"],
                ] + before)
        }
    }

    @Test("NFR-06: Nothing is consented to that was not said; what is withdrawn can be, however often")
    func limits() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let own = try await test.send(.get, "/me/consents", token: anna.token)
            #expect(own.json["consents"]?["health_data"]?.flag == false)
            #expect(own.json["consents"]?["position"]?.flag == false)
            for _ in 0..<Consents.givingMax {
                for isGiven in [true, false] {
                    let body = "{\"position\":\(isGiven)}"
                    #expect(try await test.send(.patch, "/me/consents", token: anna.token, body).status == 200)
                }
            }
            #expect(try await test.send(.patch, "/me/consents", token: anna.token, #"{"position":true}"#).status == 429)
            test.clock.advance(by: Consents.givingTime + .seconds(1))
            let again = try LoggedIn(try await test.logIn("anna@example.org"))
            #expect(
                try await test.send(.patch, "/me/consents", token: again.token, #"{"position":true}"#).status == 200)
        }
    }

    @Test("ACC-05b: The texts that are agreed to can be read in both languages")
    func texts() async throws {
        try await AccountsTest.with { test in
            let url = try #require(
                try await test.send(.get, "/terms").json["consents"]?["text_url"]?.text)
            let path = String(url[try #require(url.firstRange(of: "/terms/")).lowerBound...])
            #expect(try await test.send(.get, path).json.text?.contains("Acconsento") == true)
            #expect(try await test.send(.get, path + "?language=en").json.text?.contains("I agree") == true)
            #expect(try await test.send(.get, "/terms/consents/2019-01").status == 404)
        }
    }
}

import RPC
import Feed
import ServiceTesting
import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Testing

@testable import Accounts

@Suite struct ConfirmationTests {
    @Test("ACC-06b: The link expires after 24 hours and can be sent again")
    func expiry() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            let first = try await test.link()
            test.clock.advance(by: .seconds(24 * 3600))
            for method in [HTTPMethod.get, .post] {
                let late = try await test.send(method, first)
                #expect(late.status == 410 && late.json.text?.contains("scaduto") == true)
            }
            #expect(try await test.send(.post, first, fields: ["Accept": "application/json"]).code == "link-expired")
            #expect(try await test.send(.post, "/confirmations", #"{"email":"Anna@example.org"}"#).status == 202)
            let second = try await test.link()
            #expect(second != first)
            test.clock.advance(by: .seconds(24 * 3600 - 1))
            #expect(try await test.send(.post, second).status == 200)
            // A second time changes nothing.
            #expect(try await test.send(.post, second).status == 200)
        }
    }

    @Test("ACC-06b: Asking for the link again answers the same for everybody and does not fill a mailbox")
    func again() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            try await test.deliver()
            for email in ["nobody@example.org", "anna@example.org", "anna@example.org"] {
                let answer = try await test.send(.post, "/confirmations", "{\"email\":\"\(email)\"}")
                #expect(answer.status == 202)
            }
            #expect(try await test.deliver() == 0)
            test.clock.advance(by: .seconds(61))
            _ = try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#)
            _ = try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#)
            #expect(try await test.deliver() == 1)
            #expect(try await test.send(.post, try await test.link()).status == 200)
            test.clock.advance(by: .seconds(61))
            _ = try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#)
            #expect(try await test.deliver() == 0)
        }
    }

    @Test("ACC-06a: Opening the link changes nothing, as programs do that look at links; the page's button confirms")
    func opening() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            let link = try await test.link()
            let page = try await test.send(.get, link)
            #expect(page.status == 200 && page.json.text?.contains("<form method=\"post\">") == true)
            #expect(page.json.text?.contains("Conferma l'indirizzo") == true)
            #expect(try await test.logIn("anna@example.org").code == "not-confirmed")
            let confirmed = try await test.send(.post, link)
            #expect(confirmed.status == 200 && confirmed.json.text?.contains("Ora puoi accedere") == true)
            #expect(try await test.logIn("anna@example.org").status == 200)
            #expect(try await test.send(.get, link).json.text?.contains("<form") == false)
        }
    }

    @Test("ACC-06b: Asking for the link many times at once sends one mail")
    func atOnce() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            try await test.deliver()
            test.clock.advance(by: .seconds(61))
            // All of them have begun before the first goes on: they wait for the account, which is locked here.
            let statuses = try await test.held(
                by: "select from account for update", of: "account", count: 3
            ) {
                try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#).status
            }
            #expect(statuses == [202, 202, 202])
            #expect(try await test.deliver() == 1)
        }
    }

    @Test("ACC-06b: Five links are good at once, and no more are sent, however patiently somebody asks")
    func linksMax() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            try await test.deliver()
            var sent = 1
            for _ in 0..<10 {
                test.clock.advance(by: Confirmation.resendPause)
                _ = try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#)
                sent += try await test.deliver()
            }
            #expect(sent == Confirmation.linksMax)
            test.clock.advance(by: Confirmation.linkLife)
            _ = try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#)
            #expect(try await test.deliver() == 1)
        }
    }

    @Test("ACC-06b: A link that was sent again is good for its 24 hours, also when the registration is old by then")
    func sentAgain() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            let upkeep = Upkeep(store: try test.capabilities.store)
            test.clock.advance(by: Upkeep.unconfirmedLife - .seconds(1))
            _ = try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#)
            let link = try await test.link()
            test.clock.advance(by: .seconds(24 * 3600 - 1))
            try await upkeep.run()
            #expect(try await test.send(.get, link).status == 200)
            // Not for ever: a week after the registration it is over.
            for _ in 0..<5 {
                _ = try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#)
                test.clock.advance(by: .seconds(24 * 3600 - 1))
                try await upkeep.run()
            }
            #expect(try await test.database.queryOne("select count(*) from account", as: Int.self) == 0)
        }
    }

    @Test("ACC-06a: An invented link is refused")
    func invented() async throws {
        try await AccountsTest.with { test in
            for token in ["abc", String(repeating: "A", count: 43)] {
                for method in [HTTPMethod.get, .post] {
                    let answer = try await test.send(method, "/confirmations/\(token)")
                    #expect(answer.status == 410)
                }
            }
        }
    }

    @Test("An account is announced when it is confirmed, once, with the number of its subject")
    func announced() async throws {
        try await AccountsTest.with { test in
            let start = try await test.end(of: Accounts.changesFeed)
            _ = try await test.register(TestPerson())
            #expect(try await test.events(of: Accounts.changesFeed, after: start).isEmpty)
            let link = try await test.link()
            _ = try await test.send(.post, link)
            _ = try await test.send(.post, link)
            let events = try await test.events(of: Accounts.changesFeed, after: start)
            #expect(events.count == 1 && events[0].kind == "account")
            let change = try events[0].decode(Accounts.AccountChange.self)
            #expect(change.accountID == events[0].entity && change.kind == .individual && change.state == .active)
            #expect((1...SubjectNumbers.batchCount).contains(try #require(change.subject)))
            // The profile waits for its day to be closed.
            #expect(
                try await test.capabilities.store.database.queryOne(
                    "select count(*) from profile_change", as: Int.self) == 1)
        }
    }

    @Test("ACC-06: A registration that nobody confirmed frees address and fiscal code after three days")
    func dropped() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            let upkeep = Upkeep(store: try test.capabilities.store)
            test.clock.advance(by: Upkeep.unconfirmedLife)
            try await upkeep.run()
            #expect(try await test.register(TestPerson()).status == 409)
            test.clock.advance(by: .seconds(1))
            try await upkeep.run()
            #expect(try await test.register(TestPerson()).status == 202)
        }
    }
}

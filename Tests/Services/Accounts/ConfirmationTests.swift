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
    @Test("ACC-06: The link expires after 24 hours and can be sent again")
    func expiry() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            let first = try await test.link()
            test.clock.advance(by: .seconds(24 * 3600))
            let late = try await test.send(.get, first)
            #expect(late.status == 410 && late.json.text?.contains("scaduto") == true)
            #expect(try await test.send(.get, first, fields: ["Accept": "application/json"]).code == "link-expired")
            #expect(try await test.send(.post, "/confirmations", #"{"email":"Anna@example.org"}"#).status == 202)
            let second = try await test.link()
            #expect(second != first)
            test.clock.advance(by: .seconds(24 * 3600 - 1))
            #expect(try await test.send(.get, second).status == 200)
            // Opening it again changes nothing.
            #expect(try await test.send(.get, second).status == 200)
        }
    }

    @Test("ACC-06: Asking for the link again answers the same for everybody and does not fill a mailbox")
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
            #expect(try await test.send(.get, try await test.link()).status == 200)
            test.clock.advance(by: .seconds(61))
            _ = try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#)
            #expect(try await test.deliver() == 0)
        }
    }

    @Test("ACC-06: An invented link is refused")
    func invented() async throws {
        try await AccountsTest.with { test in
            for token in ["abc", String(repeating: "A", count: 43)] {
                let answer = try await test.send(.get, "/confirmations/\(token)")
                #expect(answer.status == 410)
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
            _ = try await test.send(.get, link)
            _ = try await test.send(.get, link)
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

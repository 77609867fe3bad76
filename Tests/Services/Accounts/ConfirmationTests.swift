import RPC
import Feed
import ServiceTesting
import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Testing

@testable import Accounts

@Suite struct ConfirmationTests {
    @Test("ACC-06b: The link expires after 24 hours and can be sent again")
    func expiry() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            let first = try await test.linkToken()
            test.clock.advance(by: .seconds(24 * 3600))
            let late = try await test.confirm(first)
            #expect(late.status == 410 && late.code == "link-expired")
            #expect(try await test.send(.post, "/confirmations", #"{"email":"Anna@example.org"}"#).status == 202)
            let second = try await test.linkToken()
            #expect(second != first)
            test.clock.advance(by: .seconds(24 * 3600 - 1))
            #expect(try await test.confirm(second).status == 200)
            // A second time changes nothing.
            #expect(try await test.confirm(second).status == 200)
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
            #expect(try await test.confirm(try await test.linkToken()).status == 200)
            test.clock.advance(by: .seconds(61))
            _ = try await test.send(.post, "/confirmations", #"{"email":"anna@example.org"}"#)
            #expect(try await test.deliver() == 0)
        }
    }

    @Test("ACC-06a: The mail's link holds a token in its fragment; sending that confirms, and nobody logs in before")
    func opening() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            let token = try await test.linkToken()
            #expect(try await test.logIn("anna@example.org").code == "not-confirmed")
            let confirmed = try await test.confirm(token)
            #expect(confirmed.status == 200 && confirmed.json["status"]?.text == "confirmed")
            #expect(try await test.logIn("anna@example.org").status == 200)
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
            let token = try #require(OneTimeToken(try await test.linkToken()))
            test.clock.advance(by: .seconds(24 * 3600 - 1))
            try await upkeep.run()
            let isGood = try await test.database.queryOne(
                """
                select exists (
                  select from confirmation where token_hash = \(token.storedHash) and expires_at > \(test.clock.now()))
                """, as: Bool.self)
            #expect(isGood == true)
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
                let answer = try await test.confirm(token)
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
            let token = try await test.linkToken()
            _ = try await test.confirm(token)
            _ = try await test.confirm(token)
            let events = try await test.events(of: Accounts.changesFeed, after: start)
            #expect(events.count == 1 && events[0].kind == "account")
            let change = try events[0].decode(Accounts.AccountChange.self)
            #expect(change.accountID == events[0].entity && change.kind == .individual)
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

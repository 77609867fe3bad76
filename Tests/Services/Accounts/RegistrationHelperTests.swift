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

@Suite struct RegistrationHelperTests {
    private static let parent = TestPerson(number: 3)

    private func logIn(_ test: AccountsTest, _ email: String, _ more: String = "") async throws -> AccountsTest.Answer {
        try await test.send(
            .post, "/sessions", "{\"login\":\"\(email)\",\"password\":\"\(AccountsTest.password)\"\(more)}")
    }

    private static let agreed = #","terms_version":"2026-01","consents":{"health_data":true,"position":true}"#

    private func ways(_ test: AccountsTest, _ account: UUID) async throws -> [String] {
        try await test.database.query(
            """
            select way from terms_acceptance where account = \(account)
            union all select way from consent_receipt where account = \(account)
            """, as: String.self)
    }

    @Test(
        "ACC-02h ACC-05a: What a relative has filled in is confirmed by the person at the first log-in, with the own consents"
    )
    func relative() async throws {
        try await AccountsTest.with { test in
            var person = TestPerson()
            let helper = #","relative":{"name":"Luca","surname":"Verdi"}"#
            person.more = helper + #","consents":{"health_data":true,"position":false}"#
            let refused = try await test.register(person)
            #expect(refused.status == 422 && refused.code == "not-yours-to-give")
            person.more = helper
            #expect(try await test.register(person).status == 202)
            #expect(try await test.confirm(try await test.linkToken()).json["status"]?.text == "confirmed")

            let first = try await logIn(test, person.email)
            #expect(first.status == 403 && first.code == "consent-needed")
            #expect(try await logIn(test, person.email, #","terms_version":"2026-01""#).code == "consent-needed")
            #expect(
                try await logIn(
                    test, person.email, #","terms_version":"2019-01","consents":{"health_data":true,"position":true}"#
                ).code == "consent-needed")
            #expect(try await test.database.queryOne("select count(*) from session", as: Int.self) == 0)
            let anna = try LoggedIn(try await logIn(test, person.email, Self.agreed))
            #expect(Set(try await ways(test, anna.account)) == ["log-in"])
            let own = try await test.send(.get, "/me", token: anna.token)
            #expect(own.json["filled_in_by"]?["surname"]?.text == "Verdi")
            #expect(own.json["filled_in_by"]?["confirmed_at"]?.text != nil)
            #expect(try await logIn(test, person.email).status == 200)
        }
    }

    @Test("ACC-02h NFR-06: Who is under 14 is registered by a parent, who agrees by a link of its own")
    func child() async throws {
        try await AccountsTest.with { test in
            let child = TestPerson.child(years: 12, parent: Self.parent)
            #expect(try await test.register(child).status == 202)
            let (own, parents) = (
                try await test.linkToken(to: child.email), try await test.linkToken("parent", to: Self.parent.email)
            )
            let question = try await test.send(.post, "/confirmations/question", "{\"token\":\"\(parents)\"}")
            #expect(question.status == 200 && question.json["name"]?.text == child.name)
            #expect(question.json["consents"]?["health_data"]?.flag == true)
            #expect(question.json["consents"]?["position"]?.flag == false)
            // The child's own link tells nothing and agrees to nothing.
            #expect(try await test.send(.post, "/confirmations/question", "{\"token\":\"\(own)\"}").status == 410)
            #expect(try await test.confirm(own).json["status"]?.text == "waiting")
            #expect(try await logIn(test, child.email, Self.agreed).code == "not-confirmed")
            #expect(try await test.database.queryOne("select count(*) from consent_receipt", as: Int.self) == 0)

            #expect(try await test.confirm(parents).json["status"]?.text == "confirmed")
            #expect(try await test.confirm(parents).json["status"]?.text == "confirmed")
            let session = try LoggedIn(try await logIn(test, child.email))
            #expect(try await ways(test, session.account) == ["parent", "parent", "parent"])
            let consents = try await test.send(.get, "/me/consents", token: session.token).json["consents"]
            #expect(consents?["health_data"]?.flag == true && consents?["position"]?.flag == false)
        }
    }

    @Test("ACC-02h: The parent may agree before the child's address is confirmed; links are sent again to both")
    func parentFirst() async throws {
        try await AccountsTest.with { test in
            let child = TestPerson.child(years: 13, parent: Self.parent)
            #expect(try await test.register(child).status == 202)
            try await test.deliver()
            test.clock.advance(by: Confirmation.resendPause + .seconds(1))
            let again = try await test.send(.post, "/confirmations", "{\"email\":\"\(child.email)\"}")
            #expect(again.status == 202)
            #expect(try await test.deliver() == 2)
            #expect(
                try await test.confirm(try await test.linkToken("parent", to: Self.parent.email))
                    .json["status"]?.text == "waiting")
            // Who has agreed is not asked once more.
            test.clock.advance(by: Confirmation.resendPause + .seconds(1))
            _ = try await test.send(.post, "/confirmations", "{\"email\":\"\(child.email)\"}")
            #expect(try await test.deliver() == 1)
            #expect(
                try await test.confirm(try await test.linkToken(to: child.email)).json["status"]?.text == "confirmed")
            #expect(try await logIn(test, child.email).status == 200)
        }
    }

    @Test("ACC-02h ACC-05a: From the 14th birthday on the person agrees alone, at the next log-in")
    func ofAge() async throws {
        try await AccountsTest.with { test in
            let child = TestPerson.child(years: 13, parent: Self.parent)
            #expect(try await test.register(child).status == 202)
            _ = try await test.confirm(try await test.linkToken(to: child.email))
            _ = try await test.confirm(try await test.linkToken("parent", to: Self.parent.email))
            test.clock.advance(by: .seconds(364 * 86_400))
            #expect(try await logIn(test, child.email).status == 200)
            test.clock.advance(by: .seconds(2 * 86_400))
            #expect(try await logIn(test, child.email).code == "consent-needed")
            let session = try LoggedIn(try await logIn(test, child.email, Self.agreed))
            #expect(try await ways(test, session.account).filter { $0 == "log-in" }.count == 3)
            #expect(try await logIn(test, child.email).status == 200)
        }
    }

    @Test(
        "ACC-02h: A child without a parent, a parent who is none, and a parent of a grown-up are refused",
        arguments: [
            (12, "", "parent-needed", "/parent"),
            (12, "child", "no-parent", "/parent/fiscal_code"),
            (14, "adult", "no-parent-needed", "/parent"),
            (12, "both", "one-of-two", "/relative"),
        ])
    func refused(_ years: Int, _ who: String, _ code: String, _ pointer: String) async throws {
        try await AccountsTest.with { test in
            var parent: TestPerson? = Self.parent
            if who.isEmpty { parent = nil }
            if who == "child" { parent = .child(years: 17, email: "brother@example.org", parent: nil) }
            var child = TestPerson.child(years: years, parent: parent)
            if who == "both" { child.more += #","relative":{"name":"Luca","surname":"Verdi"}"# }
            if who == "both" { child.more.replace(#","consents":{"health_data":true,"position":false}"#, with: "") }
            let answer = try await test.register(child)
            #expect(answer.status == 422 && answer.code == code)
            #expect(answer.json["errors"]?.items.first?["pointer"]?.text == pointer)
        }
    }

    @Test(
        "ACC-05a: Who was provisioned chooses a password by the link of an invitation, and agrees at the first log-in")
    func invitation() async throws {
        try await AccountsTest.with { test in
            let people = [TestPerson(number: 1), TestPerson(number: 2)]
            var provisioned = people.map(\.provisioned)
            provisioned[0].consents = .init(healthData: true, position: false)
            let made = try await test.service.rpc(as: "simulator").call(
                Accounts.Provision.self,
                .init(population: String(repeating: "p", count: 32), people: provisioned, invite: true)
            ).people
            #expect(Set(try await ways(test, made[0].accountID)) == ["provisioning"])
            #expect(try await ways(test, made[1].accountID).isEmpty)
            test.clock.advance(by: Invitations.linkLife - .seconds(1))
            try await Upkeep(store: try test.capabilities.store).run()
            let token = try await test.linkToken("reset", to: people[0].email)
            let form = """
                {"token":"\(token)","new_password":"\(AccountsTest.password)","new_password_again":"\(AccountsTest.password)"}
                """
            #expect(try await test.send(.post, "/password-resets/complete", form).status == 204)
            #expect(try await test.send(.post, "/password-resets/complete", form).status == 410)
            #expect(try await logIn(test, people[0].email).code == "consent-needed")
            #expect(try await logIn(test, people[0].email, Self.agreed).status == 200)
            // Without an invitation, or when it has expired, a forgotten password is the way.
            _ = try await test.send(.post, "/password-resets", "{\"email\":\"\(people[1].email)\"}")
            let late = try await test.linkToken("reset", to: people[1].email)
            let other = form.replacing(token, with: late)
            #expect(try await test.send(.post, "/password-resets/complete", other).status == 204)
            #expect(try await logIn(test, people[1].email).code == "consent-needed")
        }
    }
}

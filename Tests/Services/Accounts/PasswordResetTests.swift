import Domain
import HTTP
import JSON
import Postgres
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct PasswordResetTests {
    private static let new = "another horse battery"

    @Test("ACC-09ab: A link by mail forces a new password, ends all sessions, and is good once; the owner is told")
    func reset() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let other = try LoggedIn(try await test.logIn("anna@example.org"))
            #expect(try await test.forget("anna@example.org").status == 202)
            let token = try await test.resetToken()
            #expect(try await test.logIn("anna@example.org").status == 200)
            #expect(try await test.complete(token, Self.new).status == 204)
            for refresh in [anna.refresh, other.refresh] {
                let answer = try await test.send(.post, "/sessions/refresh", "{\"refresh_token\":\"\(refresh)\"}")
                #expect(answer.status == 401)
            }
            #expect(try await test.logIn("anna@example.org").status == 401)
            #expect(try await test.logIn("anna@example.org", Self.new).status == 200)
            #expect(try await test.complete(token, "a third horse battery").code == "link-expired")
            try await test.deliver()
            #expect(test.settings.mailbox.messages.last?.subject == "La tua password è cambiata")
        }
    }

    @Test("ACC-09a: A link lives for half an hour; a weak password, or two that differ, leave it good")
    func refused() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            _ = try await test.forget("anna@example.org")
            let token = try await test.resetToken()
            #expect(try await test.complete(token, "anna.bianchi1").code == "weak-password")
            #expect(try await test.complete(token, Self.new, again: "yet another one").code == "passwords-differ")
            #expect(try await test.complete("x", Self.new).code == "link-expired")
            test.clock.advance(by: PasswordReset.linkLife - .seconds(1))
            #expect(try await test.complete(token, Self.new).status == 204)
            _ = try await test.forget("anna@example.org")
            let late = try await test.resetToken()
            test.clock.advance(by: PasswordReset.linkLife)
            #expect(try await test.complete(late, "a third horse battery").status == 410)
        }
    }

    @Test(
        "ACC-09a ACC-07b: Who has no account gets the same answer and no mail; who has not confirmed gets that link again"
    )
    func unknown() async throws {
        try await AccountsTest.with { test in
            #expect(try await test.forget("nobody@example.org").status == 202)
            #expect(try await test.deliver() == 0)
            #expect(try await test.register(TestPerson()).status == 202)
            try await test.deliver()
            test.clock.advance(by: Confirmation.resendPause + .seconds(1))
            #expect(try await test.forget("anna@example.org").status == 202)
            #expect(try await test.confirm(try await test.linkToken()).status == 200)
        }
    }

    @Test("ACC-09a: Nobody's mailbox is filled; a change of the password ends the links")
    func limits() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            func sent(_ count: Int, every pause: Duration) async throws -> Int {
                var sent = 0
                for _ in 0..<count {
                    _ = try await test.forget("anna@example.org")
                    sent += try await test.deliver()
                    test.clock.advance(by: pause)
                }
                return sent
            }
            #expect(try await sent(6, every: PasswordReset.pause + .seconds(1)) == PasswordReset.linksMax)
            #expect(
                try await sent(20, every: PasswordReset.linkLife) == PasswordReset.dailyMax - PasswordReset.linksMax)
            test.clock.advance(by: PasswordReset.countedTime)
            _ = try await test.forget("anna@example.org")
            let token = try await test.resetToken()
            let access = try LoggedIn(try await test.logIn("anna@example.org")).token
            let form = """
                {"old_password":"\(AccountsTest.password)","new_password":"\(Self.new)","new_password_again":"\(Self.new)"}
                """
            #expect(try await test.send(.put, "/me/password", token: access, form).status == 204)
            #expect(try await test.complete(token, "a third horse battery").status == 410)
            try await test.deliver()
            #expect(test.settings.mailbox.messages.last?.subject == "La tua password è cambiata")
        }
    }

    @Test(
        "ACC-09ab: A company's two accounts have a link each, and of two who use one link at once one changes the password"
    )
    func companies() async throws {
        try await AccountsTest.with { test in
            _ = try await test.company()
            _ = try await test.company(TestCompany(kind: .organiser))
            _ = try await test.forget("info@salus.example")
            #expect(try await test.deliver() == 2)
            let token = try await test.resetToken()
            async let first = test.complete(token, Self.new)
            async let second = test.complete(token, Self.new)
            #expect(try await [first.status, second.status].sorted() == [204, 410])
            let kinds: [AccountKind] = [.thirdParty, .organiser]
            var opened = 0
            for kind in kinds where try await test.logIn("info@salus.example", Self.new, kind: kind).status == 200 {
                opened += 1
            }
            #expect(opened == 1)
        }
    }
}

extension AccountsTest {
    func forget(_ email: String) async throws -> Answer {
        try await send(.post, "/password-resets", "{\"email\":\"\(email)\"}")
    }

    func complete(_ token: String, _ password: String, again: String? = nil) async throws -> Answer {
        try await send(
            .post, "/password-resets/complete",
            "{\"token\":\"\(token)\",\"new_password\":\"\(password)\",\"new_password_again\":\"\(again ?? password)\"}")
    }

    /// Delivers mail and takes the token of the last link for a new password.
    func resetToken() async throws -> String {
        try await deliver()
        let body = try #require(settings.mailbox.messages.last { $0.body.contains("/reset#") }?.body)
        let start = try #require(body.firstRange(of: "http://127.0.0.1:8100/reset#")?.upperBound)
        return String(body[start...].prefix { !$0.isWhitespace })
    }
}

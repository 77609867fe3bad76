import Edge
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Accounts

/// The log-in of those who run the service, on their own listener.
@Suite struct OperatorLoginTests {
    @Test(
        "NFR-06 ACC-07a: Who is invited sets a password and an app, and logs in with name, password and code, each code once"
    )
    func invited() async throws {
        try await AccountsTest.with { test in
            var rosa = TestOperator(test)
            let token = try await rosa.invite()
            let setup = try await rosa.send(.post, "/invitation", #"{"token":"\#(token)"}"#)
            #expect(setup.json["name"]?.text == "rosa")
            #expect(setup.json["uri"]?.text?.hasPrefix("otpauth://totp/TrackMe:rosa?secret=") == true)
            #expect(setup.response.fields["Cache-Control"] == "no-store")
            #expect(try await rosa.accept(token, code: "000000").code == "wrong-code")
            #expect(
                try await rosa.accept(token, code: try await rosa.code(), password: "short").code == "weak-password")
            let accepted = try await rosa.accept(token, code: try await rosa.code())
            #expect(accepted.status == 200)
            let cookie = try #require(accepted.response.fields["Set-Cookie"])
            for part in ["Secure", "HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(part)) }
            #expect(try await rosa.send(.get, "/session").json["name"]?.text == "rosa")
            #expect(try await rosa.accept(token, code: "000000").code == "invitation-expired")

            #expect(try await rosa.send(.delete, "/session").status == 204)
            #expect(try await rosa.send(.get, "/session").status == 204)
            // The one that set it up was used by that.
            #expect(try await rosa.logIn(code: try await rosa.code()).code == "wrong-credentials")
            test.clock.advance(by: .seconds(30))
            let code = try await rosa.code()
            #expect(try await rosa.logIn(code: code, password: "quite another mouse").code == "wrong-credentials")
            #expect(try await rosa.logIn(code: "\(code.prefix(3)) \(code.suffix(3))").status == 200)
            var other = TestOperator(test)
            #expect(try await other.logIn(code: code).code == "wrong-credentials")
            var nobody = TestOperator(test, "nobody")
            #expect(try await nobody.logIn(code: code).told == (try await other.logIn(code: code)).told)
            let stored = try await test.database.queryOne("select password_hash from operator", as: String.self)
            #expect(stored?.contains(TestOperator.password) == false)
        }
    }

    @Test(
        "ACC-07b ACC-08b: After ten wrong log-ins under a name none is taken for an hour, whether there is such an operator or not"
    )
    func guessing() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            test.clock.advance(by: .seconds(300))
            var nobody = TestOperator(test, "nobody")
            // Invited, and without a password.
            var bruno = TestOperator(test, "bruno")
            _ = try await bruno.invite()
            for number in 0..<OperatorTries.countMax {
                let isPassword = number.isMultiple(of: 2)
                let answer = try await rosa.logIn(
                    code: isPassword ? try await rosa.code() : "abcdef",
                    password: isPassword ? "quite another mouse" : TestOperator.password)
                #expect(answer.code == "wrong-credentials")
                #expect(try await nobody.logIn(code: "000000").told == answer.told)
                #expect(try await bruno.logIn(code: "000000").told == answer.told)
            }
            let refused = try await rosa.logIn(code: try await rosa.code())
            #expect(refused.code == "too-many-tries")
            #expect(refused.response.fields["Retry-After"] == "3600")
            let unknown = try await nobody.logIn(code: "000000")
            #expect(unknown.told == refused.told)
            #expect(unknown.response.fields["Retry-After"] == "3600")
            #expect(try await bruno.logIn(code: "000000").told == refused.told)
            // A person's log-in with the same name has counts of its own.
            #expect(try await test.logIn("rosa").code == "wrong-credentials")
            // A session that is open goes on.
            #expect(try await rosa.send(.get, "/session").status == 200)
            test.clock.advance(by: OperatorTries.window)
            #expect(try await rosa.logIn(code: try await rosa.code()).status == 200)
            #expect(try await rosa.logIn(code: "000000").code == "wrong-credentials")
            #expect(try await nobody.logIn(code: "000000").code == "wrong-credentials")
            let tried = try await test.service.auditLines().filter {
                $0.action == OperatorLogin.refusedAction && $0.actor == "operator rosa"
            }.count
            #expect(tried == OperatorTries.countMax + 1)
        }
    }

    @Test("ACC-08b: A name that was locked by a clock that was ahead is not locked until then")
    func clockSetBack() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            test.clock.advance(by: .seconds(86_400))
            for _ in 0...OperatorTries.countMax { _ = try await rosa.logIn(code: "000000") }
            #expect(try await rosa.logIn(code: "000000").code == "too-many-tries")
            test.clock.advance(by: .seconds(-86_000))
            #expect(try await rosa.logIn(code: try await rosa.code()).status == 200)
        }
    }

    @Test("ACC-08b: An operator who is locked out and invited again has a log-in at once")
    func invitedAgain() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            for _ in 0..<OperatorTries.countMax { _ = try await rosa.logIn(code: "000000") }
            #expect(try await rosa.logIn(code: "000000").code == "too-many-tries")
            let token = try await rosa.invite()
            #expect(try await rosa.send(.post, "/invitation", #"{"token":"\#(token)"}"#).status == 200)
            #expect(try await rosa.accept(token, code: try await rosa.code()).status == 200)
            test.clock.advance(by: .seconds(30))
            #expect(try await rosa.logIn(code: try await rosa.code()).status == 200)
        }
    }

    @Test("NFR-06: Operators' sessions end after half an hour without use, after twelve hours, and with the operator")
    func sessions() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            let first = rosa.cookie
            for _ in 0..<23 {
                test.clock.advance(by: .seconds(1795))
                #expect(try await rosa.send(.get, "/queues").status == 200)
            }
            test.clock.advance(by: .seconds(1960))
            #expect(try await rosa.send(.get, "/queues").code == "log-in-needed")
            #expect(try await rosa.logIn(code: try await rosa.code()).status == 200)
            #expect(rosa.cookie != first)
            test.clock.advance(by: OperatorSessions.idleLife)
            #expect(try await rosa.send(.get, "/queues").code == "log-in-needed")
            try await test.capabilities.store.database.execute(OperatorSessions.forget(at: test.clock.now()))
            #expect(try await test.database.queryOne("select count(*) from operator_session", as: Int.self) == 0)

            #expect(try await rosa.logIn(code: try await rosa.code()).status == 200)
            // Invited again, since the app was lost: what there was is good no longer.
            let token = try await rosa.invite()
            #expect(try await rosa.send(.get, "/queues").status == 401)
            #expect(try await rosa.send(.post, "/invitation", #"{"token":"\#(token)"}"#).status == 200)
            #expect(try await rosa.accept(token, code: try await rosa.code()).status == 200)
            #expect(try await rosa.send(.get, "/queues").status == 200)
            try await rosa.remove()
            #expect(try await rosa.send(.get, "/queues").status == 401)
            #expect(try await rosa.logIn(code: "000000").code == "wrong-credentials")
        }
    }

    @Test("NFR-06: An operator's invitation is good once and for a day; of two acceptances at the same time one counts")
    func invitations() async throws {
        try await AccountsTest.with { test in
            var rosa = TestOperator(test)
            let early = try await rosa.invite()
            let token = try await rosa.invite()
            #expect(try await rosa.send(.post, "/invitation", #"{"token":"\#(early)"}"#).code == "invitation-expired")
            #expect(try await rosa.send(.post, "/invitation", #"{"token":"x"}"#).code == "invitation-expired")
            // Without a secret there is no code that fits.
            #expect(try await rosa.accept(token, code: "000000").code == "wrong-code")
            #expect(try await rosa.send(.post, "/invitation", #"{"token":"\#(token)"}"#).status == 200)
            let code = try await rosa.code()
            let pair = (rosa, rosa)
            async let first = accept(pair.0, token, code)
            async let second = accept(pair.1, token, code)
            #expect(try await [first, second].sorted() == [200, 410])
            let late = try await rosa.invite()
            test.clock.advance(by: OperatorAccounts.invitationLife)
            #expect(try await rosa.send(.post, "/invitation", #"{"token":"\#(late)"}"#).code == "invitation-expired")
        }
    }

    private func accept(_ who: TestOperator, _ token: String, _ code: String) async throws -> UInt16 {
        var who = who
        return try await who.accept(token, code: code).status
    }

    @Test(
        "NFR-06 ACC-16: Every route of the operators' listener but the log-in refuses who has no session, another kind of token, and other sites"
    )
    func everyRoute() async throws {
        try await AccountsTest.with { test in
            let rosa = try await TestOperator.logged(in: test)
            let anna = try await test.individual()
            let open = Set(
                [
                    "GET /session", "POST /session", "DELETE /session", "POST /invitation",
                    "POST /invitation/acceptance", "GET /openapi.json",
                ].map { $0.replacing(" ", with: " /accounts/v1/operator") })
            let routes = test.service.assembled.actRoutes
            #expect(Set(routes.filter { $0.caller != .gate }.map(\.name)) == open)
            #expect(routes.count > open.count)
            for route in routes where route.caller == .gate {
                let path = String(
                    route.pattern.dropFirst("/accounts/v1/operator".count).replacing(":id", with: "\(UUID.random())"))
                var nobody = TestOperator(test)
                #expect(try await nobody.send(route.method, path, "{}").code == "log-in-needed", "\(route.name)")
                nobody.cookie = anna.refresh
                #expect(try await nobody.send(route.method, path, "{}").code == "log-in-needed", "\(route.name)")
                var fields = TestOperator.page
                fields["Authorization"] = "Bearer \(anna.token)"
                nobody.cookie = nil
                let token = try await nobody.send(route.method, path, fields: fields, "{}")
                #expect(token.code == "log-in-needed", "\(route.name)")
                guard !route.method.isSafe else { continue }
                var same = rosa
                for other: HTTPFields in [
                    ["Sec-Fetch-Site": "same-site", "TrackMe-Request": "page"], ["Sec-Fetch-Site": "same-origin"],
                ] {
                    let answer = try await same.send(route.method, path, fields: other, "{}")
                    #expect(answer.code == "cross-site-request", "\(route.name)")
                }
            }
            // Nothing of it is on the public port.
            #expect(try await test.send(.get, "/operator/session").status == 404)
        }
    }

    @Test("NFR-06: The command invites, lists and removes operators, each in the audit trail")
    func command() async throws {
        try await AccountsTest.with { test in
            let command = OperatorCommand(try test.capabilities.provisioning)
            #expect(try await command.run(["list"]) == "There are no operators with a log-in.")
            let said = try await command.run(["invite", "rosa.verdi"])
            #expect(said.contains("/accounts/#"))
            #expect(try await command.run(["list"]).hasPrefix("rosa.verdi, invited until "))
            for name in ["", "R", "Rosa", "1a", "rosa verdi", "ròsa", String(repeating: "a", count: 33)] {
                await #expect(throws: CommandMistake.self, "\(name)") { try await command.run(["invite", name]) }
            }
            #expect(try await command.run(["remove", "rosa.verdi"]) == "rosa.verdi has no log-in any more.")
            await #expect(throws: CommandMistake.self) { try await command.run(["remove", "rosa.verdi"]) }
            let noted = try await test.service.auditLines()
            #expect(noted.map(\.action) == [OperatorAccounts.invitation, OperatorAccounts.removal])
            #expect(noted.map(\.purpose) == ["rosa.verdi", "rosa.verdi"])
        }
    }

    @Test("NFR-06 ACC-17: The command finds accounts, which is audited, and tells what waits")
    func views() async throws {
        try await AccountsTest.with { test in
            let command = OperatorCommand(try test.capabilities.provisioning)
            let anna = try await test.individual()
            let person = TestPerson()
            for what in [person.email, "\(person.code)"] {
                let said = try await command.run(["find", what, "ticket 7"])
                #expect(said.hasPrefix("\(anna.account)  individual, registered at "))
                #expect(!said.contains(person.email))
            }
            #expect(try await command.run(["find", "nobody@example.org", "x"]) == "There is no such account.")
            await #expect(throws: CommandMistake.self) { try await command.run(["find", "nobody", "x"]) }
            await #expect(throws: CommandMistake.self) { try await command.run(["find", person.email, ""]) }
            let noted = try await test.service.auditLines().filter {
                $0.action == AccountSearch.action && $0.purpose == "ticket 7"
            }.count
            #expect(noted == 2)
            #expect(try await test.forget(person.email).status == 202)
            try await test.capabilities.resets.sendDue()
            let waiting = try await command.run(["queues"])
            #expect(waiting.hasPrefix("Mails that wait: 1."))
            #expect(!waiting.contains(person.email))
        }
    }
}

import HTTP
import JSON
import Postgres
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct SecondFactorTests {
    @Test("ACC-07a: Once it is set up, log-ins need a code, each once; other sessions end; the owner is told")
    func setUp() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let other = try LoggedIn(try await test.logIn("anna@example.org"))
            let app = try await test.beginFactor(anna)
            #expect(app.uri.hasPrefix("otpauth://totp/TrackMe:anna%40example.org?secret="))
            // It is not in force before the app has shown that it has the secret.
            #expect(try await test.logIn("anna@example.org").status == 200)
            let codes = try await test.activate(app, anna)
            #expect(Set(codes).count == FactorCodes.recoveryCount)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 200)
            #expect(try await test.send(.get, "/me", token: other.token).status == 401)

            #expect(try await test.logIn("anna@example.org").code == "second-factor-needed")
            #expect(try await test.logIn("anna@example.org", "wrong horse battery").code == "wrong-credentials")
            // The one that activated it was used by that.
            #expect(try await test.logIn(code: try app.code(at: test)).code == "wrong-code")
            test.clock.advance(by: .seconds(30))
            let code = try app.code(at: test)
            #expect(try await test.logIn(code: "\(code.prefix(3)) \(code.suffix(3))").status == 200)
            #expect(try await test.logIn(code: code).code == "wrong-code")
            let state = try await test.send(.get, "/me/second-factor", token: anna.token).json
            #expect(state["is_on"]?.flag == true)
            #expect(state["recovery_codes_left"]?.integer == Int64(FactorCodes.recoveryCount))
            try await test.deliver()
            #expect(
                test.settings.mailbox.messages.last?.subject == "L’accesso chiede ora anche un codice")
        }
    }

    @Test("ACC-07a: Of two log-ins with one code at the same time one gets in")
    func atOnce() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let app = try await test.beginFactor(anna)
            _ = try await test.activate(app, anna)
            test.clock.advance(by: .seconds(30))
            let code = try app.code(at: test)
            async let first = test.logIn(code: code)
            async let second = test.logIn(code: code)
            #expect(try await [first.status, second.status].sorted() == [200, 403])
        }
    }

    @Test(
        "ACC-08b: After ten wrong codes in an hour none is taken; the owner hears of the third, with the password right"
    )
    func guessing() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let app = try await test.beginFactor(anna)
            _ = try await test.activate(app, anna)
            test.clock.advance(by: .seconds(300))
            try await test.deliver()
            for number in 1...FactorTries.wrongMax {
                #expect(try await test.logIn(code: try app.wrongCode(at: test)).code == "wrong-code")
                let told = number >= FactorTries.told
                try await test.deliver()
                let isTold = test.settings.mailbox.messages.last?.subject == "Qualcuno conosce la tua password?"
                #expect(isTold == told, "\(number)")
            }
            let refused = try await test.logIn(code: try app.code(at: test))
            #expect(refused.code == "too-many-codes")
            #expect(refused.response.fields["Retry-After"] != nil)
            // Wrong codes are not wrong passwords: nothing slows the owner down afterwards.
            test.clock.advance(by: FactorTries.window)
            #expect(try await test.logIn(code: try app.code(at: test)).status == 200)
            #expect(try await test.logIn(code: try app.wrongCode(at: test)).code == "wrong-code")
        }
    }

    @Test(
        "ACC-08b: Who uses up somebody's wrong codes keeps nobody out once the password is changed")
    func forgiven() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let app = try await test.beginFactor(anna)
            _ = try await test.activate(app, anna)
            for _ in 0..<FactorTries.wrongMax { _ = try await test.logIn(code: try app.wrongCode(at: test)) }
            #expect(try await test.logIn(code: "000000").code == "too-many-codes")
            _ = try await test.forget("anna@example.org")
            #expect(try await test.complete(try await test.resetToken(), "another horse battery").status == 204)
            test.clock.advance(by: .seconds(30))
            #expect(try await test.logIn(code: try app.code(at: test), "another horse battery").status == 200)
        }
    }

    @Test(
        "ACC-07a: Codes for recovery are good once each, however they are typed, and can be made anew; a new password keeps them"
    )
    func recovery() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let app = try await test.beginFactor(anna)
            let codes = try await test.activate(app, anna)
            let typed = codes[0].uppercased().replacing("-", with: " ")
            #expect(try await test.logIn(code: typed).status == 200)
            #expect(try await test.logIn(code: codes[0]).code == "wrong-code")
            try await test.deliver()
            let mail = try #require(test.settings.mailbox.messages.last)
            #expect(mail.subject == "Un codice di recupero è stato usato")
            #expect(mail.body.contains("Te ne restano 9"))

            _ = try await test.forget("anna@example.org")
            #expect(try await test.complete(try await test.resetToken(), "another horse battery").status == 204)
            #expect(try await test.logIn("anna@example.org", "another horse battery").code == "second-factor-needed")
            let again = try LoggedIn(try await test.logIn(code: codes[1], "another horse battery"))

            let form = #"{"password":"another horse battery","code":"\#(codes[2])"}"#
            let renewed = try await test.send(.post, "/me/second-factor/recovery-codes", token: again.token, form)
            #expect(renewed.status == 200)
            #expect(renewed.response.fields["Cache-Control"] == "no-store")
            #expect(try await test.logIn(code: codes[3], "another horse battery").code == "wrong-code")
            let new = try #require(renewed.json["recovery_codes"]?.items.first?.text)
            #expect(try await test.logIn(code: new, "another horse battery").status == 200)
        }
    }

    @Test("ACC-07a: It is removed with password and code; setting it up needs the password, and what waits expires")
    func removal() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            func post(_ path: String, _ body: String) async throws -> AccountsTest.Answer {
                try await test.send(.post, "/me/second-factor\(path)", token: anna.token, body)
            }
            #expect(try await post("", #"{"password":"wrong horse battery"}"#).code == "wrong-password")
            #expect(try await post("/activation", #"{"code":"123456"}"#).code == "setup-expired")
            let off = #"{"password":"\#(AccountsTest.password)","code":"123456"}"#
            #expect(try await post("/removal", off).code == "second-factor-off")
            let late = try await test.beginFactor(anna)
            test.clock.advance(by: SecondFactor.setupLife)
            let again = try LoggedIn(try await test.logIn("anna@example.org"))
            let code = #"{"code":"\#(try late.code(at: test))"}"#
            let activated = try await test.send(.post, "/me/second-factor/activation", token: again.token, code)
            #expect(activated.code == "setup-expired")

            let app = try await test.beginFactor(again)
            #expect(try await test.activate(app, again).count == FactorCodes.recoveryCount)
            let begun = try await test.send(
                .post, "/me/second-factor", token: again.token, #"{"password":"\#(AccountsTest.password)"}"#)
            #expect(begun.code == "second-factor-on")
            test.clock.advance(by: .seconds(30))
            func remove(_ code: String) async throws -> AccountsTest.Answer {
                try await test.send(
                    .post, "/me/second-factor/removal", token: again.token,
                    #"{"password":"\#(AccountsTest.password)","code":"\#(code)"}"#)
            }
            #expect(try await remove(try app.wrongCode(at: test)).code == "wrong-code")
            #expect(try await remove(try app.code(at: test)).status == 204)
            #expect(try await test.logIn("anna@example.org").status == 200)
            #expect(
                try await test.database.queryOne("select count(*) from recovery_code", as: Int.self) == 0)
            try await test.deliver()
            #expect(test.settings.mailbox.messages.last?.subject == "L’accesso non chiede più un codice")
        }
    }

    @Test("ACC-05c: A code is not used up by a log-in that is refused because of new terms")
    func terms() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let app = try await test.beginFactor(anna)
            _ = try await test.activate(app, anna)
            try await test.database.execute("update terms_acceptance set version = '2000-01-01'")
            test.clock.advance(by: .seconds(30))
            let code = try app.code(at: test)
            #expect(try await test.logIn(code: code).code == "terms-not-accepted")
            let version = TestPerson().terms
            let accepted = """
                {"login":"anna@example.org","password":"\(AccountsTest.password)","code":"\(code)","terms_version":"\(version)"}
                """
            #expect(try await test.send(.post, "/sessions", accepted).status == 200)
        }
    }
}

/// What an authenticator app has.
struct TestApp {
    let key: TimeCodeKey
    let uri: String

    /// The code that it shows.
    func code(at test: AccountsTest) throws -> String {
        key.code(ofStep: TimeCodeKey.step(at: test.clock.now())).description
    }

    /// One that it shows neither now nor soon before or after.
    func wrongCode(at test: AccountsTest) throws -> String {
        let step = TimeCodeKey.step(at: test.clock.now())
        let right = (step - 3...step + 3).map { key.code(ofStep: $0).description }
        return try #require((0..<8).map { String(repeating: "\($0)", count: 6) }.first { !right.contains($0) })
    }
}

extension AccountsTest {
    func beginFactor(_ person: LoggedIn) async throws -> TestApp {
        let begun = try await send(
            .post, "/me/second-factor", token: person.token, #"{"password":"\#(Self.password)"}"#)
        #expect(begun.status == 201)
        #expect(begun.response.fields["Cache-Control"] == "no-store")
        let secret = try begun.text("secret")
        let stored = try await database.queryOne(
            "select account, secret from second_factor", as: UUID.self, [UInt8].self)
        let (account, sealed) = try #require(stored)
        let store = try capabilities.store
        let own = try await store.key(of: account)
        let key = try TimeCodeKey(try store.columns.openBytes(sealed, .secondFactor, row: account, with: own))
        #expect(key.text == secret)
        return TestApp(key: key, uri: try begun.text("uri"))
    }

    /// Returns the codes for recovery.
    func activate(_ app: TestApp, _ person: LoggedIn) async throws -> [String] {
        let answer = try await send(
            .post, "/me/second-factor/activation", token: person.token, #"{"code":"\#(try app.code(at: self))"}"#)
        #expect(answer.status == 200)
        return try (answer.json["recovery_codes"]?.items ?? []).map { try #require($0.text) }
    }

    func logIn(code: String, _ password: String = Self.password) async throws -> Answer {
        try await send(
            .post, "/sessions", #"{"login":"anna@example.org","password":"\#(password)","code":"\#(code)"}"#)
    }
}

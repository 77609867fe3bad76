import HTTP
import JSON
import Postgres
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct PasskeyTests {
    private static let password = "another horse battery"

    @Test(
        "ACC-07a: A passkey is added after the password and asked for at log-ins; other sessions end; the owner is told"
    )
    func adding() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let other = try LoggedIn(try await test.logIn("anna@example.org"))
            #expect(try await test.creationChallenge(anna, "wrong horse battery").code == "wrong-password")
            let options = try await test.creationChallenge(anna)
            #expect(options.status == 201)
            #expect(options.response.fields["Cache-Control"] == "no-store")
            #expect(try options.text("rp_id") == "127.0.0.1")
            #expect(try options.text("user_name") == "anna@example.org")
            let passkey = TestPasskey()
            let added = try await test.send(
                .post, "/me/passkeys", token: anna.token, passkey.form(try options.text("challenge")))
            #expect(added.status == 201)
            #expect(added.json["recovery_codes"]?.items.count == FactorCodes.recoveryCount)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 200)
            #expect(try await test.send(.get, "/me", token: other.token).status == 401)
            try await test.deliver()
            #expect(test.settings.mailbox.messages.last?.subject == "Il tuo account ha una nuova passkey")

            let needed = try await test.logIn("anna@example.org")
            #expect(needed.code == "second-factor-needed")
            #expect(needed.json["factors"]?.items == ["passkey"])
            #expect(needed.json["passkey"]?["rp_id"] == "127.0.0.1")
            #expect(needed.json["passkey"]?["credential_ids"]?.items == [.string(Base64.url.encode(passkey.id))])
            let challenge = try #require(needed.json["passkey"]?["challenge"]?.text)
            #expect(try await test.logIn(passkey: passkey.assertion(challenge)).status == 200)
            // Each challenge is good once.
            #expect(try await test.logIn(passkey: passkey.assertion(challenge)).code == "wrong-passkey")
            let list = try await test.send(.get, "/me/passkeys", token: anna.token).json["passkeys"]?.items
            #expect(list?.map { $0["name"] } == ["Chiave"])
            #expect(list?.first?["used_at"] != nil)
        }
    }

    @Test("ACC-07a: A passkey of RSA, as the TPM of a computer makes it, logs in; what another key has signed does not")
    func rsa() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            var passkey = TestPasskey(isRSA: true)
            let options = try await test.creationChallenge(anna)
            #expect(options.json["algorithms"]?.items == [.integer(-8), .integer(-7), .integer(-257)])
            let added = try await test.send(
                .post, "/me/passkeys", token: anna.token, passkey.form(try options.text("challenge")))
            #expect(added.status == 201)
            #expect(try await test.logIn(passkey: passkey.assertion(try await test.loginChallenge())).status == 200)
            let tampered = try passkey.assertion(try await test.loginChallenge(), tampered: true)
            #expect(try await test.logIn(passkey: tampered).code == "wrong-passkey")
            passkey.isRSA = false
            let other = try passkey.assertion(try await test.loginChallenge())
            #expect(try await test.logIn(passkey: other).code == "wrong-passkey")
        }
    }

    @Test(
        "ACC-07a: What was made for another page, site, purpose or account, with nobody there, or too late is no passkey"
    )
    func refusedPasskeys() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            func add(_ body: String) async throws -> String? {
                try await test.send(.post, "/me/passkeys", token: anna.token, body).code
            }
            func challenge() async throws -> String { try await test.creationChallenge(anna).text("challenge") }
            var (page, site, alone, framed) = (TestPasskey(), TestPasskey(), TestPasskey(), TestPasskey())
            page.origin = "http://127.0.0.1:8101"
            site.relyingParty = "example.org"
            alone.flags = 0x04
            framed.isCrossOrigin = true
            for passkey in [page, site, alone, framed] {
                #expect(try await add(passkey.form(try await challenge())) == "passkey-refused")
            }
            var long = TestPasskey()
            long.id = randomBytes(AuthenticatorData.credentialBytesMax + 1)
            #expect(try await add(long.form(try await challenge())) == "passkey-refused")
            #expect(try await add(TestPasskey().form(try await challenge(), type: "webauthn.get")) == "passkey-refused")
            let refused = try await challenge()
            #expect(try await add(site.form(refused)) == "passkey-refused")
            #expect(try await add(TestPasskey().form(refused)) == "challenge-expired")
            let late = try await challenge()
            test.clock.advance(by: PasskeyChallenges.life)
            #expect(try await add(TestPasskey().form(late)) == "challenge-expired")
            let bruno = try await test.individual(TestPerson(number: 1))
            let his = try await test.creationChallenge(bruno).text("challenge")
            #expect(try await add(TestPasskey().form(his)) == "challenge-expired")
            #expect(try await test.logIn("anna@example.org").status == 200)
        }
    }

    @Test("ACC-07a: At most ten passkeys belong to an account, and each is added once")
    func limits() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let first = TestPasskey()
            #expect(try await test.add(first, anna).status == 201)
            #expect(try await test.add(first, anna).code == "passkey-known")
            let spare = try await test.creationChallenge(anna).text("challenge")
            for _ in 1..<Passkeys.countMax {
                let added = try await test.add(TestPasskey(), anna)
                #expect(added.status == 201)
                #expect(added.json["recovery_codes"] == nil)
            }
            #expect(try await test.creationChallenge(anna).code == "too-many-passkeys")
            let more = try await test.send(.post, "/me/passkeys", token: anna.token, TestPasskey().form(spare))
            #expect(more.code == "too-many-passkeys")
        }
    }

    @Test(
        "ACC-07a: Log-ins refuse what another key, page or site has signed, for something else, changed, too late, or of somebody else"
    )
    func refusedLogins() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let bruno = try await test.individual(TestPerson(number: 1))
            let (passkey, his) = (TestPasskey(), TestPasskey())
            #expect(try await test.add(passkey, anna).status == 201)
            #expect(try await test.add(his, bruno).status == 201)
            func refuses(_ assertion: String) async throws {
                #expect(try await test.logIn(passkey: assertion).code == "wrong-passkey")
                // Ten in an hour are another test.
                try await test.database.execute("delete from factor_try")
            }
            var (page, site, alone, key) = (passkey, passkey, passkey, passkey)
            page.origin = "http://localhost:8100"
            site.relyingParty = "localhost"
            alone.flags = 0
            key.key = .random()
            for wrong in [page, site, alone, key, his] {
                try await refuses(wrong.assertion(try await test.loginChallenge()))
            }
            try await refuses(passkey.assertion(try await test.loginChallenge(), tampered: true))
            try await refuses(passkey.assertion(try await test.loginChallenge(), type: "webauthn.create"))
            try await refuses(passkey.assertion(try await test.creationChallenge(anna).text("challenge")))
            try await refuses(passkey.assertion(try await test.loginChallenge(TestPerson(number: 1).email)))
            let late = try await test.loginChallenge()
            test.clock.advance(by: PasskeyChallenges.life)
            try await refuses(passkey.assertion(late))
            try await refuses(#"{"credential_id":"*","client_data":"","authenticator_data":"AA","signature":"AA"}"#)
            #expect(try await test.logIn(passkey: passkey.assertion(try await test.loginChallenge())).status == 200)
        }
    }

    @Test(
        "ACC-08b: A passkey whose counter goes back is refused, and the owner hears of a copy; one that does not count is good"
    )
    func copied() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            var passkey = TestPasskey()
            passkey.signCount = 5
            #expect(try await test.add(passkey, anna).status == 201)
            #expect(try await test.logIn(passkey: passkey.assertion(try await test.loginChallenge())).status == 403)
            try await test.deliver()
            let subject = test.settings.mailbox.messages.last?.subject
            #expect(subject == "Qualcuno ha una copia della tua passkey?")
            passkey.signCount = 6
            #expect(try await test.logIn(passkey: passkey.assertion(try await test.loginChallenge())).status == 200)
            passkey.signCount = 0
            #expect(try await test.logIn(passkey: passkey.assertion(try await test.loginChallenge())).status == 403)
        }
    }

    @Test("ACC-08b: Wrong passkeys and wrong codes are counted together, and forgiven by a new password")
    func guessing() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let passkey = TestPasskey()
            #expect(try await test.add(passkey, anna).status == 201)
            let app = try await test.beginFactor(anna)
            _ = try await test.activate(app, anna)
            test.clock.advance(by: .seconds(300))
            #expect(try await test.logIn("anna@example.org").json["factors"]?.items == ["passkey", "code"])
            for number in 0..<FactorTries.wrongMax {
                let answer =
                    number.isMultiple(of: 2)
                    ? try await test.logIn(code: try app.wrongCode(at: test))
                    : try await test.logIn(passkey: TestPasskey().assertion(try await test.loginChallenge()))
                #expect(answer.status == 403)
            }
            #expect(try await test.logIn(code: try app.code(at: test)).code == "too-many-codes")
            let refused = try await test.logIn(passkey: passkey.assertion(try await test.loginChallenge()))
            #expect(refused.code == "too-many-codes")
            _ = try await test.forget("anna@example.org")
            #expect(try await test.complete(try await test.resetToken(), Self.password).status == 204)
            test.clock.advance(by: .seconds(30))
            #expect(try await test.logIn(code: try app.code(at: test), Self.password).status == 200)
        }
    }

    @Test(
        "ACC-07a: A passkey is removed with the password; recovery codes stand in for it, and go with the last factor")
    func removal() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let added = try await test.add(TestPasskey(), anna)
            let codes = try (added.json["recovery_codes"]?.items ?? []).map { try #require($0.text) }
            #expect(try await test.logIn(code: try #require(codes.first)).status == 200)
            // A secret that waits for its first code is no factor yet.
            let app = try await test.beginFactor(anna)
            #expect(try await test.logIn(code: try app.code(at: test)).code == "wrong-code")
            _ = try await test.activate(app, anna)
            let path = "/me/passkeys/\(try added.text("id"))/removal"
            func remove(_ password: String) async throws -> AccountsTest.Answer {
                try await test.send(.post, path, token: anna.token, #"{"password":"\#(password)"}"#)
            }
            #expect(try await remove("wrong horse battery").code == "wrong-password")
            #expect(try await remove(AccountsTest.password).status == 204)
            #expect(try await remove(AccountsTest.password).status == 404)
            try await test.deliver()
            #expect(test.settings.mailbox.messages.last?.subject == "Una passkey è stata tolta")
            let state = try await test.send(.get, "/me/second-factor", token: anna.token).json
            #expect(state["recovery_codes_left"]?.integer == Int64(FactorCodes.recoveryCount))
            #expect(state["passkeys"]?.integer == 0)
            test.clock.advance(by: .seconds(30))
            let off = #"{"password":"\#(AccountsTest.password)","code":"\#(try app.code(at: test))"}"#
            #expect(try await test.send(.post, "/me/second-factor/removal", token: anna.token, off).status == 204)
            let last = try await test.add(TestPasskey(), anna)
            let end = "/me/passkeys/\(try last.text("id"))/removal"
            let form = #"{"password":"\#(AccountsTest.password)"}"#
            #expect(try await test.send(.post, end, token: anna.token, form).status == 204)
            #expect(try await test.database.queryOne("select count(*) from recovery_code", as: Int.self) == 0)
            #expect(try await test.logIn("anna@example.org").status == 200)
        }
    }
}

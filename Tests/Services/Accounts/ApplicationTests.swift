import PostgresTesting
import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

/// Applications that deliver people's data: admitted by the operator, authorised by each person (OAuth 2.0).
@Suite struct ApplicationTests {
    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let redirectURI = "https://app.example/done?from=trackme"
    private static let issuer = "http://127.0.0.1:8100"

    private struct Application {
        let id: UUID
        let secret: String?

        /// The client's part of a form.
        var form: String { "client_id=\(id)" + (secret.map { "&client_secret=\($0)" } ?? "") }
    }

    private func applications(_ test: AccountsTest) throws -> SourceApplications {
        let store = try test.capabilities.store
        return SourceApplications(store: store, audit: AuditTrail(database: store.database))
    }

    private func admit(
        _ test: AccountsTest, name: String = "Fit", types: [DataType] = [.heartRate, .steps], isPublic: Bool = false
    ) async throws -> Application {
        let admitted = try await applications(test).admit(
            .init(
                name: name, dataTypes: types,
                redirectURIs: [
                    try #require(RedirectURI(Self.redirectURI)), try #require(RedirectURI("com.fit.app:/done")),
                ],
                isPublic: isPublic), by: "test")
        return Application(id: admitted.id, secret: admitted.secret)
    }

    private func query(
        _ application: Application, redirectURI: String = redirectURI, changing changes: [String: String?] = [:],
        more: String = ""
    ) -> String {
        var items: [String: String] = [
            "response_type": "code", "client_id": application.id.description, "redirect_uri": redirectURI,
            "code_challenge": Self.challenge, "code_challenge_method": "S256", "state": "a b&c",
        ]
        for (name, value) in changes { items[name] = value }
        return items.sorted { $0.key < $1.key }.map { "\($0.key)=\(PercentEncoding.encode($0.value))" }
            .joined(separator: "&") + more
    }

    private func ask(_ test: AccountsTest, _ query: String, _ who: LoggedIn) async throws -> AccountsTest.Answer {
        try await test.send(
            .post, "/authorizations/questions", token: who.token, "{\"query\":\"\(query)\"}")
    }

    private func allow(
        _ test: AccountsTest, _ query: String, _ who: LoggedIn, types: String = #""heart-rate""#
    ) async throws -> AccountsTest.Answer {
        try await test.send(
            .post, "/authorizations", token: who.token,
            "{\"query\":\"\(query)\",\"is_allowed\":true,\"data_types\":[\(types)]}")
    }

    /// The parameters that an answer's address carries beyond the registered one.
    private func told(_ answer: AccountsTest.Answer) throws -> [String: String] {
        let address = try answer.text("redirect_to")
        #expect(address.hasPrefix(Self.redirectURI + "&"))
        let items = try #require(QueryItems(String(address.dropFirst(Self.redirectURI.count + 1)))).items
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value) })
    }

    private func code(
        _ test: AccountsTest, _ application: Application, _ who: LoggedIn, types: String = #""heart-rate""#
    ) async throws -> String {
        try #require(try told(try await allow(test, query(application), who, types: types))["code"])
    }

    private func redeem(
        _ test: AccountsTest, _ code: String, _ application: Application, redirectURI: String = redirectURI,
        verifier: String = verifier
    ) async throws -> AccountsTest.Answer {
        try await test.sendForm(
            "/oauth/token",
            "grant_type=authorization_code&code=\(code)&code_verifier=\(verifier)"
                + "&redirect_uri=\(PercentEncoding.encode(redirectURI))&\(application.form)")
    }

    private func refresh(
        _ test: AccountsTest, _ token: String, _ application: Application
    ) async throws -> AccountsTest.Answer {
        try await test.sendForm("/oauth/token", "grant_type=refresh_token&refresh_token=\(token)&\(application.form)")
    }

    private func devices(_ test: AccountsTest, _ who: LoggedIn) async throws -> [JSONValue] {
        try await test.send(.get, "/devices", token: who.token).json["devices"]?.items ?? []
    }

    private func messages(_ test: AccountsTest, _ who: LoggedIn) async throws -> [String] {
        try await test.send(.get, "/inbox", token: who.token).json["messages"]?.items.compactMap {
            $0["template"]?.text
        }
            ?? []
    }

    @Test("ACC-14f: A person authorises an application: it is a device that uploads, changed and removed alike")
    func way() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let fit = try await admit(test)
            let start = try await test.end(of: Accounts.changesFeed)
            let revocations = try await test.end(of: Accounts.revocationsFeed, as: "query")
            let question = try await ask(test, query(fit), anna)
            #expect(question.status == 200 && question.json["name"]?.text == "Fit")
            #expect(question.json["answers_to"]?.text == "app.example")
            #expect(question.json["data_types"]?.items.map(\.text) == ["heart-rate", "steps"])
            #expect(question.json["is_authorised"] == .bool(false))
            let told = try told(try await allow(test, query(fit), anna))
            #expect(told["state"] == "a b&c" && told["iss"] == Self.issuer && told["error"] == nil)
            #expect(try await devices(test, anna).isEmpty)

            let granted = try await redeem(test, try #require(told["code"]), fit)
            #expect(granted.status == 200 && granted.json["scope"]?.text == "upload")
            #expect(granted.response.fields["Cache-Control"] == "no-store")
            let listed = try await devices(test, anna)
            #expect(listed.count == 1 && listed[0]["name"]?.text == "Fit")
            #expect(listed[0]["application_name"]?.text == "Fit")
            #expect(listed[0]["data_types"]?.items.map(\.text) == ["heart-rate"])
            #expect(listed[0]["offered_types"]?.items.map(\.text) == ["heart-rate", "steps"])
            let device = try #require(listed[0]["device_id"]?.text)
            let verifier = TokenVerifier(
                keys: try test.capabilities.keys.published, issuer: Authenticator.issuer,
                audience: Authenticator.audience)
            let claims = try verifier.verify(try granted.text("access_token"), at: test.clock.now())
            #expect(claims.kind == .device && claims.subject == anna.account && claims.clientIdentifier == device)
            #expect(try await test.send(.get, "/me", token: try granted.text("access_token")).status == 403)
            let events = try await test.events(of: Accounts.changesFeed, after: start).filter { $0.kind == "device" }
            #expect(try events.map { try $0.decode(Accounts.DeviceChange.self).dataTypes } == [[.heartRate]])
            #expect(try await messages(test, anna).contains("application-authorised"))

            let next = try await refresh(test, try granted.text("refresh_token"), fit)
            #expect(next.status == 200)
            #expect(try next.text("refresh_token") != granted.text("refresh_token"))
            let change = #"{"name":"My app","data_types":["steps"]}"#
            #expect(try await test.send(.patch, "/devices/\(device)", token: anna.token, change).status == 200)
            #expect(try await test.send(.delete, "/devices/\(device)", token: anna.token).status == 204)
            #expect(try await test.revoked(after: revocations).map(\.id.description) == [device])
            let refused = try await refresh(test, try next.text("refresh_token"), fit)
            #expect(refused.status == 400 && refused.json["error"]?.text == "invalid_grant")
        }
    }

    @Test("ACC-14f: A code is good for its application, address and verifier alone, and for a minute")
    func codes() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let (fit, other) = (try await admit(test), try await admit(test, name: "Other"))
            let code = try await code(test, fit, anna)
            func error(_ answer: AccountsTest.Answer) -> String? { answer.json["error"]?.text }
            #expect(error(try await redeem(test, code, other)) == "invalid_grant")
            #expect(error(try await redeem(test, code, fit, redirectURI: "com.fit.app:/done")) == "invalid_grant")
            let wrong = String(Self.verifier.dropLast()) + "l"
            #expect(error(try await redeem(test, code, fit, verifier: wrong)) == "invalid_grant")
            #expect(error(try await redeem(test, code, fit, verifier: "short")) == "invalid_grant")
            #expect(error(try await redeem(test, OneTimeToken.random().text, fit)) == "invalid_grant")
            let unproven = Application(id: fit.id, secret: nil)
            #expect(error(try await redeem(test, code, unproven)) == "invalid_client")
            let guessing = Application(id: fit.id, secret: other.secret)
            #expect(try await redeem(test, code, guessing).status == 401)
            try await test.database.execute(
                "update authorization_code set created_at = created_at - interval '61 seconds'")
            #expect(error(try await redeem(test, code, fit)) == "invalid_grant")
            try await test.database.execute(
                "update authorization_code set created_at = created_at + interval '61 seconds'")
            #expect(try await redeem(test, code, fit).status == 200)
            #expect(error(try await test.sendForm("/oauth/token", "grant_type=password")) == "unsupported_grant_type")
        }
    }

    @Test(
        "ACC-14f: A code used twice ends what it began, and the person is told; without the verifier it changes nothing"
    )
    func replay() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let fit = try await admit(test)
            let code = try await code(test, fit, anna)
            let granted = try await redeem(test, code, fit)
            let wrong = String(Self.verifier.dropLast()) + "l"
            #expect(try await redeem(test, code, fit, verifier: wrong).status == 400)
            #expect(try await devices(test, anna).count == 1)
            #expect(try await redeem(test, code, fit).json["error"]?.text == "invalid_grant")
            #expect(try await devices(test, anna).isEmpty)
            #expect(try await messages(test, anna).contains("application-disconnected"))
            #expect(try await refresh(test, try granted.text("refresh_token"), fit).status == 400)
            // Once is enough, and tells nobody twice.
            let count = try await messages(test, anna).count
            #expect(try await redeem(test, code, fit).status == 400)
            #expect(try await messages(test, anna).count == count)
        }
    }

    @Test("ACC-14f: A refresh token used twice ends the authorisation, unless the answer may have been lost")
    func reuse() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let (fit, other) = (try await admit(test), try await admit(test, name: "Other"))
            let first = try await redeem(test, try await code(test, fit, anna), fit).text("refresh_token")
            #expect(try await refresh(test, first, other).status == 400)
            let second = try await refresh(test, first, fit).text("refresh_token")
            #expect(try await refresh(test, first, fit).text("refresh_token") == second)
            _ = try await refresh(test, second, fit).text("refresh_token")
            #expect(try await refresh(test, first, fit).json["error"]?.text == "invalid_grant")
            #expect(try await devices(test, anna).isEmpty)
            #expect(try await messages(test, anna).contains("application-disconnected"))
        }
    }

    @Test("ACC-14f: An application that has not come for half a year has to be authorised anew")
    func idle() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let fit = try await admit(test)
            let token = try await redeem(test, try await code(test, fit, anna), fit).text("refresh_token")
            test.clock.advance(by: ApplicationTokens.idleLife + .seconds(1))
            #expect(try await refresh(test, token, fit).status == 400)
            let count = try await test.database.queryOne("select count(*) from device", as: Int.self)
            #expect(count == 1)
        }
    }

    @Test(
        "ACC-14f: Authorised again, an application goes on in its place: name and preferences stay, the old tokens end")
    func again() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let fit = try await admit(test)
            let old = try await redeem(test, try await code(test, fit, anna), fit)
            let before = try #require(try await devices(test, anna)[0]["device_id"]?.text)
            _ = try await test.send(.patch, "/devices/\(before)", token: anna.token, #"{"name":"Mine"}"#)
            let preferences =
                "{\"preferences\":[{\"data_type\":\"heart-rate\",\"sources\":[\"\(before)\",\"manual\"]}]}"
            #expect(try await test.send(.put, "/me/sources", token: anna.token, preferences).status == 200)
            #expect(try await ask(test, query(fit), anna).json["is_authorised"] == .bool(true))
            let new = try await redeem(
                test, try await code(test, fit, anna, types: #""heart-rate","steps""#), fit)
            #expect(new.status == 200)
            let listed = try await devices(test, anna)
            let after = try #require(listed[0]["device_id"]?.text)
            #expect(listed.count == 1 && listed[0]["name"]?.text == "Mine" && after != before)
            #expect(listed[0]["data_types"]?.items.map(\.text) == ["heart-rate", "steps"])
            let own = try await test.send(.get, "/me/sources", token: anna.token).json["preferences"]?.items
            #expect(own?[0]["sources"]?.items.map(\.text) == [after, "manual"])
            #expect(try await refresh(test, try old.text("refresh_token"), fit).status == 400)
            #expect(try await devices(test, anna).count == 1)
            #expect(try await refresh(test, try new.text("refresh_token"), fit).status == 200)
        }
    }

    @Test("ACC-14f: An application that can keep no secret has its verifier alone")
    func publicApplication() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let app = try await admit(test, isPublic: true)
            #expect(app.secret == nil)
            let code = try await code(test, app, anna)
            let pretending = Application(id: app.id, secret: OneTimeToken.random().text)
            #expect(try await redeem(test, code, pretending).status == 401)
            let granted = try await redeem(test, code, app)
            #expect(granted.status == 200)
            #expect(try await refresh(test, try granted.text("refresh_token"), app).status == 200)
            let credentials = try await test.sendForm("/oauth/token", "grant_type=client_credentials&\(app.form)")
            #expect(credentials.status == 401)
        }
    }

    @Test("ACC-14f: A refusal, and what an application asks wrongly, is told to it at its registered address alone")
    func faults() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let fit = try await admit(test)
            let refusal = try await test.send(
                .post, "/authorizations", token: anna.token, "{\"query\":\"\(query(fit))\",\"is_allowed\":false}")
            #expect(try told(refusal)["error"] == "access_denied" && told(refusal)["state"] == "a b&c")
            let wrong: [(String, String)] = [
                (query(fit, changing: ["response_type": "token"]), "unsupported_response_type"),
                (query(fit, changing: ["response_type": nil]), "invalid_request"),
                (query(fit, changing: ["code_challenge": nil]), "invalid_request"),
                (query(fit, changing: ["code_challenge": "short"]), "invalid_request"),
                (query(fit, changing: ["code_challenge_method": "plain"]), "invalid_request"),
                (query(fit, changing: ["code_challenge_method": nil]), "invalid_request"),
                (query(fit, changing: ["scope": "requests"]), "invalid_scope"),
                (query(fit, changing: ["request": "eyJ"]), "request_not_supported"),
                (query(fit, changing: ["response_mode": "fragment"]), "invalid_request"),
                (query(fit, changing: ["state": String(repeating: "x", count: 1001)]), "invalid_request"),
                (query(fit, more: "&response_type=code"), "invalid_request"),
                (query(fit, more: "&state=other"), "invalid_request"),
            ]
            for (query, error) in wrong {
                let asked = try await ask(test, query, anna)
                #expect(try told(asked)["error"] == error && told(asked)["iss"] == Self.issuer, "\(query)")
                #expect(asked.json["name"] == nil)
                #expect(try told(try await allow(test, query, anna))["error"] == error, "\(query)")
            }
            let silent: [(String, UInt16, String)] = [
                (query(fit, redirectURI: "https://app.example/done"), 403, "wrong-redirect-uri"),
                (query(fit, redirectURI: Self.redirectURI + "&x=1"), 403, "wrong-redirect-uri"),
                (query(fit, redirectURI: "https://APP.example/done?from=trackme"), 403, "wrong-redirect-uri"),
                (query(fit, more: "&redirect_uri=https%3A%2F%2Fevil.example"), 403, "wrong-redirect-uri"),
                (query(fit, changing: ["redirect_uri": nil]), 403, "wrong-redirect-uri"),
                (query(Application(id: .random(), secret: nil)), 404, "unknown-application"),
                (query(fit, more: "&client_id=\(fit.id)"), 404, "unknown-application"),
                ("client_id=%zz", 422, "broken-link"),
                (String(repeating: "a", count: 4001), 422, "broken-link"),
            ]
            for (query, status, code) in silent {
                let answers = [try await ask(test, query, anna), try await allow(test, query, anna)]
                #expect(answers.allSatisfy { $0.status == status && $0.json["redirect_to"] == nil }, "\(query)")
                #expect(answers.allSatisfy { $0.code == code || $0.json["errors"]?.items.first?["code"]?.text == code })
            }
            for types in ["", #""sleep""#, #""steps","steps""#] {
                #expect(try await allow(test, query(fit), anna, types: types).status == 422)
            }
            let company = try await test.company()
            #expect(try await ask(test, query(fit), company).status == 403)
            let open = try await test.database.queryOne("select count(*) from authorization_code", as: Int.self)
            #expect(open == 0)
        }
    }

    @Test(
        "ACC-14f: The operator withdraws an application: no codes, no tokens; it leaves people's devices, and they are told why"
    )
    func withdrawal() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let fit = try await admit(test)
            let token = try await redeem(test, try await code(test, fit, anna), fit).text("refresh_token")
            let code = try await code(test, fit, anna)
            try await applications(test).withdraw(fit.id, reason: "It sold data", by: "test")
            #expect(try await ask(test, query(fit), anna).status == 404)
            #expect(try await allow(test, query(fit), anna).status == 404)
            #expect(try await redeem(test, code, fit).json["error"]?.text == "unauthorized_client")
            #expect(try await refresh(test, token, fit).json["error"]?.text == "unauthorized_client")
            let revocations = try await test.end(of: Accounts.revocationsFeed, as: "query")
            let withdrawals = ApplicationWithdrawals(store: try test.capabilities.store)
            try await withdrawals.removeDue()
            try await withdrawals.removeDue()
            #expect(try await devices(test, anna).isEmpty)
            #expect(try await test.revoked(after: revocations).count == 1)
            let inbox = try await test.send(.get, "/inbox", token: anna.token).json["messages"]?.items
            #expect(inbox?.count { $0["text"]?.text?.contains("It sold data") == true } == 1)
            await #expect(throws: Refusal.self) {
                try await applications(test).withdraw(fit.id, reason: "again", by: "test")
            }
            // Its name is free again.
            _ = try await admit(test)
        }
    }

    @Test(
        "ACC-14f NFR-06: The command admits, lists, gives another secret and withdraws; each act is in the audit trail")
    func command() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let store = try test.capabilities.store
            let command = SourcesCommand(store: store)
            #expect(try await command.run(["list"]) == "No application is admitted.")
            let said = try await command.run(["admit", "Fit", "heart-rate,steps", Self.redirectURI])
            let words = said.split { $0.isWhitespace }.map(String.init)
            let id = try #require(UUID(words[1]))
            #expect(words[2] == "client_secret")
            let fit = Application(id: id, secret: words[3])
            let code = try await code(test, fit, anna)
            let secret = try #require(try await command.run(["secret", id.description]).split(separator: " ").last)
            #expect(try await redeem(test, code, fit).status == 401)
            #expect(try await redeem(test, code, Application(id: id, secret: String(secret))).status == 200)
            #expect(try await command.run(["list"]).contains("Fit, with a secret, admitted, people: 1"))
            _ = try await command.run(["withdraw", id.description, "test"])
            #expect(try await command.run(["list"]).contains("withdrawn"))
            #expect(!(try await command.run(["admit", "App", "sleep", "com.app.x:/d", "public"])).contains("secret"))
            for wrong in [
                [], ["admit", "Fit", "heart-rate"], ["admit", "Fit", "pulse", Self.redirectURI],
                ["admit", "Fit", "sleep", "javascript:alert(1)"], ["admit", "app", "sleep", Self.redirectURI],
                ["admit", "Two", "sleep,sleep", Self.redirectURI], ["secret", id.description], ["withdraw", "x", "y"],
            ] {
                await #expect(throws: CommandMistake.self, "\(wrong)") { try await command.run(wrong) }
            }
            let actions = try await test.service.auditLines().map(\.action)
            #expect(
                actions.filter { $0.contains("source") } == [
                    SourceApplications.admission, SourceApplications.replacement, SourceApplications.withdrawal,
                    SourceApplications.admission,
                ])
        }
    }

    @Test("ACC-14f: Codes that are open are few, and go when they are old")
    func openCodes() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let fit = try await admit(test)
            let first = try await code(test, fit, anna)
            for _ in 0..<Authorizations.codesMax { _ = try await code(test, fit, anna) }
            let open = try await test.database.queryOne("select count(*) from authorization_code", as: Int.self)
            #expect(open == Authorizations.codesMax)
            #expect(try await redeem(test, first, fit).status == 400)
            try await test.database.execute("update authorization_code set created_at = created_at - interval '1 hour'")
            try await Upkeep(store: try test.capabilities.store).run()
            #expect(try await test.database.queryOne("select count(*) from authorization_code", as: Int.self) == 0)
        }
    }

    @Test("ACC-14f: Who has as many devices as one can have is told so, before the application is")
    func tooMany() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let fit = try await admit(test)
            let code = try await code(test, fit, anna)
            try await test.database.execute(
                """
                insert into device (id, account, name, offered_types, data_types, created_at)
                select gen_random_uuid(), \(anna.account), '', '{1}', '{1}', \(test.clock.now())
                from generate_series(1, \(Int64(Devices.devicesMax)))
                """)
            let refused = try await allow(test, query(fit), anna)
            #expect(refused.status == 409 && refused.code == "too-many-devices")
            #expect(try await redeem(test, code, fit).json["error"]?.text == "invalid_grant")
        }
    }

    @Test(
        "ACC-14f: Redirect addresses are https, this machine's, or an app's own scheme; never what a browser would run")
    func redirectURIs() {
        for good in [
            "https://app.example/done", "https://app.example:8443/?a=b", "http://127.0.0.1:5000/cb",
            "http://localhost/cb",
            "http://[::1]:80/cb", "com.example.app:/done", "com.example.app://done/x",
        ] {
            #expect(RedirectURI(good) != nil, "\(good)")
        }
        for bad in [
            "", "https://app.example/#x", "http://app.example/cb", "https://user@app.example/", "https://",
            "//app.example",
            "javascript:alert(1)", "data:text/html,x", "file:///etc", "myapp:/done", "com.example.app:done",
            "Com.example:/x", "https://app.example/a b", "https://app.example/\u{e9}", "https://app.example\\@evil/",
            "https://" + String(repeating: "a", count: 500), "https:/app.example", "blob:https://app.example/x",
            "com.example.app://user@host/",
        ] {
            #expect(RedirectURI(bad) == nil, "\(bad)")
        }
    }

    @Test("ACC-14f NFR-09: Programs find the endpoints, and what they may use, at the well-known address")
    func metadata() async throws {
        try await AccountsTest.with { test in
            let response = try await test.service.call(.get, "/.well-known/oauth-authorization-server")
            let document = try JSONDecoder().decode(JSONValue.self, from: try await response.collectedBody())
            #expect(document["issuer"]?.text == Self.issuer)
            #expect(document["authorization_endpoint"]?.text == "\(Self.issuer)/authorize")
            #expect(document["token_endpoint"]?.text == "\(Self.issuer)/accounts/v1/oauth/token")
            #expect(document["jwks_uri"]?.text == "\(Self.issuer)/accounts/v1/.well-known/jwks.json")
            #expect(document["code_challenge_methods_supported"]?.items.map(\.text) == ["S256"])
            #expect(document["authorization_response_iss_parameter_supported"] == .bool(true))
        }
    }
}

import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct BrowserSessionTests {
    private static let cleared = [
        "__Host-trackme-access=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict",
        "__Secure-trackme-refresh=; Path=/accounts/v1/browser-session; Max-Age=0; Secure; HttpOnly; SameSite=Strict",
    ]

    private func set(_ access: String, _ refresh: String) -> [String] {
        [
            "__Host-trackme-access=\(access); Path=/; Max-Age=900; Secure; HttpOnly; SameSite=Strict",
            "__Secure-trackme-refresh=\(refresh); Path=/accounts/v1/browser-session; Max-Age=2592000; Secure; HttpOnly; "
                + "SameSite=Strict",
        ]
    }

    private func sessions(_ test: AccountsTest) async throws -> Int? {
        try await test.database.queryOne("select count(*) from session", as: Int.self)
    }

    @Test("ACC-16: A browser's tokens are in cookies that scripts cannot read, and nowhere else")
    func logIn() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            var browser = TestBrowser(test)
            let answer = try await browser.logIn()
            #expect(answer.status == 200 && answer.response.fields["Cache-Control"] == "no-store")
            let (access, refresh) = (try #require(browser.access), try #require(browser.refresh))
            #expect(answer.cookies == set(access, refresh))
            #expect(answer.json["expires_in"]?.integer == 900)
            #expect(answer.json["account"]?["id"]?.text == anna.account.description)
            #expect(answer.json["account"]?["kind"]?.text == "individual")
            let body = String(decoding: try await answer.response.collectedBody(), as: UTF8.self)
            #expect(!body.contains(access) && !body.contains(refresh) && !body.contains("token"))
            #expect(try await browser.send(.get, "/me").json["email"]?.text == "anna@example.org")
            let list = try await browser.send(.get, "/sessions").json["sessions"]?.items
            let current = list?.first { $0["is_current"]?.flag == true }
            #expect(current?["id"]?.text == (try answer.text("session_id")))
        }
    }

    @Test("ACC-16: The refresh token goes to the routes that need it, and to no other")
    func path() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            var browser = TestBrowser(test)
            _ = try await browser.logIn()
            let (access, refresh) = (BrowserSession.access.name, BrowserSession.refresh.name)
            for path in ["/browser-session", "/browser-session/refresh"] {
                #expect(browser.names(for: path) == [access, refresh])
            }
            for path in ["/me", "/sessions", "/sessions/refresh", "/browser-sessions"] {
                #expect(browser.names(for: path) == [access])
            }
        }
    }

    @Test("ACC-07 ACC-16: A browser's log-in is refused as any other is, and sets no cookie")
    func refusedLogIn() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            _ = try await test.register(TestPerson(number: 1))
            var browser = TestBrowser(test)
            for (login, password) in [
                ("anna@example.org", "wrong password"), ("nobody@example.org", AccountsTest.password),
                ("person1@example.org", AccountsTest.password),
            ] {
                let answer = try await browser.logIn(login, password)
                #expect(answer.told == (try await test.logIn(login, password)).told, "\(login)")
                #expect(answer.status >= 400 && answer.cookies.isEmpty, "\(login)")
            }
            #expect(try await browser.send(.post, "/browser-session", #"{"login":7}"#).code == "invalid-request")
        }
    }

    @Test(
        "ACC-16 NFR-05: No other page logs a browser in, refreshes its session or logs it out",
        arguments: [
            HTTPFields(), ["Sec-Fetch-Site": "same-origin"],
            ["TrackMe-Request": "page", "Sec-Fetch-Site": "cross-site"],
            ["TrackMe-Request": "page", "Sec-Fetch-Site": "same-site"],
        ])
    func otherPages(_ fields: HTTPFields) async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            var browser = TestBrowser(test)
            _ = try await browser.logIn()
            let (access, refresh, before) = (browser.access, browser.refresh, try await sessions(test))
            let form = #"{"login":"anna@example.org","password":"\#(AccountsTest.password)"}"#
            for (method, path, body) in [
                (HTTPMethod.post, "/browser-session", form), (.post, "/browser-session/refresh", ""),
                (.delete, "/browser-session", ""), (.delete, "/sessions", ""), (.post, "/devices", #"{"code":"1"}"#),
            ] {
                let answer = try await browser.send(method, path, fields: fields, body)
                #expect(answer.status == 403 && answer.code == "cross-site-request", "\(method) \(path)")
                #expect(answer.cookies.isEmpty)
            }
            #expect(browser.access == access && browser.refresh == refresh)
            #expect(try await sessions(test) == before)
            #expect(try await browser.send(.post, "/browser-session/refresh").status == 200)
        }
    }

    @Test("ACC-16b: A refresh gives both cookies anew, in the same session")
    func refresh() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            var browser = TestBrowser(test)
            let session = try await browser.logIn().text("session_id")
            let first = browser
            test.clock.advance(by: TokenIssuer.life + .seconds(10))
            #expect(try await browser.send(.get, "/me").status == 401)
            browser.forget(BrowserSession.access)
            let answer = try await browser.send(.post, "/browser-session/refresh")
            #expect(try answer.status == 200 && answer.text("session_id") == session)
            let (access, refresh) = (try #require(browser.access), try #require(browser.refresh))
            #expect(answer.cookies == set(access, refresh))
            #expect(access != first.access && refresh != first.refresh)
            #expect(try await browser.send(.get, "/me").status == 200)
        }
    }

    @Test("ACC-16b: Tabs that refresh with the same cookie get the same new one, and all go on")
    func tabs() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            var first = TestBrowser(test)
            let session = try await first.logIn().text("session_id")
            var (second, third) = (first, first)
            let start = try await test.end(of: Accounts.revocationsFeed, as: "query")
            #expect(try await first.send(.post, "/browser-session/refresh").status == 200)
            let late = try await second.send(.post, "/browser-session/refresh")
            #expect(try late.status == 200 && late.text("session_id") == session)
            #expect(try await third.send(.post, "/browser-session/refresh").status == 200)
            #expect(second.refresh == first.refresh && third.refresh == first.refresh)
            for var tab in [first, second, third] { #expect(try await tab.send(.get, "/me").status == 200) }
            // Whose answer came last is what all have; it is good for the next time.
            let kept = third.refresh
            #expect(try await third.send(.post, "/browser-session/refresh").status == 200)
            #expect(third.refresh != kept)
            #expect(try await third.send(.get, "/me").status == 200)
            #expect(try await test.revoked(after: start).isEmpty)
        }
    }

    @Test("ACC-16b: A refresh token that cannot be used is 401, and the browser forgets both cookies")
    func refusedRefresh() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            var ended = TestBrowser(test)
            let session = try await ended.logIn().text("session_id")
            #expect(try await ended.send(.delete, "/sessions/\(session)").status == 204)
            var old = TestBrowser(test)
            _ = try await old.logIn()
            var thief = old
            #expect(try await old.send(.post, "/browser-session/refresh").status == 200)
            try await test.database.execute("update refresh_token set replaced_at = replaced_at - interval '31 s'")
            var odd = TestBrowser(test)
            odd.keep(BrowserSession.refresh, "nonsense")
            for var browser in [TestBrowser(test), odd, ended, thief] {
                let answer = try await browser.send(.post, "/browser-session/refresh")
                #expect(answer.status == 401 && answer.code == "invalid-refresh-token")
                #expect(answer.response.contentType == .problem && answer.cookies == Self.cleared)
                #expect(browser.names(for: "/browser-session").isEmpty)
            }
            // The second use ended the session for both.
            #expect(try await old.send(.get, "/me").status == 401)
            #expect(try await thief.send(.get, "/me").status == 401)
        }
    }

    @Test("ACC-16c: Log-out ends the session everywhere and clears the cookies; others go on")
    func logOut() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            var browser = TestBrowser(test)
            let session = try await browser.logIn().text("session_id")
            var tab = browser
            let start = try await test.end(of: Accounts.revocationsFeed, as: "query")
            let answer = try await browser.send(.delete, "/browser-session")
            #expect(answer.status == 204 && answer.cookies == Self.cleared)
            #expect(try await test.revoked(after: start).map(\.id.description) == [session])
            #expect(try await tab.send(.get, "/me").status == 401)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 200)
            // The other tab logs out, too, and the first one again.
            #expect(try await tab.send(.delete, "/browser-session").cookies == Self.cleared)
            #expect(try await browser.send(.delete, "/browser-session").cookies == Self.cleared)
            #expect(try await test.revoked(after: start).count == 1)
        }
    }

    @Test(
        "ACC-16c: Log-out works with either cookie, with a used refresh token, and with cookies that are worth nothing")
    func logOutWithLess() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            let before = try await sessions(test)
            var browser = TestBrowser(test)
            _ = try await browser.logIn()
            browser.forget(BrowserSession.access)
            #expect(try await browser.send(.delete, "/browser-session").status == 204)
            #expect(try await sessions(test) == before)
            _ = try await browser.logIn()
            browser.forget(BrowserSession.refresh)
            #expect(try await browser.send(.delete, "/browser-session").status == 204)
            #expect(try await sessions(test) == before)
            _ = try await browser.logIn()
            var late = browser
            _ = try await browser.send(.post, "/browser-session/refresh")
            late.forget(BrowserSession.access)
            #expect(try await late.send(.delete, "/browser-session").status == 204)
            #expect(try await sessions(test) == before)
            _ = try await browser.logIn()
            let (access, count) = (try #require(browser.access), try await sessions(test))
            test.clock.advance(by: TokenIssuer.life + .seconds(10))
            for value in [access, "nonsense"] {
                var stale = TestBrowser(test)
                stale.keep(BrowserSession.access, value)
                stale.keep(BrowserSession.refresh, "nonsense")
                let answer = try await stale.send(.delete, "/browser-session")
                #expect(answer.status == 204 && answer.cookies == Self.cleared)
            }
            // An expired token opens nothing, so it ends nothing.
            #expect(try await sessions(test) == count)
        }
    }

    @Test("ACC-16c: A log-in ends the session that the browser had, whoever's it is; one that is refused does not")
    func inPlaceOfAnother() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            _ = try await test.individual(TestPerson(number: 1))
            var browser = TestBrowser(test)
            let session = try await browser.logIn().text("session_id")
            var tab = browser
            let start = try await test.end(of: Accounts.revocationsFeed, as: "query")
            #expect(try await browser.logIn("person1@example.org", "wrong password").status == 401)
            #expect(try await browser.send(.get, "/me").json["email"]?.text == "anna@example.org")
            #expect(try await browser.logIn("person1@example.org").status == 200)
            #expect(try await test.revoked(after: start).map(\.id.description) == [session])
            #expect(try await tab.send(.get, "/me").status == 401)
            #expect(try await browser.send(.get, "/me").json["email"]?.text == "person1@example.org")
        }
    }

    @Test("ACC-16: Whom Authorization names is who asks, whatever the cookie says, and needs no page")
    func bearerBeside() async throws {
        try await AccountsTest.with { test in
            let other = try await test.individual(TestPerson(number: 1))
            _ = try await test.individual()
            var browser = TestBrowser(test)
            _ = try await browser.logIn()
            let fields: HTTPFields = ["Authorization": "Bearer \(other.token)"]
            #expect(try await browser.send(.get, "/me", fields: fields).json["email"]?.text == "person1@example.org")
            #expect(try await browser.send(.delete, "/sessions/\(other.session)", fields: fields).status == 204)
            // It has ended now, and the cookie does not step in.
            #expect(try await browser.send(.get, "/me", fields: fields).status == 401)
            #expect(try await browser.send(.get, "/me").json["email"]?.text == "anna@example.org")
        }
    }

    @Test("ACC-16c: Logging out everywhere ends all own sessions, this one too, and nobody else's")
    func everywhere() async throws {
        try await AccountsTest.with { test in
            let stranger = try await test.individual(TestPerson(number: 1))
            let anna = try await test.individual()
            var browser = TestBrowser(test)
            let session = try await browser.logIn().text("session_id")
            let start = try await test.end(of: Accounts.revocationsFeed, as: "query")
            #expect(try await browser.send(.delete, "/sessions").status == 204)
            #expect(
                Set(try await test.revoked(after: start).map(\.id.description))
                    == [anna.session.description, session])
            #expect(try await browser.send(.get, "/me").status == 401)
            #expect(try await browser.send(.post, "/browser-session/refresh").cookies == Self.cleared)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 401)
            let old = try await test.send(.post, "/sessions/refresh", "{\"refresh_token\":\"\(anna.refresh)\"}")
            #expect(old.code == "invalid-refresh-token")
            #expect(try await test.send(.get, "/me", token: stranger.token).status == 200)
            #expect(try await test.send(.delete, "/sessions", token: stranger.token).status == 204)
            #expect(try await sessions(test) == 0)
        }
    }
}

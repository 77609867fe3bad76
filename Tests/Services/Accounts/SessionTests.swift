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
import Service
import Testing

@testable import Accounts

@Suite struct SessionTests {
    private func refresh(_ test: AccountsTest, _ token: String) async throws -> AccountsTest.Answer {
        try await test.send(.post, "/sessions/refresh", "{\"refresh_token\":\"\(token)\"}")
    }

    @Test("ACC-16ab: An access token lives 15 minutes; a refresh token gives a new pair and is good once")
    func rotation() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            test.clock.advance(by: .seconds(15 * 60 - 1))
            #expect(try await test.send(.get, "/me", token: anna.token).status == 200)
            test.clock.advance(by: .seconds(7))
            #expect(try await test.send(.get, "/me", token: anna.token).status == 401)
            let next = try LoggedIn(try await refresh(test, anna.refresh))
            #expect(next.session == anna.session && next.refresh != anna.refresh)
            #expect(try await test.send(.get, "/me", token: next.token).status == 200)
        }
    }

    @Test("ACC-16b: A refresh token that is used twice ends the session everywhere, and the owner is told")
    func reuse() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let start = try await test.end(of: Accounts.revocationsFeed, as: "query")
            let next = try LoggedIn(try await refresh(test, anna.refresh))
            try await passLostAnswerTime(test)
            let stolen = try await refresh(test, anna.refresh)
            #expect(stolen.status == 401 && stolen.code == "invalid-refresh-token")
            #expect(try await refresh(test, next.refresh).status == 401)
            #expect(try await test.send(.get, "/me", token: next.token).status == 401)
            #expect(try await test.revoked(after: start).map(\.id) == [anna.session])
            try await test.deliver()
            #expect(test.settings.mailbox.messages.last?.subject == "Una sessione è stata chiusa per sicurezza")
        }
    }

    /// As if so much time had gone by on the database's clock.
    private func passLostAnswerTime(_ test: AccountsTest) async throws {
        try await test.database.execute("update refresh_token set replaced_at = replaced_at - interval '31 s'")
    }

    @Test("ACC-16b: A client whose answer was lost gets the same pair again, for half a minute")
    func lostAnswer() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let start = try await test.end(of: Accounts.revocationsFeed, as: "query")
            // Nobody has read the first answer; the clock of the service does not matter.
            let lost = try LoggedIn(try await refresh(test, anna.refresh))
            test.clock.advance(by: .seconds(3600))
            let again = try LoggedIn(try await refresh(test, anna.refresh))
            #expect(again.session == anna.session && again.refresh == lost.refresh)
            #expect(try await test.send(.get, "/me", token: again.token).status == 200)
            let next = try LoggedIn(try await refresh(test, again.refresh))
            #expect(next.session == anna.session && next.refresh != again.refresh)
            #expect(try await test.revoked(after: start).isEmpty)
            #expect(try await test.database.queryOne("select count(*) from refresh_token", as: Int.self) == 3)
        }
    }

    @Test("ACC-16b: Once the new pair was used, the old refresh token ends the session, however soon")
    func afterNewPair() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let next = try LoggedIn(try await refresh(test, anna.refresh))
            let last = try LoggedIn(try await refresh(test, next.refresh))
            #expect(try await refresh(test, anna.refresh).code == "invalid-refresh-token")
            #expect(try await refresh(test, last.refresh).status == 401)
            #expect(try await test.send(.get, "/me", token: last.token).status == 401)
        }
    }

    @Test("ACC-16b: Two uses of one refresh token at the same time get the same pair")
    func race() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            async let first = refresh(test, anna.refresh)
            async let second = refresh(test, anna.refresh)
            let pairs = try await [LoggedIn(first), LoggedIn(second)]
            #expect(pairs[0].refresh == pairs[1].refresh && pairs[0].session == pairs[1].session)
            #expect(try await test.database.queryOne("select count(*) from refresh_token", as: Int.self) == 2)
        }
    }

    @Test("ACC-16c: Sessions are listed, and ended one by one; somebody else's cannot be")
    func listAndEnd() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            test.clock.advance(by: .seconds(1))
            let other = try LoggedIn(try await test.logIn("anna@example.org"))
            let stranger = try await test.individual(TestPerson(number: 3))
            let list = try await test.send(.get, "/sessions", token: other.token)
            let sessions = list.json["sessions"]?.items ?? []
            #expect(sessions.map { $0["id"]?.text } == [other.session.description, anna.session.description])
            #expect(sessions.map { $0["is_current"]?.flag } == [true, false])
            let foreign = try await test.send(.delete, "/sessions/\(anna.session)", token: stranger.token)
            #expect(foreign.status == 404)
            #expect(try await test.send(.delete, "/sessions/\(anna.session)", token: other.token).status == 204)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 401)
            #expect(try await refresh(test, anna.refresh).status == 401)
            #expect(try await test.send(.get, "/me", token: other.token).status == 200)
        }
    }

    @Test("ACC-16: What has had its time is removed: expired sessions, and used refresh tokens after a week")
    func upkeep() async throws {
        try await AccountsTest.with { test in
            let upkeep = Upkeep(store: try test.capabilities.store)
            let anna = try await test.individual()
            _ = try await refresh(test, anna.refresh)
            func count(_ table: String) async throws -> Int? {
                try await test.database.queryOne("select count(*) from \(identifier: table)", as: Int.self)
            }
            test.clock.advance(by: Upkeep.usedTokenLife)
            try await upkeep.run()
            #expect(try await count("refresh_token") == 2)
            test.clock.advance(by: .seconds(1))
            try await upkeep.run()
            #expect(try await count("refresh_token") == 1)
            test.clock.advance(by: Sessions.idleLife)
            try await upkeep.run()
            #expect(try await count("session") == 0)
        }
    }

    @Test("ACC-16: A session that is not used for 30 days ends")
    func idle() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            test.clock.advance(by: Sessions.idleLife)
            #expect(try await refresh(test, anna.refresh).status == 401)
        }
    }

    @Test("ACC-16: A session that is used all the time ends half a year after its log-in")
    func absolute() async throws {
        try await AccountsTest.with { test in
            var refresh = try await test.individual().refresh
            let step = Sessions.idleLife - .seconds(3600)
            var age = Duration.zero
            while age + step < Sessions.absoluteLife {
                test.clock.advance(by: step)
                age += step
                refresh = try await self.refresh(test, refresh).text("refresh_token")
            }
            test.clock.advance(by: Sessions.absoluteLife - age)
            #expect(try await self.refresh(test, refresh).status == 401)
        }
    }

    @Test("ACC-16: The session unused for longest makes room for a new one")
    func limit() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let capabilities = try test.capabilities
            for _ in 0..<Sessions.sessionsMax {
                test.clock.advance(by: .seconds(1))
                _ = try await capabilities.store.transaction { transaction in
                    try await capabilities.sessions.open(for: anna.account, kind: .individual, in: transaction)
                }
            }
            #expect(
                try await test.database.queryOne("select count(*) from session", as: Int.self) == Sessions.sessionsMax)
            #expect(try await refresh(test, anna.refresh).status == 401)
        }
    }

    @Test("ACC-16a: Tokens are checked with the published keys, and say who and what kind of account it is")
    func claims() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let salus = try await test.company()
            let published = try await test.send(.get, "/.well-known/jwks.json")
            let keys = try JSONDecoder().decode(
                JSONWebKeySet.self, from: try await published.response.collectedBody())
            let answer = try await test.service.rpc(as: "query").call(Accounts.Keys.self, .init())
            #expect(try JSONDecoder().decode(JSONWebKeySet.self, from: answer.keySet.bytes) == keys)
            let verifier = TokenVerifier(keys: keys, issuer: Authenticator.issuer, audience: Authenticator.audience)
            let claims = try verifier.verify(anna.token, at: test.clock.now())
            #expect(claims.subject == anna.account && claims.kind == .individual && claims.session == anna.session)
            let company = try verifier.verify(salus.token, at: test.clock.now())
            #expect(company.kind == .thirdParty && company.scopes == ["requests", "runs"])
        }
    }

    @Test(
        "ACC-16: Without a token, or with a wrong one, nothing is shown",
        arguments: ["/me", "/sessions", "/inbox", "/devices", "/clients"])
    func noToken(_ path: String) async throws {
        try await AccountsTest.with { test in
            let none = try await test.send(.get, path)
            #expect(none.status == 401 && none.response.fields["WWW-Authenticate"] != nil)
            #expect(try await test.send(.get, path, token: "abc.def.ghi").status == 401)
            let foreign = try test.service.tokens.token(.individual, account: .random(), session: .random())
            #expect(try await test.send(.get, path, token: foreign).status == 401)
        }
    }
}

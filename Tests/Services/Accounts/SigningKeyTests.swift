import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Accounts

@Suite struct SigningKeyTests {
    private let old = Ed25519Key.random()
    private let new = Ed25519Key.random()

    /// A replica with these files.
    private func replica(_ test: AccountsTest, _ current: Ed25519Key, _ others: [Ed25519Key] = []) async throws
        -> SigningKeys
    {
        let keys = try SigningKeys(
            store: try test.capabilities.store, log: try test.capabilities.mail.log, pause: .zero
        ) {
            SigningKeyRing(current: current, others: others)
        }
        try await keys.update()
        return keys
    }

    /// Which key signs now.
    private func signer(_ keys: SigningKeys, _ test: AccountsTest) throws -> Ed25519PublicKey {
        let now = test.clock.now()
        let token = try keys.sign(
            TokenClaims(
                issuer: Authenticator.issuer, subject: .random(), audience: [Authenticator.audience],
                expiresAt: now + .seconds(900), issuedAt: now, identifier: .random(), kind: .individual))
        let verifier = TokenVerifier(
            keys: JSONWebKeySet([old.publicKey, new.publicKey]), issuer: Authenticator.issuer,
            audience: Authenticator.audience)
        return try verifier.verified(token, at: now).key
    }

    private func letPass(_ time: Duration, _ test: AccountsTest) async throws {
        try await test.database.execute(
            """
            update signing_key set published_at = published_at - interval '1 second' * \(time.milliseconds / 1000),
              seen_at = seen_at - interval '1 second' * \(time.milliseconds / 1000)
            """)
    }

    @Test("ACC-16: A new signing key is published by all replicas at once and used when everybody knows it")
    func rotation() async throws {
        try await AccountsTest.with { test in
            let first = try await replica(test, old)
            try await letPass(SigningKeys.lead, test)
            // One replica gets the new files; the other one has the old ones still.
            let second = try await replica(test, new, [old])
            #expect(try signer(second, test) == old.publicKey)
            try await first.update()
            #expect(first.published.contains(new.publicKey) && first.published.contains(old.publicKey))
            try await letPass(SigningKeys.lead, test)
            try await second.update()
            #expect(try signer(second, test) == new.publicKey)
            try await first.update()
            #expect(try signer(first, test) == old.publicKey && first.published.contains(new.publicKey))
        }
    }

    @Test("ACC-16: The last key stays published until its last token has ended, whoever still has it")
    func previous() async throws {
        try await AccountsTest.with { test in
            _ = try await replica(test, old)
            let keys = try await replica(test, new)
            try await letPass(SigningKeys.publishedAfter - .seconds(10), test)
            try await keys.update()
            #expect(keys.published.contains(old.publicKey))
            try await letPass(.seconds(20), test)
            try await keys.update()
            #expect(!keys.published.contains(old.publicKey) && keys.published.contains(new.publicKey))
            try await test.database.execute(SigningKeys.forget())
            #expect(try await SigningKeys.list(test.database).map(\.id) == [new.publicKey.thumbprint])
            #expect(SigningKeys.publishedAfter >= TokenClaims.lifeMax + SigningKeys.silenceMax)
        }
    }

    @Test("ACC-16: A key that is withdrawn signs nothing and is published nowhere, and its tokens are refused")
    func withdrawn() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let keys = try test.capabilities.keys
            let mine = test.settings.signingKeys.withLock { $0.current.publicKey }
            #expect(try await SigningKeys.withdraw(mine.thumbprint, test.database))
            #expect(try await SigningKeys.withdraw("unknown", test.database) == false)
            try await keys.update()
            #expect(!keys.published.contains(mine))
            #expect(try await test.send(.get, "/me", token: anna.token).status == 401)
            // Nothing can be signed until there is another key.
            #expect(try await test.logIn("anna@example.org").status == 503)
            test.settings.signingKeys.withLock { $0 = SigningKeyRing(current: new, others: [$0.current]) }
            try await keys.reload()
            let again = try LoggedIn(try await test.logIn("anna@example.org"))
            #expect(try await test.send(.get, "/me", token: again.token).status == 200)
            #expect(keys.published.contains(new.publicKey) && !keys.published.contains(mine))
        }
    }

    @Test("ACC-16: A token of another replica's new key is accepted after a look at the database")
    func unknown() async throws {
        try await AccountsTest.with { test in
            let keys = try await replica(test, old)
            let other = try await replica(test, new)
            let account = UUID.random()
            let token = try TokenIssuer(keys: other, clock: test.clock)
                .token(for: account, kind: .individual, session: .random())
            #expect(!keys.published.contains(new.publicKey))
            let authenticator = Authenticator(keys: keys, revocations: Revocations(), clock: test.clock)
            #expect(try await authenticator.identity(of: token).account == account)
        }
    }

    @Test("ACC-16: A public key that somebody else has written into the database is not believed")
    func planted() async throws {
        try await AccountsTest.with { test in
            let keys = try await replica(test, old)
            try await test.database.execute(
                """
                insert into signing_key (id, public_key, proof)
                values (\(new.publicKey.thumbprint), \(new.publicKey.bytes), \([UInt8](repeating: 1, count: 32)))
                """)
            try await keys.update()
            #expect(keys.published.contains(old.publicKey) && !keys.published.contains(new.publicKey))
        }
    }
}

import Contracts
import HTTP
import Primitives
import RPC
import Reactor
import Security
@testable import Edge
@testable import Service
import ServiceTesting
import Synchronization
import Testing

@Suite struct AuthenticatorTests {
    private let clock = TestClock()
    private let revocations = Revocations()
    private let account = UUID.random()

    private var tokens: TestTokens { TestTokens(key: key, clock: clock) }
    private let key = Ed25519Key.random()

    private func authenticator() -> Authenticator {
        let keySet = tokens.keySet
        return Authenticator(keys: LocalKeySource { keySet }, revocations: revocations, clock: clock)
    }

    private func request(_ token: String?) throws -> HTTPRequest {
        try HTTPRequest(.get, "/", fields: token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
    }

    private func problem(_ body: () async throws(Problem) -> Identity) async -> Problem? {
        do throws(Problem) {
            _ = try await body()
            return nil
        } catch { return error }
    }

    @Test("ACC-16: a good token tells who it is")
    func good() async throws {
        let session = UUID.random()
        let token = try tokens.token(.individual, account: account, scopes: ["requests", "b"], session: session)
        let identity = try await authenticator().require(request(token), .account(.individual, scope: .requests))
        #expect(identity.account == account)
        #expect(identity.kind == .individual)
        #expect(identity.scopes == ["requests", "b"])
        #expect(identity.session == session)
    }

    @Test("ACC-16: no token, nonsense, a foreign key, audience or issuer are 401 with a challenge")
    func refused() async throws {
        let authenticator = authenticator()
        let none = await problem { () async throws(Problem) in
            try await authenticator.identity(of: try! request(nil))
        }
        #expect(none?.status == .unauthorized)
        #expect(none?.fields["WWW-Authenticate"] == "Bearer")
        let foreign = TestTokens(clock: clock)
        for token in [
            "nonsense", try foreign.token(.individual, account: account),
            try tokens.token(.individual, account: account, issuer: "somebody"),
            try tokens.token(.individual, account: account, audience: ["elsewhere"]),
        ] {
            let problem = await problem { () async throws(Problem) in try await authenticator.identity(of: token) }
            #expect(problem?.status == .unauthorized)
            #expect(problem?.code == "invalid-token")
            #expect(problem?.fields["WWW-Authenticate"] == "Bearer error=\"invalid_token\"")
        }
    }

    @Test("ACC-16a: a token is refused once it has expired, also when it was checked before")
    func expired() async throws {
        let authenticator = authenticator()
        let token = try tokens.token(.individual, account: account)
        _ = try await authenticator.identity(of: token)
        clock.advance(by: .seconds(899))
        _ = try await authenticator.identity(of: token)
        clock.advance(by: .seconds(10))
        let problem = await problem { () async throws(Problem) in try await authenticator.identity(of: token) }
        #expect(problem?.status == .unauthorized)
        #expect(problem?.detail == "the token has expired")
    }

    @Test("ACC-15a: another kind or a missing scope is 403; third parties need the scope by name")
    func forbidden() async throws {
        revocations.heard()
        let authenticator = authenticator()
        let individual = try request(tokens.token(.individual, account: account))
        let third = try request(tokens.token(.thirdParty, account: account))
        let scoped = try request(tokens.token(.thirdParty, account: account, scopes: ["requests"]))
        let kind = await problem { () async throws(Problem) in
            try await authenticator.require(individual, .account(.operator))
        }
        #expect(kind?.status == .forbidden)
        _ = try await authenticator.require(individual, .account(.individual, scope: .requests))
        let scope = await problem { () async throws(Problem) in
            try await authenticator.require(third, .thirdParty(.requests))
        }
        #expect(scope?.code == "insufficient-scope")
        _ = try await authenticator.require(scoped, .thirdParty(.requests))
        let program = try request(
            tokens.token(.thirdParty, account: account, scopes: ["requests"], client: UUID.random().description))
        _ = try await authenticator.require(program, .thirdParty(.requests))
        let logIn = await problem { () async throws(Problem) in
            try await authenticator.require(program, .logIn(.thirdParty))
        }
        #expect(logIn?.status == .forbidden)
    }

    @Test("ACC-16c ACC-15b: a revoked session or account is refused at once, though its token was checked before")
    func revoked() async throws {
        let authenticator = authenticator()
        let (first, second) = (UUID.random(), UUID.random())
        let one = try tokens.token(.individual, account: account, session: first)
        let two = try tokens.token(.individual, account: account, session: second)
        _ = try await authenticator.identity(of: one)
        revocations.apply(.session(first), revokedAt: clock.now())
        let session = await problem { () async throws(Problem) in try await authenticator.identity(of: one) }
        #expect(session?.detail == "the token was revoked")
        _ = try await authenticator.identity(of: two)
        revocations.apply(.account(account), revokedAt: clock.now())
        let all = await problem { () async throws(Problem) in try await authenticator.identity(of: two) }
        #expect(all?.status == .unauthorized)
        clock.advance(by: .seconds(1))
        _ = try await authenticator.identity(of: try tokens.token(.individual, account: account))
    }

    @Test("NFR-03: while revocations are silent for more than a second, third parties get 503 and others are served")
    func silent() async throws {
        let authenticator = authenticator()
        let third = try tokens.token(.thirdParty, account: account)
        let never = await problem { () async throws(Problem) in try await authenticator.identity(of: third) }
        #expect(never?.status == .serviceUnavailable)
        #expect(never?.retryAfter == .seconds(1))
        revocations.heard()
        _ = try await authenticator.identity(of: third)
        #expect(!revocations.isSilent(at: .after(.milliseconds(900))))
        #expect(revocations.isSilent(at: .after(.milliseconds(1100))))
        for kind in [Identity.Kind.individual, .device, .application, .operator] {
            let quiet = Authenticator(
                keys: LocalKeySource { [keySet = tokens.keySet] in keySet }, revocations: Revocations(), clock: clock)
            _ = try await quiet.identity(of: try tokens.token(kind, account: account))
        }
    }

    @Test("ACC-16: what was revoked is forgotten when no token of that time can be valid any more, whatever clocks say")
    func pruning() {
        let (start, time) = (Deadline.now(), clock.now())
        for _ in 0..<10 { revocations.apply(.session(.random()), revokedAt: time, at: start) }
        // A clock that is wrong elsewhere makes nothing good again.
        revocations.apply(.session(.random()), revokedAt: time + .seconds(86_400), at: start.advanced(by: .seconds(61)))
        #expect(revocations.count == 11)
        let later = start.advanced(by: Revocations.tokenLife + .seconds(1))
        revocations.apply(.session(.random()), revokedAt: time, at: later)
        #expect(revocations.count == 2)
    }

    @Test(
        "ACC-16c: a token of a session that has ended is refused whenever it was issued, one of an account by its time")
    func afterwards() async throws {
        let authenticator = authenticator()
        let session = UUID.random()
        revocations.apply(.session(session), revokedAt: clock.now())
        revocations.apply(.account(account), revokedAt: clock.now())
        clock.advance(by: .seconds(5))
        let late = try tokens.token(.individual, account: .random(), session: session)
        let problem = await problem { () async throws(Problem) in try await authenticator.identity(of: late) }
        #expect(problem?.detail == "the token was revoked")
        _ = try await authenticator.identity(of: try tokens.token(.individual, account: account))
    }

    @Test("ACC-16: after a revocation that could not be read third parties are refused for as long as a token lives")
    func missed() {
        let start = Deadline.now()
        revocations.heard(at: start)
        #expect(!revocations.isSilent(at: start))
        revocations.missed(at: start)
        #expect(revocations.isSilent(at: start))
        let last = start.advanced(by: Revocations.tokenLife)
        revocations.heard(at: last)
        #expect(revocations.isSilent(at: last.advanced(by: .milliseconds(-1))) && !revocations.isSilent(at: last))
    }

    @Test("of more tokens than there is room for, as many are known as fit, however often all come in turn")
    func cache() throws {
        let cache = TokenCache(entriesMax: 80, parts: 4)
        let identity = identity(endsIn: .seconds(900))
        let keys = (0..<200).map { TokenCache.Key("token \($0)") }
        for _ in 0..<3 {
            for key in keys where known(key, in: cache) == nil {
                cache.insert(identity, key, signedBy: self.key.publicKey, at: clock.now())
            }
            #expect(cache.count == 80)
            #expect(keys.count { known($0, in: cache) == identity } == 80)
        }
    }

    @Test("a token is known until it ends, and a wall clock that is set back prolongs nothing")
    func ended() throws {
        let cache = TokenCache(entriesMax: 4, parts: 1)
        let (late, good) = (TokenCache.Key("late"), TokenCache.Key("good"))
        let identity = identity(endsIn: .seconds(900))
        cache.insert(identity, good, signedBy: key.publicKey, at: clock.now())
        cache.insert(identity, late, signedBy: key.publicKey, at: identity.expiresAt)
        #expect(known(late, in: cache) == nil && known(good, in: cache) == identity)
        clock.advance(by: .seconds(900))
        #expect(known(good, in: cache) == nil)
    }

    @Test("tokens that have ended make room, also for more than the cache holds")
    func room() throws {
        let cache = TokenCache(entriesMax: 100, parts: 1)
        let ended = identity(endsIn: .zero)
        for index in 0..<1000 {
            cache.insert(ended, TokenCache.Key("ended \(index)"), signedBy: key.publicKey, at: clock.now())
            #expect(cache.count <= 2)
        }
        let good = TokenCache.Key("good")
        cache.insert(identity(endsIn: .seconds(900)), good, signedBy: key.publicKey, at: clock.now())
        #expect(known(good, in: cache) != nil && cache.count == 1)
    }

    private func identity(endsIn time: Duration) -> Identity {
        Identity(
            account: account, kind: .individual, scopes: ["upload"], issuedAt: clock.now(),
            expiresAt: clock.now() + time)
    }

    private func known(_ entry: TokenCache.Key, in cache: TokenCache) -> Identity? {
        cache.identity(entry, signedByOneOf: tokens.keySet, at: clock.now())
    }

    @Test("ACC-16: a token that was checked before is refused once its key is withdrawn")
    func withdrawn() async throws {
        let published = Mutex(JSONWebKeySet([key.publicKey, Ed25519Key.random().publicKey]))
        let authenticator = Authenticator(
            keys: LocalKeySource { published.withLock { $0 } }, revocations: revocations, clock: clock)
        let token = try tokens.token(.individual, account: account)
        _ = try await authenticator.identity(of: token)
        published.withLock { $0 = JSONWebKeySet([key.publicKey]) }
        _ = try await authenticator.identity(of: token)
        published.withLock { $0 = JSONWebKeySet([Ed25519Key.random().publicKey]) }
        let refused = await problem { () async throws(Problem) in try await authenticator.identity(of: token) }
        #expect(refused?.status == .unauthorized && refused?.code == "invalid-token")
    }

    @Test(
        "ACC-16: a token of accounts whose clock is a minute ahead holds at once, and one from further ahead is refused"
    )
    func future() async throws {
        let ahead = TestClock()
        ahead.advance(by: .seconds(100))
        let token = try TestTokens(key: key, clock: ahead).token(.individual, account: account)
        let authenticator = authenticator()
        let minute = TestClock()
        minute.advance(by: .seconds(60))
        _ = try await authenticator.identity(
            of: TestTokens(key: key, clock: minute).token(.individual, account: account))
        let refused = await problem { () async throws(Problem) in try await authenticator.identity(of: token) }
        #expect(refused?.detail == "the token was issued in the future")
        clock.advance(by: .seconds(10))
        _ = try await authenticator.identity(of: token)
    }
}

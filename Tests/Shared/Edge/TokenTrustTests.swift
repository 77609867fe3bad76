import Contracts
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Security
@testable import Edge
@testable import Service
import ServiceTesting
import Synchronization
import Testing

/// Devices' tokens while accounts is away.
@Suite struct TokenTrustTests {
    private static let upload = Access.device(.upload, takesOverdue: true)
    private static let hour = Duration.seconds(3600)

    /// One process of a service, as of `hours` after accounts was heard last.
    private final class Process: Sendable {
        let revocations = Revocations()
        let trust: TokenTrust
        let authenticator: Authenticator

        /// Accounts is never reached from here; `keys` are known all the same, as they are while it was reached.
        init(_ tokens: TestTokens, _ clock: TestClock, heardFor silence: Duration? = nil, knowsKeys: Bool = true) {
            let absent = RemoteKeySource(LocalCaller(router: RPCRouter(), as: "ingestion"), pause: .zero)
            trust = TokenTrust(revocations, keys: absent, clock: clock)
            let keySet = tokens.keySet
            authenticator = Authenticator(
                keys: knowsKeys ? LocalKeySource { keySet } : absent, revocations: revocations, trust: trust,
                clock: clock)
            guard let silence else { return }
            let last = Deadline.now().advanced(by: .zero - silence)
            revocations.heard(at: last)
            trust.note(at: last)
            clock.advance(by: silence)
        }

        func identity(_ token: String, _ access: Access = TokenTrustTests.upload) async throws -> Identity {
            try await authenticator.require(
                try HTTPRequest(.get, "/", fields: ["Authorization": "Bearer \(token)"]), access)
        }

        func isTaken(_ token: String, _ access: Access = TokenTrustTests.upload) async throws -> Bool {
            do {
                _ = try await identity(token, access)
                return true
            } catch let problem as Problem {
                #expect(problem.status == .unauthorized)
                return false
            }
        }
    }

    private let clock = TestClock()
    private let device = UUID.random()
    private let account = UUID.random()
    private var tokens: TestTokens { TestTokens(key: key, clock: clock) }
    private let key = Ed25519Key.random()

    private func token(
        ended ago: Duration, _ kind: Identity.Kind = .device, of other: UUID? = nil, by foreign: TestTokens? = nil
    ) throws -> String {
        let device = other ?? device
        return try (foreign ?? tokens).token(
            kind, account: account, scopes: ["upload"], session: device, client: device.description,
            age: .seconds(900) + ago)
    }

    @Test(
        "NFR-03b SOS-05: a device's token serves for 72 hours after its end while accounts is away, and not a second longer"
    )
    func seventyTwoHours() async throws {
        let process = Process(tokens, clock, heardFor: Self.hour)
        let young = try await process.identity(token(ended: .seconds(60)))
        #expect(young.isOverdue && young.account == account && young.session == device)
        let last = try token(ended: Self.hour * 72 - .seconds(60))
        // The second time it is known from before.
        for _ in 0..<2 { #expect(try await process.isTaken(last)) }
        clock.advance(by: .seconds(60))
        // An old token that is sent again.
        #expect(try await !process.isTaken(last))
        #expect(try await !process.isTaken(token(ended: Self.hour * 73)))
        let fresh = try await process.identity(tokens.token(.device, account: account, scopes: ["upload"]))
        #expect(!fresh.isOverdue)
    }

    @Test(
        "ACC-16a: no token serves beyond its end while accounts is heard, nor where the route or the kind has no need of it"
    )
    func onlyWhileAway() async throws {
        let heard = Process(tokens, clock)
        heard.revocations.heard(at: .after(Self.hour))
        #expect(try await !heard.isTaken(token(ended: .seconds(60))))
        let away = Process(tokens, clock, heardFor: Self.hour)
        let overdue = try token(ended: .seconds(60))
        #expect(try await away.isTaken(overdue))
        // Also once it is known to serve elsewhere.
        #expect(try await !away.isTaken(overdue, .device(.upload)))
        #expect(try await !away.isTaken(token(ended: .seconds(60), .individual), .account(.individual)))
        #expect(try await !away.isTaken(token(ended: .seconds(60), .individual)))
        #expect(try await !away.isTaken(token(ended: .seconds(60), by: TestTokens(clock: clock))))
        // It is renewed as soon as accounts is back.
        away.revocations.heard(at: .after(Self.hour))
        #expect(try await !away.isTaken(overdue))
    }

    @Test("ACC-16a SOS-05: accounts is away after two seconds of silence, not at a breath of it")
    func unreachable() throws {
        let process = Process(tokens, clock)
        let now = Deadline.now()
        process.revocations.heard(at: now)
        #expect(process.trust.overdueTime(at: now.advanced(by: TokenTrust.unreachableMin)) == nil)
        let after = now.advanced(by: TokenTrust.unreachableMin + .milliseconds(1))
        #expect(process.trust.overdueTime(at: after) != nil)
        // Never heard since the process started.
        let other = Process(tokens, clock)
        #expect(other.trust.overdueTime(at: .now()) == nil)
        #expect(other.trust.overdueTime(at: .after(.seconds(3))) != nil)
    }

    @Test("ACC-16a: a device that was revoked before stays refused for as long as its tokens could serve")
    func revoked() async throws {
        let process = Process(tokens, clock, heardFor: Self.hour)
        let overdue = try token(ended: .seconds(600))
        #expect(try await process.isTaken(overdue))
        let identity = try await process.identity(overdue)
        let now = Deadline.now()
        process.revocations.apply(.session(device), revokedAt: clock.now(), isLasting: true, at: now)
        // What concerns a person's session is forgotten after minutes, this is not.
        let later = now.advanced(by: TokenTrust.overdueMax)
        process.revocations.apply(.session(.random()), revokedAt: clock.now(), at: later)
        #expect(try await !process.isTaken(overdue))
        let erased = Process(tokens, clock, heardFor: Self.hour)
        erased.revocations.apply(.account(account), revokedAt: clock.now(), isLasting: true)
        #expect(try await !erased.isTaken(overdue))
        // By then no token of it could serve any more.
        let end = now.advanced(by: Revocations.lastingLife + .seconds(1))
        process.revocations.apply(.session(.random()), revokedAt: clock.now(), at: end)
        #expect(!process.revocations.isRevoked(identity))
    }

    @Test("ACC-16a: a clock that is set back prolongs no token's time")
    func clockSetBack() async throws {
        let process = Process(tokens, clock, heardFor: .seconds(60))
        clock.advance(by: .zero - Self.hour * 10)
        // By the clock as it stands these have hours left.
        #expect(try await !process.isTaken(token(ended: Self.hour * 62 + .seconds(600))))
        #expect(try await process.isTaken(token(ended: Self.hour * 62 - .seconds(600))))
    }

    @Test("NFR-03b SOS-05: keys, revocations and the time survive a restart of the service during the outage")
    func restart() async throws {
        let (tokens, clock, device) = (tokens, clock, device)
        try await TestDatabase.with { test in
            try await Migrations(schema: test.schema, [TokenTrust.migration(1)]).run(on: test.database)
            var router = RPCRouter()
            tokens.register(in: &router)
            let source = RemoteKeySource(LocalCaller(router: router, as: "ingestion"))
            _ = try await source.keys()
            let revocations = Revocations()
            let trust = TokenTrust(revocations, keys: source, clock: clock)
            revocations.heard(at: .after(.seconds(3600)))
            revocations.apply(.session(device), revokedAt: clock.now(), isLasting: true)
            revocations.apply(.session(device), revokedAt: clock.now(), isLasting: true)
            revocations.apply(.session(.random()), revokedAt: clock.now())
            try await trust.keep(in: test.database)
            try await trust.keep(in: test.database)
            #expect(
                try await test.database.query("select id from token_revocation", as: UUID.self) == [device])
            let heardAt = clock.now()

            let revoked = try token(ended: .seconds(60))
            let other = UUID.random()
            let (good, old) = try (
                token(ended: .seconds(60), of: other), token(ended: Self.hour * 73, of: other)
            )
            // Another process, which accounts has never answered; its clock was set back before.
            clock.advance(by: .zero - Self.hour * 3)
            let process = Process(tokens, clock, knowsKeys: false)
            try await process.trust.restore(from: test.database)
            process.revocations.heard(at: Deadline.now().advanced(by: .seconds(-10)))
            #expect(try await process.isTaken(good))
            #expect(try await !process.isTaken(revoked))
            #expect(process.trust.overdueTime().map { $0 >= heardAt && $0 < heardAt + Self.hour } == true)
            #expect(try await !process.isTaken(old))
            // What is known only from before is not stored as if it had been heard now.
            try await process.trust.keep(in: test.database)
            #expect(
                try await test.database.queryOne("select heard_at from token_trust", as: Timestamp.self) == heardAt)
        }
    }

    @Test("ACC-16a: what was revoked is dropped by the clock of the database, when no token could serve any more")
    func forgetting() async throws {
        let (tokens, clock) = (tokens, clock)
        try await TestDatabase.with { test in
            try await Migrations(schema: test.schema, [TokenTrust.migration(1)]).run(on: test.database)
            var router = RPCRouter()
            tokens.register(in: &router)
            let source = RemoteKeySource(LocalCaller(router: router, as: "ingestion"))
            _ = try await source.keys()
            let revocations = Revocations()
            let trust = TokenTrust(revocations, keys: source, clock: clock)
            revocations.heard(at: .after(.seconds(3600)))
            try await test.database.execute(
                """
                insert into token_revocation values
                  (gen_random_uuid(), 'session', now(), now() - interval '1 second'),
                  (gen_random_uuid(), 'session', now(), now() + interval '1 hour')
                """)
            // However far ahead this machine's clock is.
            clock.advance(by: Self.hour * 1000)
            try await trust.keep(in: test.database)
            #expect(try await test.database.queryOne("select count(*) from token_revocation", as: Int.self) == 1)
        }
    }

    @Test("ACC-16a NFR-04: a revocation that could not be stored is stored later")
    func databaseAway() async throws {
        let clock = clock
        try await TestDatabase.with { test in
            let revocations = Revocations()
            let trust = TokenTrust(
                revocations, keys: RemoteKeySource(LocalCaller(router: RPCRouter(), as: "ingestion")), clock: clock)
            for _ in 0..<3 { revocations.apply(.session(.random()), revokedAt: clock.now(), isLasting: true) }
            await #expect(throws: (any Error).self) { try await trust.keep(in: test.database) }
            try await Migrations(schema: test.schema, [TokenTrust.migration(1)]).run(on: test.database)
            try await trust.keep(in: test.database)
            #expect(try await test.database.queryOne("select count(*) from token_revocation", as: Int.self) == 3)
            #expect(revocations.lastingNews(max: 10).isEmpty)
        }
    }
}

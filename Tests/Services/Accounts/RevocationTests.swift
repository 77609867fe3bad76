import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import ServiceTesting
import Synchronization
import Testing

@testable import Accounts
@testable import Edge
@testable import Service

@Suite struct RevocationTests {
    /// A process that checks tokens and has just started.
    private struct Checker: Sendable {
        let revocations = Revocations()
        let authenticator: Authenticator
        let feed: RevocationFeed

        init(_ test: AccountsTest, from accounts: any RPCCaller) throws {
            let keys = try test.capabilities.keys.published
            authenticator = Authenticator(
                keys: LocalKeySource { keys }, revocations: revocations, clock: test.clock)
            feed = RevocationFeed(
                accounts: accounts, revocations: revocations,
                observer: .silent)
        }

        func accepts(_ token: String) async -> Bool { (try? await authenticator.identity(of: token)) != nil }

        /// Runs `body` while the feed is followed, from when it was first read to its end.
        func following(_ test: AccountsTest, _ body: () async throws -> Void) async throws {
            let loop = test.service.loops.loops[0]
            let task = loop.task { await feed.follow() }
            let outcome: Result<Void, any Error>
            do {
                try await RevocationTests.until(loop) { revocations.lastHeard != nil }
                outcome = .success(try await body())
            } catch { outcome = .failure(error) }
            task.cancel()
            await task.value
            try outcome.get()
        }
    }

    private struct Never: Error {}

    fileprivate static func until(_ loop: EventLoop, _ condition: () async -> Bool) async throws {
        let deadline = Deadline.after(.patience)
        while await !condition() {
            guard !deadline.hasPassed else { throw Never() }
            try await loop.sleep(for: .milliseconds(2))
        }
    }

    @Test("ACC-15b ACC-16c: A service that starts refuses what was revoked before, for as long as such tokens live")
    func restart() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let other = try LoggedIn(try await test.logIn("anna@example.org"))
            #expect(try await test.send(.delete, "/sessions/\(anna.session)", token: other.token).status == 204)
            let checker = try Checker(test, from: test.service.rpc(as: "query"))
            try await checker.following(test) {
                #expect(await !checker.accepts(anna.token))
                #expect(await checker.accepts(other.token))
            }
            test.clock.advance(by: Revocations.tokenLife + .seconds(1))
            try await Upkeep(store: try test.capabilities.store).run()
            #expect(try await test.database.queryOne("select count(*) from revocation", as: Int.self) == 0)
            #expect(try await test.snapshot(of: Accounts.revocationsFeed, as: "query").isEmpty)
        }
    }

    @Test(
        "ACC-16a SOS-05: Who starts learns of devices and accounts that were revoked in the last 72 hours, and of sessions of minutes"
    )
    func lasting() async throws {
        try await AccountsTest.with { test in
            let (device, session, account) = (UUID.random(), UUID.random(), UUID.random())
            let store = try test.capabilities.store
            try await test.database.transaction { transaction in
                try await Revoking.revoke(sessions: [device], areDevices: true, store: store, in: transaction)
                try await Revoking.revoke(sessions: [session], store: store, in: transaction)
                try await Revoking.revoke(account: account, store: store, in: transaction)
            }
            func listed() async throws -> [UUID: Bool?] {
                try await Upkeep(store: store).run()
                let all = try await test.snapshot(of: Accounts.revocationsFeed, as: "query")
                    .map { try $0.decode(Accounts.Revocation.self) }
                return Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.isOfDevice) })
            }
            #expect(try await listed() == [device: true, session: nil, account: nil])
            test.clock.advance(by: TokenTrust.overdueMax)
            #expect(try await listed() == [device: true, account: nil])
            let checker = try Checker(test, from: test.service.rpc(as: "query"))
            try await checker.following(test) {
                #expect(
                    checker.revocations.isRevoked(
                        Identity(
                            account: .random(), kind: .device, session: device, issuedAt: test.clock.now(),
                            expiresAt: test.clock.now())))
            }
            test.clock.advance(by: Revocations.tokenLife + .seconds(1))
            #expect(try await listed().isEmpty)
        }
    }

    @Test(
        "ACC-15b ACC-16: A client that was removed and a device are refused wherever tokens are checked, also after a gap"
    )
    func gap() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            let made = try await test.send(
                .post, "/clients", token: salus.token, #"{"name":"x","scopes":["requests"]}"#)
            let client = try made.text("client_id")
            let token = try await test.sendForm(
                "/oauth/token",
                "grant_type=client_credentials&client_id=\(client)&client_secret=\(try made.text("client_secret"))"
            ).text("access_token")
            let line = Line(test.service.rpc(as: "query"))
            let checker = try Checker(test, from: line)
            let loop = test.service.loops.loops[0]
            try await checker.following(test) {
                #expect(await checker.accepts(token))
                // Meanwhile the reader cannot ask, and what it would have read is trimmed.
                line.isCut.store(true, ordering: .relaxed)
                try await Self.until(loop) { line.cuts.load(ordering: .relaxed) > 0 }
                #expect(try await test.send(.delete, "/clients/\(client)", token: salus.token).status == 204)
                try await test.database.execute("update feed_state set generation = generation + 1")
                line.isCut.store(false, ordering: .relaxed)
                try await Self.until(loop) { await !checker.accepts(token) }
            }
        }
    }

    @Test("ACC-16 NFR-03: What one replica of accounts revokes is heard from another one")
    func replicas() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let other = try LoggedIn(try await test.logIn("anna@example.org"))
            // Both replicas use one database; each has a feed producer of its own.
            let database = test.database
            let pages = SnapshotPages(
                database: database, keys: try test.capabilities.store.keys,
                columns: try test.capabilities.store.columns, clock: test.clock,
                unreadable: try test.capabilities.store.unreadable)
            let second = FeedProducer(
                database: database,
                feeds: [
                    FeedDefinition(
                        name: Accounts.revocationsFeed, durable: [], ephemeral: ["query"],
                        snapshot: { try await pages.revocations(after: $0) })
                ], observer: .silent)
            var router = RPCRouter()
            second.register(in: &router)
            let loop = test.service.loops.loops[0]
            let upkeep = [
                loop.task { await second.run() },
                loop.task { [feeds = try test.capabilities.store.feeds] in await feeds.run() },
            ]
            let checker = try Checker(test, from: LocalCaller(router: router, as: "query"))
            try await checker.following(test) {
                #expect(await checker.accepts(anna.token))
                #expect(try await test.send(.delete, "/sessions/\(anna.session)", token: other.token).status == 204)
                try await Self.until(loop) { await !checker.accepts(anna.token) }
                #expect(await checker.accepts(other.token))
            }
            second.stopWaiting()
            for task in upkeep { task.cancel() }
            for task in upkeep { await task.value }
        }
    }

    @Test(
        "GRP-09: Which subject number is whose reaches ingestion only; the dispatcher is told of whom something has changed, nobody else may follow the changes of accounts"
    )
    func subjects() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            let followers = ["ingestion", "dispatcher"]
            let others =
                ServiceName.allCases.map(\.rawValue).filter { !followers.contains($0) } + ["simulator", "operator"]
            for name in others {
                let caller = test.service.rpc(as: name)
                await #expect {
                    _ = try await caller.call(FeedSnapshot.self, .init(feed: Accounts.changesFeed, page: nil))
                } throws: {
                    ($0 as? RPCError)?.code == .notAllowed
                }
                await #expect {
                    _ = try await caller.call(
                        FeedRead.self,
                        .init(
                            feed: Accounts.changesFeed, cursor: .none, acknowledged: nil, limit: 1, waitMilliseconds: 0)
                    )
                } throws: {
                    ($0 as? RPCError)?.code == .notAllowed
                }
            }
            let cursor = try await test.end(of: Accounts.changesFeed, as: "dispatcher")
            #expect(try await test.snapshot(of: Accounts.changesFeed, as: "dispatcher").isEmpty)
            _ = try await test.individual(TestPerson(number: 2))
            let changes = try await test.events(of: Accounts.changesFeed, after: cursor, as: "dispatcher")
            #expect(!changes.isEmpty && changes.allSatisfy { $0.payload.bytes == Array("{}".utf8) })
            // What the others follow instead says nothing but what was revoked.
            let token = try LoggedIn(try await test.logIn("anna@example.org"))
            _ = try await test.send(.delete, "/sessions/\(token.session)", token: token.token)
            let entity = try #require(try await test.snapshot(of: Accounts.revocationsFeed, as: "query").first)
            guard case .object(let members) = try entity.decode(JSONValue.self) else { throw Never() }
            #expect(Set(members.members.map(\.key)) == ["kind", "id", "revoked_at"])
            #expect(entity.entity == token.session)
        }
    }
}

/// A caller whose line can be cut.
private final class Line: RPCCaller {
    let isCut = Atomic<Bool>(false)
    let cuts = Atomic<Int>(0)
    private let inner: LocalCaller

    init(_ inner: LocalCaller) { self.inner = inner }

    func call<M: RPCMethod>(_ method: M.Type, _ params: M.Params, deadline: Deadline?) async throws(RPCError)
        -> M.Result
    {
        guard !isCut.load(ordering: .relaxed) else {
            cuts.add(1, ordering: .relaxed)
            throw RPCError(.unavailable)
        }
        return try await inner.call(method, params, deadline: deadline)
    }
}

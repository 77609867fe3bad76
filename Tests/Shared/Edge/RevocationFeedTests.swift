import Contracts
import Feed
import JSON
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
@testable import Edge
@testable import Service
import ServiceTesting
import Synchronization
import Testing

@Suite struct RevocationFeedTests {
    /// An accounts service that says what the test wants.
    private final class Accounting: Sendable {
        struct State {
            var snapshot: [FeedEntity] = []
            var events: [FeedRecord] = []
            var epoch = "1"
        }
        let state = Mutex(State())

        /// Pages of one entity.
        private func page(_ params: FeedSnapshot.Params) -> FeedSnapshot.Result {
            state.withLock { state in
                let index = params.page.flatMap { Int($0) } ?? 0
                let isLast = index + 1 >= state.snapshot.count
                return FeedSnapshot.Result(
                    entities: Array(state.snapshot.dropFirst(index).prefix(1)), next: isLast ? nil : "\(index + 1)",
                    cursor: params.page == nil
                        ? FeedCursor(epoch: state.epoch, positions: [Int64(state.events.count)]) : nil)
            }
        }

        private func read(_ params: FeedRead.Params) throws(RPCError) -> FeedRead.Result {
            try state.withLock { state throws(RPCError) in
                guard params.cursor.epoch == state.epoch else {
                    throw RPCError(.gone, "The cursor is of another epoch.", domain: "feed.gone")
                }
                let events = state.events.filter { $0.position > params.cursor[0] }
                var cursor = params.cursor
                cursor.advance(past: events)
                return FeedRead.Result(events: events, cursor: cursor, more: false)
            }
        }

        var caller: LocalCaller {
            var router = RPCRouter()
            router.register(FeedSnapshot.self, allow: ["query"]) { params, _ in self.page(params) }
            router.register(FeedRead.self, allow: ["query"]) { params, _ in
                let answer = try self.read(params)
                // As if held back for a moment.
                if answer.events.isEmpty { try await EventLoop.current?.sleep(for: .milliseconds(1)) }
                return answer
            }
            return LocalCaller(router: router, as: "query")
        }

        func publish(_ payload: JSONRaw, kind: String = "revoked") {
            state.withLock { state in
                state.events.append(
                    FeedRecord(
                        lane: 0, position: Int64(state.events.count + 1), entity: .random(), version: 1, kind: kind,
                        payload: payload, recordedAt: .now()))
            }
        }
    }

    private struct Never: Error {}

    private let accounts = Accounting()
    private let revocations = Revocations()

    private func following(_ body: @escaping @Sendable (EventLoop) async throws -> Void) async throws {
        let feed = RevocationFeed(
            accounts: accounts.caller, revocations: revocations,
            observer: .silent)
        try await EventLoopGroup.withLoops(1) { loops in
            let loop = loops.loops[0]
            let task = loop.task { await feed.follow() }
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(loop)) } catch { outcome = .failure(error) }
            task.cancel()
            await task.value
            try outcome.get()
        }
    }

    private func until(_ loop: EventLoop, _ condition: () -> Bool) async throws {
        let deadline = Deadline.after(.patience)
        while !condition() {
            guard !deadline.hasPassed else { throw Never() }
            try await loop.sleep(for: .milliseconds(1))
        }
    }

    private func identity(session: UUID, account: UUID = .random()) -> Identity {
        Identity(
            account: account, kind: .thirdParty, session: session, issuedAt: .now(), expiresAt: .now() + .seconds(900))
    }

    private func payload(_ kind: Accounts.Revocation.Kind, _ id: UUID) throws -> JSONRaw {
        try JSONRaw(encoding: Accounts.Revocation(kind: kind, id: id, revokedAt: .now() + .seconds(1)))
    }

    private func entity(_ kind: Accounts.Revocation.Kind, _ id: UUID) throws -> FeedEntity {
        FeedEntity(entity: id, version: 1, kind: "revoked", payload: try payload(kind, id))
    }

    @Test("ACC-16: what the snapshot has is revoked before the view counts as heard, and so is what comes after it")
    func snapshotAndChanges() async throws {
        let (old, account, new) = (UUID.random(), UUID.random(), UUID.random())
        let snapshot = [try entity(.session, old), try entity(.account, account)]
        accounts.state.withLock { $0.snapshot = snapshot }
        #expect(revocations.isSilent())
        try await following { loop in
            try await until(loop) { !revocations.isSilent() }
            #expect(revocations.isRevoked(identity(session: old)))
            #expect(revocations.isRevoked(identity(session: .random(), account: account)))
            #expect(!revocations.isRevoked(identity(session: new)))
            accounts.publish(try payload(.session, new))
            try await until(loop) { revocations.isRevoked(identity(session: new)) }
        }
    }

    @Test("ACC-16: after the feed is gone what was revoked meanwhile comes from the snapshot, and what was known stays")
    func gone() async throws {
        let (known, missed) = (UUID.random(), UUID.random())
        accounts.publish(try payload(.session, known))
        let first = [try entity(.session, known)]
        let second = [try entity(.session, missed)]
        accounts.state.withLock { $0.snapshot = first }
        try await following { loop in
            try await until(loop) { !revocations.isSilent() }
            accounts.state.withLock { state in
                state.snapshot = second
                state.epoch = "2"
            }
            try await until(loop) { revocations.isRevoked(identity(session: missed)) }
            #expect(revocations.isRevoked(identity(session: known)))
        }
    }

    @Test(
        "ACC-16: a revocation that cannot be read may concern any token: third parties are refused",
        arguments: [
            (
                "revoked",
                #"{"kind":"planet","id":"2f0f3a3e-9d0a-4d6e-8f0f-000000000001","revoked_at":"2026-01-01T00:00:00Z"}"#
            ),
            ("revoked", "{}"), ("another", "{}"),
        ])
    func unreadable(_ kind: String, _ text: String) async throws {
        try await following { loop in
            try await until(loop) { !revocations.isSilent() }
            accounts.publish(try JSONRaw(validating: Array(text.utf8)), kind: kind)
            try await until(loop) { revocations.isSilent() }
            // It stays so, though the feed is read on.
            let heard = revocations.lastHeard
            try await until(loop) { revocations.lastHeard != heard }
            #expect(revocations.isSilent())
        }
    }
}

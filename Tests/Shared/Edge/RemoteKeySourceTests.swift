import Contracts
import JSON
import Primitives
import RPC
import Reactor
import Security
@testable import Edge
@testable import Service
import ServiceTesting
import Synchronization
import Testing

@Suite struct RemoteKeySourceTests {
    /// An accounts service whose keys change and which may be down.
    private final class Publisher: Sendable {
        struct State {
            var keys: [Ed25519PublicKey]
            var isDown = false
            var calls = 0
            /// While it is set, answers wait for it.
            var gate: EventCounter?
        }
        let state: Mutex<State>

        init(_ key: Ed25519Key) { state = Mutex(State(keys: [key.publicKey])) }

        var calls: Int { state.withLock { $0.calls } }

        var caller: LocalCaller {
            var router = RPCRouter()
            router.register(Accounts.Keys.self, allow: ["query"]) { _, _ in
                if let gate = self.state.withLock({ $0.gate }) {
                    _ = await gate.wait(after: 0, deadline: .after(.seconds(20)))
                }
                let keys = try self.state.withLock { state throws(RPCError) in
                    state.calls += 1
                    guard !state.isDown else { throw RPCError(.unavailable) }
                    return state.keys
                }
                return Accounts.Keys.Result(keySet: try JSONRaw(encoding: JSONWebKeySet(keys)))
            }
            return LocalCaller(router: router, as: "query")
        }
    }

    private let clock = TestClock()
    private let account = UUID.random()

    @Test("ACC-16: a token of a new key is accepted after one fetch, without a restart")
    func rotation() async throws {
        let (old, new) = (Ed25519Key.random(), Ed25519Key.random())
        let publisher = Publisher(old)
        let (clock, account) = (clock, account)
        try await EventLoopGroup.withLoops(1) { _ in
            let source = RemoteKeySource(publisher.caller, pause: .zero)
            let authenticator = Authenticator(keys: source, revocations: Revocations(), clock: clock)
            for _ in 0..<3 {
                _ = try await authenticator.identity(
                    of: TestTokens(key: old, clock: clock).token(.device, account: .random()))
            }
            #expect(publisher.calls == 1)
            publisher.state.withLock { $0.keys.append(new.publicKey) }
            _ = try await authenticator.identity(
                of: TestTokens(key: new, clock: clock).token(.device, account: account))
            #expect(publisher.calls == 2)
        }
    }

    @Test("tokens with invented keys do not make it fetch again and again")
    func rateLimit() async throws {
        let publisher = Publisher(.random())
        let clock = clock
        try await EventLoopGroup.withLoops(1) { _ in
            let source = RemoteKeySource(publisher.caller, pause: .seconds(3600))
            let authenticator = Authenticator(keys: source, revocations: Revocations(), clock: clock)
            for _ in 0..<20 {
                let token = try TestTokens(clock: clock).token(.device, account: .random())
                await #expect(throws: (any Error).self) { try await authenticator.identity(of: token) }
            }
            #expect(publisher.calls == 1)
        }
    }

    @Test("NFR-03b: known keys stay in use while accounts is down; without any, 503")
    func down() async throws {
        let key = Ed25519Key.random()
        let publisher = Publisher(key)
        let clock = clock
        try await EventLoopGroup.withLoops(1) { _ in
            publisher.state.withLock { $0.isDown = true }
            let source = RemoteKeySource(publisher.caller, ageMax: .zero, pause: .zero)
            let authenticator = Authenticator(keys: source, revocations: Revocations(), clock: clock)
            let tokens = TestTokens(key: key, clock: clock)
            do {
                _ = try await authenticator.identity(of: try tokens.token(.device, account: .random()))
                Issue.record("accepted without keys")
            } catch { #expect("\(error)".contains("keys-unavailable")) }
            publisher.state.withLock { $0.isDown = false }
            _ = try await authenticator.identity(of: try tokens.token(.device, account: .random()))
            publisher.state.withLock { $0.isDown = true }
            _ = try await authenticator.identity(of: try tokens.token(.device, account: .random()))
        }
    }

    @Test("NFR-03b: an accounts service that does not answer delays nobody whose keys are known")
    func hanging() async throws {
        let key = Ed25519Key.random()
        let publisher = Publisher(key)
        let clock = clock
        try await EventLoopGroup.withLoops(1) { _ in
            let source = RemoteKeySource(publisher.caller, ageMax: .zero, pause: .zero)
            let authenticator = Authenticator(keys: source, revocations: Revocations(), clock: clock)
            let tokens = TestTokens(key: key, clock: clock)
            _ = try await authenticator.identity(of: try tokens.token(.device, account: .random()))
            publisher.state.withLock { $0.isDown = true }
            _ = try await authenticator.identity(of: try tokens.token(.device, account: .random()))
            let gate = EventCounter()
            publisher.state.withLock { $0.gate = gate }
            let began = Deadline.now()
            _ = try await authenticator.identity(of: try tokens.token(.device, account: .random()))
            #expect(Deadline.now().since(began) < .seconds(10))
            gate.raise()
        }
    }
}

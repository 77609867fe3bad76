import Contracts
import JSON
public import RPC
import Reactor
public import Security
import Synchronization

/// Keys of the accounts service, fetched over RPC and kept. Old keys stay in use while accounts cannot be reached.
public final class RemoteKeySource: KeySource {
    private struct State {
        var keys: JSONWebKeySet?
        /// Those of before the start of the process, for as long as accounts has not answered.
        var restored: JSONWebKeySet?
        var fetched: Deadline?
        /// The begin of the last attempt.
        var attempted: Deadline?
        var isFetching = false
        var failure: RPCError?
    }

    private enum Step {
        case use(JSONWebKeySet)
        /// Use these, and fetch newer ones meanwhile.
        case refresh(JSONWebKeySet)
        case fail(RPCError)
        case wait(UInt64)
        case fetch
    }

    private let accounts: any RPCCaller
    private let ageMax: Duration
    private let pause: Duration
    private let state = Mutex(State())
    private let fetched = EventCounter()

    /// - Parameters:
    ///   - ageMax: after so long whoever asks waits for new ones, unless accounts could not be reached a moment ago; a
    ///     withdrawn key is used no longer than that. From half of it on they are fetched while the known ones are used.
    ///   - pause: between two attempts, whoever asks.
    public init(_ accounts: any RPCCaller, ageMax: Duration = .seconds(30), pause: Duration = .seconds(1)) {
        self.accounts = accounts
        self.ageMax = ageMax
        self.pause = pause
    }

    /// Keys that were published before the process started. They are used once accounts has been asked and cannot be reached.
    func restore(_ keys: JSONWebKeySet) { state.withLock { $0.restored = keys } }

    /// The keys that accounts has published, as it was heard last.
    var published: JSONWebKeySet? { state.withLock { $0.fetched == nil ? nil : $0.keys } }

    public func keys() async throws(RPCError) -> JSONWebKeySet { try await keys(mustBeNew: false) }

    public func keysAnew() async throws(RPCError) -> JSONWebKeySet { try await keys(mustBeNew: true) }

    private func keys(mustBeNew: Bool) async throws(RPCError) -> JSONWebKeySet {
        switch step(mustBeNew: mustBeNew) {
        case .use(let keys): return keys
        case .refresh(let keys):
            // Whoever has keys that may do does not wait for newer ones.
            if let loop = EventLoop.current {
                loop.task { await self.finish(self.fetch()) }
            } else {
                finish(await fetch())
            }
            return keys
        case .fail(let error): throw error
        case .wait(let seen):
            _ = await fetched.wait(after: seen, deadline: .after(.seconds(3)))
            return try known()
        case .fetch:
            finish(await fetch())
            return try known()
        }
    }

    private func fetch() async -> Result<JSONWebKeySet, RPCError> {
        do throws(RPCError) {
            let answer = try await accounts.call(
                Accounts.Keys.self, Empty(), deadline: .after(.seconds(2)))
            do throws(JSONError) {
                return .success(try JSONDecoder().decode(JSONWebKeySet.self, from: answer.keySet.bytes))
            } catch { throw RPCError(.internal, "The keys of the accounts service cannot be read.") }
        } catch { return .failure(error) }
    }

    private func step(mustBeNew: Bool) -> Step {
        state.withLock { state in
            let now = Deadline.now()
            let isOld = state.fetched.map { $0.advanced(by: ageMax) <= now } ?? true
            let isFresh = state.fetched.map { now.since($0) < ageMax / 2 } ?? false
            if let keys = state.keys, !mustBeNew, isFresh { return .use(keys) }
            if state.isFetching {
                // Whoever has keys that may do does not wait.
                if let keys = state.keys, !mustBeNew { return .use(keys) }
                return .wait(fetched.value)
            }
            if let attempted = state.attempted, attempted.advanced(by: pause) > now {
                if let keys = state.keys { return .use(keys) }
                return .fail(state.failure ?? RPCError(.unavailable))
            }
            state.isFetching = true
            state.attempted = now
            if let keys = state.keys, !mustBeNew, !isOld || state.failure != nil { return .refresh(keys) }
            return .fetch
        }
    }

    private func finish(_ answer: Result<JSONWebKeySet, RPCError>) {
        state.withLock { state in
            state.isFetching = false
            switch answer {
            case .success(let keys):
                state.keys = keys
                state.fetched = .now()
                state.failure = nil
            case .failure(let error):
                state.failure = error
                state.keys = state.keys ?? state.restored
            }
        }
        fetched.raise()
    }

    private func known() throws(RPCError) -> JSONWebKeySet {
        let (keys, failure) = state.withLock { ($0.keys, $0.failure) }
        guard let keys else { throw failure ?? RPCError(.unavailable) }
        return keys
    }
}

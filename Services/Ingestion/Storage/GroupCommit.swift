import Postgres
import Reactor
import Synchronization

/// Commits items in groups: those submitted while commits are under way share the next commit, and so one wait for the
/// disk. An item submitted while nothing is under way is committed at once and alone.
final class GroupCommit<Item: Sendable, Outcome: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let item: Item
        let continuation: UnsafeContinuation<Result<Outcome, any Error>, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var running = 0
    }

    private let itemsMax: Int
    private let waitingMax: Int
    private let groupsMax: Int
    private let commit: @Sendable ([Item]) async throws -> [Outcome]
    private let state = Mutex(State())

    /// `commit` returns the outcomes in the order of its items. At most `groupsMax` run at the same time, each with at
    /// most `itemsMax` items.
    init(
        itemsMax: Int, waitingMax: Int, groupsMax: Int = 2,
        commit: @escaping @Sendable ([Item]) async throws -> [Outcome]
    ) {
        self.itemsMax = itemsMax
        self.waitingMax = waitingMax
        self.groupsMax = groupsMax
        self.commit = commit
    }

    /// Returns after the item is committed. Cancelling the task does not undo it, since others share the commit. Call
    /// on a loop. Errors: `IOError.limit` when too many wait already, and those of `commit`.
    func submit(_ item: Item) async throws -> Outcome {
        guard let loop = EventLoop.current else { preconditionFailure("GroupCommit.submit outside an event loop") }
        let result: Result<Outcome, any Error> = await withUnsafeContinuation { continuation in
            let begins: Bool? = state.withLock { state in
                guard state.waiting.count < waitingMax else { return nil }
                state.waiting.append(Waiting(item: item, continuation: continuation))
                guard state.running < groupsMax else { return false }
                state.running += 1
                return true
            }
            switch begins {
            case nil: continuation.resume(returning: .failure(IOError.limit("commits waiting: \(waitingMax)")))
            case true?: _ = loop.task { await self.run() }
            case false?: break
            }
        }
        return try result.get()
    }

    /// Items in no commit yet.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func run() async {
        while let group = take() {
            do {
                let outcomes = try await commit(group.map(\.item))
                for (waiting, outcome) in zip(group, outcomes) {
                    waiting.continuation.resume(returning: .success(outcome))
                }
            } catch  where group.count > 1 && Self.isOneItemsFault(error) {
                for waiting in group { waiting.continuation.resume(returning: await alone(waiting.item)) }
            } catch {
                for waiting in group { waiting.continuation.resume(returning: .failure(error)) }
            }
        }
    }

    private func take() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            let group = Array(state.waiting.prefix(itemsMax))
            state.waiting.removeFirst(group.count)
            return group
        }
    }

    private func alone(_ item: Item) async -> Result<Outcome, any Error> {
        do {
            guard let outcome = try await commit([item]).first else { preconditionFailure("no outcome for an item") }
            return .success(outcome)
        } catch { return .failure(error) }
    }

    /// Whether the other items of a group may succeed without the one that the database refused.
    private static func isOneItemsFault(_ error: any Error) -> Bool {
        let underlying = (error as? TransactionError)?.underlying ?? error
        return (underlying as? PostgresError)?.sqlState?.concernsValues ?? false
    }
}

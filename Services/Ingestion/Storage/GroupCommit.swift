import Postgres
import Reactor
import Synchronization

/// Commits items in groups: those submitted while a commit is under way share the next one, and so one wait for the disk. An
/// item submitted while nothing is under way is committed at once and alone. A further group begins beside another only when
/// it is worth it, a quarter full, or when an item has waited for long: two small groups cost more than one.
final class GroupCommit<Item: Sendable, Outcome: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let item: Item
        let since: Deadline
        let continuation: UnsafeContinuation<Result<Outcome, any Error>, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var running = 0
        /// Whether a timer looks after items that have waited for long.
        var isTimed = false
    }

    /// What is to be done after the state has changed.
    private enum Step {
        case run
        case look(at: Deadline)
        case nothing
    }

    /// An item that has waited for so long waits for no other group, which may itself wait for a lock.
    private let patience: Duration

    private let itemsMax: Int
    private let waitingMax: Int
    private let groupsMax: Int
    private let commit: @Sendable ([Item]) async throws -> [Outcome]
    private let state = Mutex(State())

    /// `commit` returns the outcomes in the order of its items. At most `groupsMax` run at the same time, each with at
    /// most `itemsMax` items.
    init(
        itemsMax: Int, waitingMax: Int, groupsMax: Int = 2, patience: Duration = .milliseconds(10),
        commit: @escaping @Sendable ([Item]) async throws -> [Outcome]
    ) {
        self.itemsMax = itemsMax
        self.waitingMax = waitingMax
        self.groupsMax = groupsMax
        self.patience = patience
        self.commit = commit
    }

    /// Returns after the item is committed. Cancelling the task does not undo it, since others share the commit. Call
    /// on a loop. Errors: `IOError.limit` when too many wait already, and those of `commit`.
    func submit(_ item: Item) async throws -> Outcome {
        guard let loop = EventLoop.current else { preconditionFailure("GroupCommit.submit outside an event loop") }
        let result: Result<Outcome, any Error> = await withUnsafeContinuation { continuation in
            let step: Step? = state.withLock { state in
                guard state.waiting.count < waitingMax else { return nil }
                state.waiting.append(Waiting(item: item, since: .now(), continuation: continuation))
                return next(&state)
            }
            guard let step else {
                return continuation.resume(returning: .failure(IOError.limit("commits waiting: \(waitingMax)")))
            }
            take(step, on: loop)
        }
        return try result.get()
    }

    /// Items in no commit yet.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether another group is to begin now.
    private func next(_ state: inout State) -> Step {
        guard let oldest = state.waiting.first, state.running < groupsMax else { return .nothing }
        let due = oldest.since.advanced(by: patience)
        guard state.running == 0 || state.waiting.count >= itemsMax / 4 || due.hasPassed else {
            guard !state.isTimed else { return .nothing }
            state.isTimed = true
            return .look(at: due)
        }
        state.running += 1
        return .run
    }

    private func take(_ step: Step, on loop: EventLoop) {
        switch step {
        case .run: _ = loop.task { await self.run(on: loop) }
        case .look(let time):
            _ = loop.schedule(at: time) {
                let step = self.state.withLock { state in
                    state.isTimed = false
                    return self.next(&state)
                }
                self.take(step, on: loop)
            }
        case .nothing: break
        }
    }

    private func run(on loop: EventLoop) async {
        while let group = takeGroup(on: loop) {
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

    /// The next group of a run, which ends without one.
    private func takeGroup(on loop: EventLoop) -> [Waiting]? {
        let (group, step): ([Waiting]?, Step) = state.withLock { state in
            state.running -= 1
            let step = next(&state)
            guard case .run = step else { return (nil, step) }
            let group = Array(state.waiting.prefix(itemsMax))
            state.waiting.removeFirst(group.count)
            return (group, .nothing)
        }
        take(step, on: loop)
        return group
    }

    private func alone(_ item: Item) async -> Result<Outcome, any Error> {
        do {
            guard let outcome = try await commit([item]).first else { preconditionFailure("no outcome for an item") }
            return .success(outcome)
        } catch { return .failure(error) }
    }

    /// Whether the other items of a group may succeed without the one that was refused, by the database or before.
    private static func isOneItemsFault(_ error: any Error) -> Bool {
        switch (error as? TransactionError)?.underlying ?? error {
        case PostgresError.usage: true
        case let error as PostgresError: error.sqlState?.concernsValues ?? false
        case is IOError, is CancellationError: false
        default: true
        }
    }
}

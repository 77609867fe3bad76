import Postgres
import Reactor
import Synchronization

/// Commits items in groups: those submitted while a commit is under way share the next one, and so one wait for the disk. An
/// item submitted while nothing is under way is committed at once and alone. A further group begins beside another only when
/// it is worth it, a quarter full, or when an item has waited for long: two small groups cost more than one. Several that share
/// their turns are together as one.
public final class GroupCommit<Item: Sendable, Outcome: Sendable>: Sendable {
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
        /// Whether it waits for a turn.
        var isQueued = false
    }

    /// What is to be done after the state has changed.
    private enum Step {
        case run(turn: UInt64)
        case look(at: Deadline)
        case nothing
    }

    /// An item that has waited for so long waits for no other group of its own, which may itself wait for a lock.
    private let patience: Duration

    private let itemsMax: Int
    private let waitingMax: Int
    private let turns: CommitTurns
    private let commit: @Sendable ([Item]) async throws -> [Outcome]
    private let state = Mutex(State())

    /// `commit` returns the outcomes in the order of its items. At most as many as there are turns run at the same time, each
    /// with at most `itemsMax` items.
    public init(
        itemsMax: Int, waitingMax: Int, turns: CommitTurns = CommitTurns(), patience: Duration = .milliseconds(10),
        commit: @escaping @Sendable ([Item]) async throws -> [Outcome]
    ) {
        self.itemsMax = itemsMax
        self.waitingMax = waitingMax
        self.turns = turns
        self.patience = patience
        self.commit = commit
    }

    /// Returns after the item is committed. Cancelling the task does not undo it, since others share the commit. Call
    /// on a loop. Errors: `IOError.limit` when too many wait already, and those of `commit`.
    public func submit(_ item: Item) async throws -> Outcome {
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
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether another group is to begin now.
    private func next(_ state: inout State) -> Step {
        guard let oldest = state.waiting.first, state.running < turns.count else { return .nothing }
        var look = oldest.since.advanced(by: patience)
        if state.running == 0 || state.waiting.count >= itemsMax / 4 || look.hasPassed {
            let call: @Sendable (EventLoop) -> Bool = { loop in self.turnIsFree(on: loop) }
            switch turns.take(orWait: state.isQueued ? nil : call) {
            case .turn(let turn):
                state.running += 1
                return .run(turn: turn)
            case .later(let time):
                state.isQueued = true
                look = time
            }
        }
        guard !state.isTimed else { return .nothing }
        state.isTimed = true
        return .look(at: look)
    }

    /// Whether it is taken.
    private func turnIsFree(on loop: EventLoop) -> Bool {
        let step = state.withLock { state in
            state.isQueued = false
            return next(&state)
        }
        take(step, on: loop)
        guard case .run = step else { return false }
        return true
    }

    private func take(_ step: Step, on loop: EventLoop) {
        switch step {
        case .run(let turn): _ = loop.task { await self.run(in: turn, on: loop) }
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

    private func run(in first: UInt64, on loop: EventLoop) async {
        var turn = first
        while true {
            // Another group may have taken what this one was begun for.
            let group = takeGroup()
            if !group.isEmpty { await commit(group) }
            guard let next = nextTurn(after: turn, on: loop) else { return }
            turn = next
        }
    }

    private func commit(_ group: [Waiting]) async {
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

    private func takeGroup() -> [Waiting] {
        state.withLock { state in
            let group = Array(state.waiting.prefix(itemsMax))
            state.waiting.removeFirst(group.count)
            return group
        }
    }

    /// Gives a turn back, first to those who wait for one, and takes another when a group is to begin.
    private func nextTurn(after turn: UInt64, on loop: EventLoop) -> UInt64? {
        state.withLock { $0.running -= 1 }
        turns.end(turn, on: loop)
        let step = state.withLock { next(&$0) }
        guard case .run(let turn) = step else {
            take(step, on: loop)
            return nil
        }
        return turn
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

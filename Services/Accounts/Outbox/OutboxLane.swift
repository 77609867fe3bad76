import Reactor
import Synchronization

/// Sends what an outbox has of one kind as it falls due, several at once. One that is over makes room for the next, so that a
/// receiver that is slow holds up nobody else. What is on its way is claimed in the database for a time, without a transaction
/// that stays open; after a crash it is sent again.
final class OutboxLane: Sendable {
    /// How often the outbox is looked through for what came to other replicas, and for retries.
    static let pollTime = Duration.seconds(1)

    /// So many are on their way at once.
    private let underWayMax: Int
    private let arrived: EventCounter
    private let underWay = Atomic(0)

    init(underWayMax: Int, arrived: EventCounter) {
        self.underWayMax = underWayMax
        self.arrived = arrived
    }

    /// Sends until the task is cancelled; with `untilNoneIsDue` what is due now. `claim(max)` takes what is next; `isOpen(underWay)`
    /// says whether anything more may begin.
    func run<Item: Sendable>(
        untilNoneIsDue: Bool = false, isOpen: @escaping @Sendable (Int) -> Bool = { _ in true },
        claim: @escaping @Sendable (Int) async throws -> [Item],
        send: @escaping @Sendable (Item) async throws -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let seen = arrived.value
                let count = underWay.load(ordering: .acquiring)
                let free = isOpen(count) ? underWayMax - count : 0
                let due = free > 0 ? try await claim(free) : []
                for item in due {
                    underWay.add(1, ordering: .relaxed)
                    group.addTask { [self] in
                        defer {
                            underWay.subtract(1, ordering: .releasing)
                            arrived.raise()
                        }
                        try await send(item)
                    }
                }
                if untilNoneIsDue, due.isEmpty, count == 0 { return }
                _ = await arrived.wait(after: seen, deadline: .after(Self.pollTime))
            }
        }
    }
}

import ProcessTesting
import Reactor
import ReactorTesting
import Synchronization

/// What writers were told about each thing they wrote.
final class Ledger<Key: Hashable & Sendable>: Sendable {
    struct Books: Sendable {
        /// The commit was acknowledged.
        var acknowledged: Set<Key> = []
        /// The connection was lost during the commit.
        var unknown: Set<Key> = []
        /// Nothing took effect, it was said.
        var refused: Set<Key> = []
    }

    private let state = Mutex(Books())
    private let changed = EventCounter()

    var books: Books { state.withLock { $0 } }
    var count: Int { state.withLock { $0.acknowledged.count } }

    func change(_ body: (inout Books) -> Void) {
        state.withLock { body(&$0) }
        changed.raise()
    }

    /// Waits until so many are acknowledged.
    func reached(_ count: Int, within time: Duration = .patience) async throws {
        let deadline = Deadline.after(time)
        while true {
            let seen = changed.value
            if self.count >= count { return }
            guard !deadline.hasPassed else { throw ProcessFailure("only \(self.count) of \(count) were acknowledged") }
            try Task.checkCancellation()
            _ = await changed.wait(after: seen, deadline: deadline)
        }
    }
}

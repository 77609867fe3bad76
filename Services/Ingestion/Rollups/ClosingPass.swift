import Postgres
import Reactor
import Synchronization

/// One turn at closing days, in one process. The next one begins when this one has ended, or has said nothing for `seconds`; what
/// this one then still writes is refused.
final class ClosingPass: Sendable {
    /// For so long after it was heard of a pass holds others off.
    static let seconds: Int32 = 60

    /// Another pass has begun.
    struct Overtaken: Error {}

    /// Later passes have higher ones.
    let number: Int32
    private let home: Database
    private let interval: Duration
    private let saidAt = Mutex(Deadline.now())

    init(_ number: Int32, home: Database, interval: Duration = .seconds(2)) {
        self.number = number
        self.home = home
        self.interval = interval
    }

    /// Says that it is at work, once in `interval`; to be called much more often than every `seconds`.
    func goOn() async throws {
        let isTime = saidAt.withLock { saidAt in
            guard Deadline.now().since(saidAt) >= interval else { return false }
            saidAt = .now()
            return true
        }
        if isTime { try await change(RollupStore.goOn(number, seconds: Self.seconds)) }
    }

    /// Runs a statement that changes one row while no other pass has begun.
    func change(_ statement: SQL) async throws {
        guard try await home.execute(statement) == 1 else { throw Overtaken() }
    }
}

import Postgres
import Primitives
import Reactor
import Synchronization

/// The clock of this service's database, as this process last read it and by the monotonic clock since: what times are
/// counted by while the database cannot be asked. Before it was read once, the machine's.
final class DatabaseClock: Sendable {
    private let known = Mutex<(time: Timestamp, at: Deadline)?>(nil)

    func learn(_ time: Timestamp, at now: Deadline = .now()) { known.withLock { $0 = (time, now) } }

    func now(at now: Deadline = .now()) -> Timestamp {
        known.withLock { $0.map { $0.time + now.since($0.at) } } ?? .now()
    }
}

/// Whether the database has not done something because of its own state, or not said in time.
func isDatabaseAway(_ error: any Error) -> Bool {
    switch error {
    case let error as TransactionError: isDatabaseAway(error.underlying)
    case let error as PostgresError:
        switch error {
        case .connection, .outcomeUnknown, .timedOut, .overloaded, .closed: true
        case .server(let failure): !failure.sqlState.concernsValues
        case .cancelled, .decoding, .usage: false
        }
    default: false
    }
}

import Primitives
import Synchronization

/// When each person's last arrival was stored, of people who sent something lately: the last number is then looked for
/// only in the partitions since that time. It never has to be right about the number, which is read in the transaction
/// that gives the next one; and it may be too early, but never too late: of one person no arrival is stored before
/// another one that precedes it, whichever process stores it and however the database's clock was set meanwhile.
final class KnownArrivals: Sendable {
    private let times: Mutex<GenerationCache<UUID, Timestamp>>

    init(peopleMax: Int) {
        times = Mutex(GenerationCache(entriesMax: peopleMax))
    }

    /// The times, in the order of `accounts`; `unknown` for those of whom nothing is known.
    func times(of accounts: [UUID], unknown: Timestamp) -> [Timestamp] {
        times.withLock { times in accounts.map { times[$0] ?? unknown } }
    }

    /// Call after the commit.
    func stored(_ arrivals: [(account: UUID, time: Timestamp)]) {
        times.withLock { times in
            for (account, time) in arrivals { times.insert(time, for: account) }
        }
    }
}

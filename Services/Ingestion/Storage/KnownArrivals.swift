import Primitives
import Service
import Synchronization

/// The last arrivals of people who sent something lately: a person's last number is then looked for only in the partitions
/// since that time. It never has to be right about the number, which is read in the transaction that gives the next one; and
/// the time may be too early, but never lies between arrivals: of one person none is stored before another one that precedes it,
/// whichever process stores it and however the database's clock was set meanwhile. When none is found, it is looked for everywhere:
/// those of that time are in blocks, or are brought back (`FutureArrivals`).
final class KnownArrivals: Sendable {
    /// Arrivals of one person that this process has stored, with none of another process among them.
    struct Run: Sendable, Equatable {
        /// The number of the first one, and of the last one; when there is none, they are the other way round.
        var since: Int32 = 1
        var through: Int32 = 0

        /// Adds an arrival whose number is the next after `last`. Another process may have stored that one.
        mutating func add(_ number: Int32) {
            if through != number - 1 { since = number }
            through = number
        }
    }

    struct Last: Sendable {
        var storedAt: Timestamp
        var run: Run
    }

    private let people: Mutex<GenerationCache<UUID, Last>>

    init(peopleMax: Int) {
        people = Mutex(GenerationCache(entriesMax: peopleMax))
    }

    /// In the order of `accounts`; `nil` for those of whom nothing is known.
    func last(of accounts: [UUID]) -> [Last?] {
        people.withLock { people in accounts.map { people[$0] } }
    }

    /// Call after the commit.
    func stored(_ arrivals: [(account: UUID, last: Last)]) {
        people.withLock { people in
            for (account, last) in arrivals { people.insert(last, for: account) }
        }
    }
}

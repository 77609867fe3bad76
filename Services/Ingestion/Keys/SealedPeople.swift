import JSON
import Postgres
import Primitives
import Synchronization
import Telemetry

/// The key store has no key of a person, and no trace of one that was destroyed, although something of the person is sealed: it is an
/// older one than it was, or another one. Once it is back, so is the person.
struct KeyMissing: Error, CustomStringConvertible {
    var description: String { "the person's key is not in the key store" }
}

/// The people of a shard of whom something is sealed.
final class SealedPeople: Sendable {
    /// People who are remembered, so that each is logged once.
    private static let toldMax = 1000

    private let database: Database
    private let log: Log
    private let missing: Counter
    private let told = Mutex<Set<Int32>>([])

    init(_ database: Database, _ observer: Observer) {
        self.database = database
        log = observer.log
        missing = observer.metrics.counter(
            "trackme_ingestion_keys_missing_total",
            "Times that something was to be stored of a person whose key the key store has lost.")
    }

    /// Those among some people, with their numbers.
    func among(_ accounts: Set<UUID>) async throws(PostgresError) -> [UUID: Int32] {
        let people = try await database.query(
            """
            select account_id, number from person
            where account_id = any(\(accounts.sorted())) and (types <> 0 or details is not null)
            """, as: UUID.self, Int32.self)
        return Dictionary(uniqueKeysWithValues: people.map { ($0.0, $0.1) })
    }

    /// Logs and counts people whose keys are missing.
    func report(_ people: [Int32]) {
        missing.increment(by: people.count)
        for number in people where told.withLock({ $0.count < Self.toldMax && $0.insert(number).inserted }) {
            log.error(
                "a person's key is not in the key store: nothing of the person can be read or stored",
                ["person": .integer(Int64(number))])
        }
    }
}

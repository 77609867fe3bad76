import JSON
public import Postgres
public import Primitives
import Synchronization
public import Telemetry

/// The people of whom something is sealed in a database, for services that make keys when they are first needed.
public final class SealedRows: Sendable {
    /// People who are remembered, so that each is logged once.
    private static let toldMax = 1000

    private let database: Database
    private let question: @Sendable ([UUID]) -> SQL
    private let log: Log
    private let missing: Counter
    private let told = Mutex<Set<UUID>>([])

    /// `asking` makes the question for those, among some accounts, of whom something is sealed.
    public init(
        of service: String, in database: Database, _ observer: Observer,
        asking question: @escaping @Sendable ([UUID]) -> SQL
    ) {
        self.database = database
        self.question = question
        log = observer.log
        missing = observer.metrics.counter(
            "trackme_\(service)_keys_missing_total",
            "Times that something was to be stored of a person whose key the key store has lost.")
    }

    /// Those among some people; asked in a transaction by who has one, so that nobody waits for a second connection.
    func among(_ accounts: Set<UUID>, in transaction: Transaction?) async throws -> Set<UUID> {
        let question = question(accounts.sorted())
        guard let transaction else { return Set(try await database.query(question, as: UUID.self)) }
        return Set(try await transaction.query(question, as: UUID.self))
    }

    /// Logs and counts people whose keys are missing.
    func report(_ accounts: Set<UUID>) {
        missing.increment(by: accounts.count)
        for account in accounts where told.withLock({ $0.count < Self.toldMax && $0.insert(account).inserted }) {
            log.error(
                "a person's key is not in the key store: nothing of the person can be read or stored",
                ["account": .string(account.description)])
        }
    }
}

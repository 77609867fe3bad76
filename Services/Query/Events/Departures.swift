import Postgres
import Synchronization

/// Events with data that have left, until the table knows: what has not left when a consent ends goes, and what has stays in the third
/// party's history (REQ-10, REQ-12). A crash forgets those of the last moment, which then count as not delivered.
final class Departures: Sendable {
    private let database: Database
    private let log: EventLog
    private let waiting = Mutex<Set<EventLog.Place>>([])

    init(database: Database, log: EventLog) {
        self.database = database
        self.log = log
    }

    func note(_ events: [Event]) {
        waiting.withLock { waiting in
            for event in events where event.kind.isData && !event.isPart {
                waiting.insert(EventLog.Place(requester: event.requester, number: event.number))
            }
        }
    }

    /// Tells the table.
    func save() async throws(PostgresError) {
        let places = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !places.isEmpty else { return }
        do throws(PostgresError) {
            try await log.left(places, in: database)
        } catch {
            waiting.withLock { $0.formUnion(places) }
            throw error
        }
    }
}

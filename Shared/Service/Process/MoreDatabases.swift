import Postgres
import Reactor
import Synchronization

/// The databases that a service has beside its own.
final class MoreDatabases: Sendable {
    private let given: [String: Database]
    private let opened = Mutex<[Database]>([])

    init(given: [String: Database]) {
        self.given = given
    }

    func given(_ schema: String) -> Database? { given[schema] }

    func add(_ database: Database) { opened.withLock { $0.append(database) } }

    /// Closes those that were opened here.
    func close(by deadline: Deadline) async {
        let databases = opened.withLock { databases in
            defer { databases = [] }
            return databases
        }
        for database in databases { await database.close(deadline: deadline) }
    }
}

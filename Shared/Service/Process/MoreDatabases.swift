import Postgres
import Reactor
import Synchronization

/// The databases that a service has beside its own.
final class MoreDatabases: Sendable {
    private let given: [String: Database]
    private let opened = Mutex<[(database: Database, settings: DatabaseSettings)]>([])

    init(given: [String: Database]) {
        self.given = given
    }

    func given(_ schema: String) -> Database? { given[schema] }

    func add(_ database: Database, _ settings: DatabaseSettings) {
        opened.withLock { $0.append((database, settings)) }
    }

    /// Those that were opened here, by schema.
    var all: [(schema: String, database: Database)] { opened.withLock { $0.map { ($0.settings.schema, $0.database) } } }

    /// Reads their passwords again; what cannot be read leaves all as they are.
    func reload(application: String, loops: Int) throws(ConfigurationError) {
        let all = opened.withLock { $0 }
        let new = try all.map { (one) throws(ConfigurationError) in
            try one.settings.configuration(application: application, loops: loops).connectionInfo
        }
        for (one, info) in zip(all, new) where one.database.configuration.connectionInfo != info {
            one.database.reconnect(with: info)
        }
    }

    /// Closes those that were opened here.
    func close(by deadline: Deadline) async {
        let databases = opened.withLock { databases in
            defer { databases = [] }
            return databases
        }
        for (database, _) in databases { await database.close(deadline: deadline) }
    }
}

import Postgres
import Reactor
import Synchronization

/// The databases that a service has beside its own.
final class MoreDatabases: Sendable {
    private let given: [String: Database]
    private struct Opened {
        let database: Database
        /// `nil`: as the service's own, which a test has made.
        var settings: DatabaseSettings?
    }

    private let opened = Mutex<[Opened]>([])

    init(given: [String: Database]) {
        self.given = given
    }

    func given(_ schema: String) -> Database? { given[schema] }

    func add(_ database: Database, _ settings: DatabaseSettings?) {
        opened.withLock { $0.append(Opened(database: database, settings: settings)) }
    }

    func remove(_ database: Database) {
        opened.withLock { opened in opened.removeAll { $0.database === database } }
    }

    func settings(of database: Database) -> DatabaseSettings? {
        opened.withLock { $0.first { $0.database === database }?.settings }
    }

    func replace(_ settings: DatabaseSettings, of database: Database) {
        opened.withLock { opened in
            for index in opened.indices where opened[index].database === database { opened[index].settings = settings }
        }
    }

    /// Those that were opened here, by schema.
    var all: [(schema: String, database: Database)] {
        opened.withLock { $0.map { ($0.database.configuration.searchPath.first ?? "", $0.database) } }
    }

    /// Reads their passwords again; what cannot be read leaves all as they are.
    func reload(application: String, loops: Int) throws(ConfigurationError) {
        let all = opened.withLock { $0 }
        let new = try all.map { (one) throws(ConfigurationError) in
            try one.settings?.configuration(application: application, loops: loops).connectionInfo
        }
        for case (let one, let info?) in zip(all, new) where one.database.configuration.connectionInfo != info {
            one.database.reconnect(with: info)
        }
    }

    /// Closes those that were opened here.
    func close(by deadline: Deadline) async {
        let databases = opened.withLock { databases in
            defer { databases = [] }
            return databases
        }
        for one in databases { await one.database.close(deadline: deadline) }
    }
}

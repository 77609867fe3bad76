import JSON
import Postgres
import Reactor

/// Brings a schema up to date, or checks that it is, and waits while the database is not there: a service that was
/// started before its database comes up by itself.
struct SchemaPreparation: Sendable {
    static let pauseMin = Duration.milliseconds(200)
    static let pauseMax = Duration.seconds(5)

    private let schema: String
    private let migrates: Bool
    private let migrations: Migrations
    private let log: Log
    private let pacing: any Pacing

    init(_ settings: DatabaseSettings, _ migrations: [Migration], log: Log, pacing: any Pacing) {
        self.init(schema: settings.schema, migrates: settings.migrate, migrations, log: log, pacing: pacing)
    }

    init(schema: String, migrates: Bool, _ migrations: [Migration], log: Log, pacing: any Pacing) {
        self.schema = schema
        self.migrates = migrates
        // The version of the program before this one has to work on the schema that this one made.
        self.migrations = Migrations(schema: schema, migrations, newerMax: 1)
        self.log = log
        self.pacing = pacing
    }

    /// Throws when waiting is no use: the schema is too new, say, or a migration fails. Errors of `pacing` too.
    func prepare(_ database: Database) async throws {
        var pause = Self.pauseMin
        while true {
            do throws(MigrationError) {
                try await attempt(database)
                return
            } catch {
                guard error.mayPass else { throw error }
                log.warning(
                    "waiting for the database",
                    ["schema": .string(schema), "error": .string(error.description)])
            }
            try await pacing.pause(pause)
            pause = min(pause * 2, Self.pauseMax)
        }
    }

    /// Once, without waiting.
    func attempt(_ database: Database) async throws(MigrationError) {
        guard migrates else { return try await migrations.check(on: database) }
        let applied = try await migrations.run(on: database)
        guard !applied.isEmpty else { return }
        log.info(
            "schema migrated",
            ["schema": .string(schema), "migrations": .array(applied.map { .integer(Int64($0)) })])
    }
}

extension MigrationError {
    /// Whether the failure may end without touching this service: somebody starts the database, or makes the role or
    /// schema.
    var mayPass: Bool {
        switch self {
        case .numbering, .tooNew, .changed, .pending: false
        case .noSchema, .locked: true
        case .failed(_, _, let error): error.isConnectionLoss
        case .database(let error):
            if case .server = error { true } else { error.mayPass }
        }
    }
}

extension PostgresError {
    /// Whether the failure may end by itself.
    var mayPass: Bool {
        switch self {
        case .connection, .timedOut, .overloaded, .outcomeUnknown: true
        case .server(let error): error.sqlState.isTemporary
        case .cancelled, .closed, .decoding, .usage: false
        }
    }

    fileprivate var isConnectionLoss: Bool { if case .overloaded = self { false } else { mayPass } }
}

internal import Reactor

/// Brings a schema to the version that the program needs. What was applied is recorded in the schema's table
/// `schema_version`; an advisory lock per schema makes sure that of several processes one migrates and the others wait.
public struct Migrations: Sendable {
    private let schema: String
    private let migrations: [Migration]
    private let newerMax: Int

    /// `newerMax`: so many migrations that the program does not know are accepted, for a service that is put back by one
    /// release (its schema versions have to work with the program before).
    public init(schema: String, _ migrations: [Migration], newerMax: Int = 0) {
        self.schema = schema
        self.migrations = migrations
        self.newerMax = newerMax
    }

    /// Applies what is missing and returns the numbers applied. `wait` bounds the waiting for another process, and for the
    /// locks of each migration: one that cannot have its locks at once stands aside and tries again, since whoever wants a
    /// table behind it would wait as well. A migration itself may take as long as it needs.
    @discardableResult
    public func run(
        on database: Database, wait: Duration = .seconds(60)
    ) async throws(MigrationError) -> [Int] {
        try checkNumbering()
        return try await withSession(database) { connection throws(MigrationError) in
            try await lock(connection, wait: wait)
            // The lock ends with the connection.
            try await createTable(connection)
            let pending = try pending(await applied(connection))
            for (migration, checksum) in pending {
                try await apply(migration, checksum, on: connection, until: .after(wait))
            }
            return pending.map(\.0.number)
        }
    }

    /// Changes nothing: throws unless the schema is as the program needs it.
    public func check(on database: Database) async throws(MigrationError) {
        try checkNumbering()
        try await withSession(database) { connection throws(MigrationError) in
            let pending = try pending(await applied(connection)).map(\.0.number)
            guard pending.isEmpty else { throw .pending(pending) }
        }
    }

    // MARK: Steps

    private struct Applied {
        let number: Int
        let checksum: [UInt8]
    }

    /// The schema's versions and the checksums of the program's own, which the server computes (SHA-256).
    private func applied(_ connection: Connection) async throws(MigrationError) -> (rows: [Applied], own: [[UInt8]]) {
        do throws(PostgresError) {
            let texts = migrations.map(\.sql)
            let own = try await connection.query(
                "select sha256(t.sql) from unnest(\(texts)) with ordinality as t (sql, n) order by t.n",
                as: [UInt8].self)
            guard try await hasTable(connection) else { return ([], own) }
            let rows = try await connection.query(
                "select number, checksum from \(sql: table) order by number", as: Int.self, [UInt8].self)
            return (rows.map { Applied(number: $0, checksum: $1) }, own)
        } catch { throw .database(error) }
    }

    private func hasTable(_ connection: Connection) async throws(PostgresError) -> Bool {
        try await connection.queryOne(
            """
            select exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where n.nspname = \(schema) and c.relname = 'schema_version')
            """, as: Bool.self) ?? false
    }

    /// Compares what was applied with what the program has; the answer is what is missing, with checksums.
    private func pending(_ state: (rows: [Applied], own: [[UInt8]])) throws(MigrationError) -> [(Migration, [UInt8])] {
        if let last = state.rows.last?.number, last > migrations.count + newerMax {
            throw .tooNew(schema: schema, found: last, known: migrations.count)
        }
        for row in state.rows where row.number <= migrations.count {
            guard row.number >= 1, state.own[row.number - 1] == row.checksum else {
                throw .changed(row.number, row.number >= 1 ? migrations[row.number - 1].name : "")
            }
        }
        let numbers = Set(state.rows.map(\.number))
        return zip(migrations, state.own).filter { !numbers.contains($0.0.number) }.map { ($0, $1) }
    }

    private func createTable(_ connection: Connection) async throws(MigrationError) {
        do throws(PostgresError) {
            let found = try await connection.queryOne(
                "select exists (select from pg_catalog.pg_namespace where nspname = \(schema))", as: Bool.self)
            guard found == true else { throw .usage("") }
            if try await hasTable(connection) { return }
            try await connection.execute(
                """
                create table \(sql: table) (
                  number integer constraint schema_version_key primary key,
                  name text not null,
                  checksum bytea not null,
                  applied_at timestamptz not null default now())
                """)
        } catch {
            throw error == .usage("") ? .noSchema(schema) : .database(error)
        }
    }

    /// How long one statement of a migration waits for a lock.
    private static let lockTime = Duration.seconds(2)

    private func apply(
        _ migration: Migration, _ checksum: [UInt8], on connection: Connection, until deadline: Deadline
    ) async throws(MigrationError) {
        var failures = 0
        while true {
            do {
                return try await apply(
                    migration, checksum, on: connection, locksWithin: min(Self.lockTime, deadline.remaining))
            } catch {
                guard case .failed(_, _, let reason) = error, reason.sqlState == .lockNotAvailable, !deadline.hasPassed
                else { throw error }
                failures += 1
                let pause = BackOff(base: .milliseconds(100)).delay(afterFailures: failures)
                do { try await connection.loop.sleep(for: pause) } catch { throw .database(.cancelled) }
            }
        }
    }

    private func apply(
        _ migration: Migration, _ checksum: [UInt8], on connection: Connection, locksWithin lockTime: Duration
    ) async throws(MigrationError) {
        do throws(TransactionError) {
            try await connection.transaction(retriesMax: 0) { transaction in
                try await transaction.execute(
                    "select set_config('lock_timeout', \("\(lockTime.wholeMilliseconds)ms"), true)")
                // Unqualified names of a migration mean this schema, however the session looks for names.
                try await transaction.execute("select set_config('search_path', \(quoted(schema)), true)")
                try await connection.runText(String(decoding: migration.sql, as: UTF8.self), deadline: .never)
                guard connection.isInTransaction else {
                    throw PostgresError.usage("a migration must not end its own transaction")
                }
                try await transaction.execute(
                    """
                    insert into \(sql: table) (number, name, checksum)
                    values (\(migration.number), \(migration.name), \(checksum))
                    """)
            }
        } catch {
            throw .failed(
                migration.number, migration.name, error.postgres ?? .connection(detail: error.debugDescription))
        }
    }

    /// Waits in the server, in short statements, so that a waiting process holds no snapshot for long.
    private func lock(_ connection: Connection, wait: Duration) async throws(MigrationError) {
        do throws(PostgresError) {
            try await connection.execute(
                "select pg_advisory_lock(hashtextextended(\("schema_version " + schema), 0))", deadline: .after(wait))
        } catch {
            throw error == .timedOut ? .locked : .database(error)
        }
    }

    private func withSession<R: Sendable>(
        _ database: Database, _ body: @Sendable (Connection) async throws(MigrationError) -> R
    ) async throws(MigrationError) -> R {
        var configuration = database.configuration
        configuration.statementTime = nil
        configuration.queryTime = .seconds(600)
        let session = configuration
        return try await withTaskExecutorPreference(database.nextLoop()) { () async throws(MigrationError) -> R in
            let connection: Connection
            do throws(PostgresError) {
                connection = try await Connection.open(session, deadline: .after(.seconds(30)))
            } catch { throw .database(error) }
            defer { connection.close() }
            return try await body(connection)
        }
    }

    private var table: SQL { "\(identifier: schema).schema_version" }

    private func checkNumbering() throws(MigrationError) {
        guard migrations.map(\.number) == Array(1...max(1, migrations.count)).prefix(migrations.count).map({ $0 })
        else {
            throw .numbering
        }
    }
}

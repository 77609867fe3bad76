internal import Glibc
public import Postgres
internal import Primitives
public import Reactor

/// A schema of its own for one test, in the cluster that `deploy/test` makes; dropped afterwards.
///
/// ```swift
/// try await TestDatabase.with { test in
///     try await test.database.execute("create table reading (value int8)")
/// }
/// ```
public struct TestDatabase: Sendable {
    /// Connections per loop, small because tests run side by side.
    public static let connectionsMax = 4

    /// The schema made for the test.
    public let schema: String
    public let loops: EventLoopGroup
    /// Finds unqualified names in the test's schema and nowhere else, so that what leaks out of it fails.
    public let database: Database

    /// The missing cluster, in one sentence.
    public struct Missing: Error, CustomStringConvertible {
        public let description = "TRACKME_TEST_DATABASE is not set: run deploy/test, which makes a database and sets it"
    }

    /// The test cluster's connection string.
    public static func connectionInfo() throws(Missing) -> String {
        guard let value = getenv("TRACKME_TEST_DATABASE") else { throw Missing() }
        return String(cString: value)
    }

    /// Runs `body` on a loop, with a fresh schema. `configure` may change how the database is used.
    public static func with<R: Sendable>(
        loops count: Int = 1, configure: (inout DatabaseConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (TestDatabase) async throws -> R
    ) async throws -> R {
        let schema = "test_" + UUID.random().description.filter { $0 != "-" }
        var configuration = DatabaseConfiguration(
            connectionInfo: try connectionInfo(), searchPath: [schema], applicationName: schema)
        configuration.connectionsPerLoopMax = connectionsMax
        configuration.queryTime = .seconds(20)
        configure(&configuration)
        let chosen = configuration
        return try await TestTurns.with { try await run(count, chosen, schema, body) }
    }

    private static func run<R: Sendable>(
        _ loops: Int, _ configuration: DatabaseConfiguration, _ schema: String,
        _ body: @escaping @Sendable (TestDatabase) async throws -> R
    ) async throws -> R {
        try await EventLoopGroup.withLoops(loops) { loops in
            let database = Database(configuration, loops: loops)
            let test = TestDatabase(schema: schema, loops: loops, database: database)
            let outcome: Result<R, any Error>
            do {
                try await test.database.execute("create schema \(identifier: schema)")
                outcome = .success(try await body(test))
            } catch { outcome = .failure(error) }
            await database.close()
            try await dropSchema(schema, loops)
            return try outcome.get()
        }
    }

    /// Another database object on the same schema, as a second replica would have. To be closed by the test.
    public func another(_ configure: (inout DatabaseConfiguration) -> Void = { _ in }) -> Database {
        var configuration = database.configuration
        configure(&configuration)
        return Database(configuration, loops: loops)
    }

    /// With connections of its own: the test's may be in any state, and its configuration wrong on purpose.
    private static func dropSchema(_ schema: String, _ loops: EventLoopGroup) async throws {
        let database = Database(
            DatabaseConfiguration(
                connectionInfo: try connectionInfo(), searchPath: [], applicationName: "\(schema)_drop"),
            loops: loops)
        // Sessions that a failed test left behind would hold locks.
        try await database.execute(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = \(schema) and pid <> pg_backend_pid()
            """)
        for schema in [schema, AuditTables.schema(beside: schema)] {
            try await database.execute("drop schema if exists \(identifier: schema) cascade")
        }
        await database.close()
    }
}

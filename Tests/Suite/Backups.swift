import Contracts
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting

/// Backups of single schemas, made and read in again as deploy/README.md says.
extension RunningSuite {
    func backUp(_ schema: String) async throws {
        try await postgres("pg_dump", "--schema=\(schema)", "--file=\(backup(of: schema))")
    }

    /// Reads the backup of a service's own schema in, with the next generation of its feeds. The service must be down.
    func restore(_ service: ServiceName) async throws {
        try await readIn(service.rawValue)
        let database = cluster.database()
        try await database.execute(
            "update \(identifier: service.rawValue).feed_state set generation = generation + 1")
        await database.close()
    }

    /// The same of a service's key store, which has no feeds.
    func restoreKeys(of service: ServiceName) async throws { try await readIn(keySchema(of: service)) }

    func keySchema(of service: ServiceName) -> String { ServiceSchemas(of: service.rawValue).keys }

    /// Whether a service has a key that opens what is sealed for an account.
    func hasKey(of account: UUID, _ service: ServiceName) async throws -> Bool {
        let schema = keySchema(of: service)
        return try await stored(
            service,
            """
            select exists (
              select from \(identifier: schema).subject_key where account_id = \(account) and wrapped is not null)
            """)
    }

    private func readIn(_ schema: String) async throws {
        let database = cluster.database()
        try await database.execute("drop schema \(identifier: schema) cascade")
        await database.close()
        try await postgres("psql", "--quiet", "--set=ON_ERROR_STOP=1", "--file=\(backup(of: schema))")
    }

    private func backup(of schema: String) -> String { directory.file("\(schema).sql") }

    private func postgres(_ program: String, _ arguments: String...) async throws {
        let address = cluster.address
        try await cluster.run(
            program, arguments, ["PGUSER": address.user, "PGPASSWORD": address.password, "PGDATABASE": address.name])
    }
}

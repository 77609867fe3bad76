import Contracts
import Glibc
import Postgres
import ProcessTesting
import Reactor
import Testing

@Suite struct RoleTests {
    /// The files of `deploy/postgres`, seen from this one.
    private static let scripts =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/deploy/postgres"
    private static let schemas = ["accounts", "ingestion", "query", "statistics", "dispatcher", "track4run"]
    private static let keySchemas = ["keys", "accounts_keys", "query_keys", "dispatcher_keys", "track4run_keys"]

    @Test(
        "NFR-05 NFR-03: the containers' roles are made on an empty server, again at any time, and reach their own schema",
        .timeLimit(.minutes(5)))
    func roles() async throws {
        try await PrivateCluster.withDirectory { cluster, directory in
            try await cluster.start()
            let database = cluster.database()
            try await database.execute("create role trackme_admin superuser login")
            for name in ["admin"] + Self.schemas + Self.keySchemas {
                try directory.write("trackme_\(name).password", "secret-\(name)\n")
            }
            // A server that was stopped in the middle has some of it.
            try await database.execute("create database trackme")
            for _ in 1...2 {
                try await cluster.run(
                    "\(Self.scripts)/container-roles.sh", [], ["TRACKME_PASSWORDS": directory.path])
            }
            try await check(database)
            await database.close()
            try await checkSchemas("trackme", Self.schemas, cluster, cluster.loops)
            try await checkSchemas("trackme_keys", Self.keySchemas, cluster, cluster.loops)
        }
    }

    private func check(_ database: Database) async throws {
        let reach = try await database.query(
            """
            select rolname::text, string_agg(datname::text, ' ' order by datname)
            from pg_roles, pg_database
            where rolname like 'trackme\\_%' and not rolsuper and datallowconn
              and (has_database_privilege(rolname, datname, 'connect') or has_database_privilege(rolname, datname, 'temp'))
            group by rolname
            """, as: String.self, String.self)
        #expect(
            Dictionary(uniqueKeysWithValues: reach)
                == Dictionary(
                    uniqueKeysWithValues: Self.schemas.map { ("trackme_\($0)", "trackme") }
                        + Self.keySchemas.map { ("trackme_\($0)", "trackme_keys") }))
    }

    /// Whoever may create in a database, and where.
    private func checkSchemas(
        _ name: String, _ schemas: [String], _ cluster: PrivateCluster, _ loops: EventLoopGroup
    ) async throws {
        var address = cluster.address
        address.name = name
        let database = PrivateCluster.database(address, schema: "public", loops)
        let rights = try await database.query(
            """
            select rolname::text, string_agg(nspname::text, ' ' order by nspname)
            from pg_roles, pg_namespace
            where rolname like 'trackme\\_%' and not rolsuper and nspname !~ '^pg_' and nspname <> 'information_schema'
              and (has_schema_privilege(rolname, pg_namespace.oid, 'create')
                or has_schema_privilege(rolname, pg_namespace.oid, 'usage'))
            group by rolname
            """, as: String.self, String.self)
        await database.close()
        var expected = Dictionary(uniqueKeysWithValues: schemas.map { ("trackme_\($0)", $0) })
        if name == "trackme" {
            let services = ServiceName.allCases.map(\.rawValue).sorted()
            for service in services { expected["trackme_\(service)"] = "\(service) \(service)_audit" }
            expected["trackme_audit"] = services.map { "\($0)_audit" }.joined(separator: " ")
        }
        #expect(Dictionary(uniqueKeysWithValues: rights) == expected)
    }
}

import Contracts
import Domain
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import Security
import Service
import Testing

/// The audit trails with the roles that `deploy/postgres` makes.
@Suite struct AuditRoleTests {
    /// The files of `deploy/postgres`, seen from this one.
    private static let scripts =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/deploy/postgres"

    /// What a service may not do to its own trail.
    private static func forbidden(_ audit: SQL, _ schema: String) -> [SQL] {
        let tables = ["audit_entry", "audit_waiting", "audit_head"].map { "\(sql: audit).\(identifier: $0)" as SQL }
        let ofEach: [(SQL) -> SQL] = [
            { "delete from \(sql: $0)" }, { "truncate \(sql: $0)" }, { "drop table \(sql: $0)" },
            { "drop table \(sql: $0) cascade" }, { "alter table \(sql: $0) disable trigger all" },
            { "alter table \(sql: $0) owner to current_user" }, { "alter table \(sql: $0) rename to gone" },
            { "alter table \(sql: $0) add column more text" },
            {
                "create trigger t before insert on \(sql: $0) for each row execute function suppress_redundant_updates_trigger()"
            },
            { "create rule r as on insert to \(sql: $0) do instead nothing" },
        ]
        let others: [SQL] = [
            "update \(sql: audit).audit_entry set actor = 'x'", "update \(sql: audit).audit_waiting set actor = 'x'",
            "update \(sql: audit).audit_head set sequence = 0",
            "insert into \(sql: audit).audit_entry select * from \(sql: audit).audit_entry",
            "insert into \(sql: audit).audit_waiting (recorded_at, actor, action, purpose) values ('2000-01-01', '', '', '')",
            "drop schema \(sql: audit) cascade", "alter schema \(sql: audit) rename to gone",
            "create table \(sql: audit).more ()", "drop function \(sql: audit).audit_tie(bigint, integer)",
            "alter function \(sql: audit).audit_delete(timestamptz) security invoker",
            """
            create or replace function \(sql: audit).audit_delete(before timestamptz) returns integer language sql as 'select 0'
            """,
            "select \(sql: audit).audit_delete(now() - interval '364 days')",
            "select \(sql: audit).audit_delete(null)", "set role trackme_audit", "grant trackme_audit to current_user",
            "select * from \(identifier: schema == "accounts" ? "query_audit" : "accounts_audit").audit_entry",
        ]
        return tables.flatMap { table in ofEach.map { $0(table) } } + others
    }

    private static func withRoles(
        _ body: @escaping @Sendable (PrivateCluster, TestDirectory) async throws -> Void
    ) async throws {
        try await PrivateCluster.withDirectory { cluster, directory in
            try await cluster.start()
            let database = cluster.database()
            try await database.execute("create role trackme_admin superuser login")
            await database.close()
            let stores = ["keys", "accounts_keys", "query_keys", "dispatcher_keys", "track4run_keys"]
            for name in ["admin", "statistics"] + stores + ServiceName.allCases.map(\.rawValue) {
                try directory.write("trackme_\(name).password", "secret-\(name)\n")
            }
            try await cluster.run("\(scripts)/container-roles.sh", [], ["TRACKME_PASSWORDS": directory.path])
            try await body(cluster, directory)
        }
    }

    /// As the service's login role, or the server's administrator.
    private static func address(_ cluster: PrivateCluster, of service: String?) -> DatabaseAddress {
        var address = cluster.address
        address.name = "trackme"
        if let service { address.user = "trackme_\(service)" }
        return address
    }

    @Test(
        "NFR-06b: A service's role adds to its audit trail and can change, delete, truncate, drop or disable nothing of it",
        .timeLimit(.minutes(5)))
    func appendOnly() async throws {
        try await Self.withRoles { cluster, _ in
            let admin = PrivateCluster.database(
                Self.address(cluster, of: nil), schema: "public", cluster.loops)
            for name in ServiceName.allCases.map(\.rawValue) {
                let database = PrivateCluster.database(
                    Self.address(cluster, of: name), schema: name, cluster.loops)
                try await Self.check(name, database, admin)
                await database.close()
            }
            await admin.close()
        }
    }

    private static func check(_ name: String, _ database: Database, _ admin: Database) async throws {
        let trail = AuditTrail(database: database)
        let audit: SQL = "\(identifier: "\(name)_audit")"
        func append(_ count: Int) async throws {
            try await trail.append(
                (0..<count).map { .init(actor: "x", action: "y", pseudonym: .random(), purpose: "\($0)") }, in: database
            )
        }
        try await append(3)
        #expect(try await trail.verify().sequence == 3)
        try await append(1)
        for statement in forbidden(audit, name) {
            let error = await #expect(throws: PostgresError.self, "\(name): \(statement)") {
                try await database.execute(statement)
            }
            #expect(error?.sqlState == .insufficientPrivilege, "\(name): \(statement)")
        }
        #expect(try await trail.verify().sequence == 4)

        // Retention deletes what is old, and nothing else.
        try await admin.execute(
            "update \(sql: audit).audit_entry set recorded_at = recorded_at - interval '2 years' where sequence <= 2")
        let year = Timestamp.now() - .seconds(86_400 * 370)
        #expect(try await trail.retention.enforce(before: year) == 2)
        #expect(try await trail.retention.enforce(before: year) == 0)
        #expect(try await trail.verify().sequence == 4)

        // The administrator can change and remove, which shows.
        try await admin.execute("update \(sql: audit).audit_entry set purpose = 'z' where sequence = 4")
        await #expect(throws: SecurityError.auditBroken(sequence: 4, .hash)) { try await trail.verify() }
        try await admin.execute("delete from \(sql: audit).audit_entry where sequence = 3")
        await #expect(throws: SecurityError.auditBroken(sequence: 4, .sequence(expected: 3))) {
            try await trail.verify()
        }
    }

    @Test(
        "NFR-06b: What the administrator has changed in an audit trail is named by the command, also after a restart",
        .timeLimit(.minutes(5)))
    func restarted() async throws {
        try await Self.withRoles { cluster, directory in
            let schemas = ServiceSchemas(of: "accounts")
            let accounts = try ServiceProgram(
                "accounts", in: directory, database: Self.address(cluster, of: "accounts"), schemas: schemas)
            let admin = PrivateCluster.database(Self.address(cluster, of: nil), schema: "public", cluster.loops)
            // As the one role reaches one database here.
            try await admin.execute("create schema \(identifier: schemas.keys) authorization trackme_accounts")
            try await accounts.running {
                try await accounts.waitUntilReady()
                let query = try accounts.client(as: "query", loops: cluster.loops)
                for _ in 0..<3 {
                    let missing = Accounts.Find.Params(email: EmailAddress("nobody@example.org"))
                    await #expect(throws: RPCError.self) { try await query.call(Accounts.Find.self, missing) }
                }
                await query.close()
                #expect(try await accounts.run("audit", "verify").contains("holds up to entry 3"))
                #expect(try !accounts.log.contains("can change its own audit trail"))
                try await admin.execute("update accounts_audit.audit_entry set actor = 'track4run' where sequence = 2")
                accounts.kill()
                try await accounts.start()
                try await accounts.waitUntilReady()
                let error = await #expect(throws: ProcessFailure.self) { try await accounts.run("audit", "verify") }
                #expect(
                    error?.description.contains("Entry 2 of the audit trail, or one before it, was changed.") == true)

                // Without the trail it says what to run.
                accounts.kill()
                try await admin.execute("drop schema accounts_audit cascade")
                try await accounts.start()
                #expect(try await accounts.waitForEnd() == .exited(75))
                #expect(try accounts.log.contains("run deploy/postgres/roles.sql"))
            }
            await admin.close()
        }
    }
}

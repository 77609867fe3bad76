import JSON
import Postgres

/// Whether a service's role has what it needs of its audit trail, and no more.
struct AuditRights: Sendable {
    let audit: AuditTrail
    let log: Log

    private var schema: String { AuditTrail.schema(beside: audit.database.configuration.searchPath.first ?? "") }

    /// Before the service serves. Throws `StartError` when it lacks something; a role that can do too much, and an index that is not
    /// there, is told in the log.
    func check() async throws {
        let schema = schema
        let found = try await audit.database.queryOne(
            """
            select count(*) filter (where name = 'audit_waiting' and has_column_privilege(current_user, oid, 'actor', 'insert'))
                + count(*) filter (where has_table_privilege(current_user, oid, 'select')),
              coalesce(bool_or(has_table_privilege(current_user, oid, 'update, delete, truncate')
                or pg_has_role(current_user, relowner, 'member')), false)
            from (select c.oid, c.relname::text as name, c.relowner from pg_class c
              join pg_namespace n on n.oid = c.relnamespace
              where n.nspname = \(schema) and has_schema_privilege(current_user, n.oid, 'usage')
                and c.relname in ('audit_head', 'audit_waiting', 'audit_entry')) tables
            """, as: Int.self, Bool.self)
        let callable = try await audit.database.queryOne(
            """
            select count(*) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = \(schema) and p.proname in ('audit_tie', 'audit_settle', 'audit_delete')
              and has_function_privilege(current_user, p.oid, 'execute')
            """, as: Int.self)
        guard let found, found.0 == 4, callable == 3 else {
            throw StartError(
                "The audit trail (schema \"\(schema)\") is not there, or this service's role may not add to it: run "
                    + "deploy/postgres/roles.sql as the database's administrator.")
        }
        let indexes = try await audit.database.queryOne(
            """
            select count(*) from pg_indexes where schemaname = \(schema) and indexname = 'audit_entry_operators'
            """, as: Int.self)
        if indexes != 1 {
            log.warning(
                "the audit trail lacks an index: run deploy/postgres/roles.sql as the database's administrator",
                ["schema": .string(schema)])
        }
        guard found.1 else { return }
        log.warning(
            "the service's role can change its own audit trail: run deploy/postgres/roles.sql as the database's administrator",
            ["schema": .string(schema)])
    }
}

public import Postgres
public import Primitives

/// The audit trail of a service in a test: what `deploy/postgres/audit-tables.sql` makes in production, in the schema beside the
/// service's own. Here it belongs to the test's role, so a test can change what a service cannot.
public enum AuditTables {
    /// An entry, tied or not.
    public struct Line: Sendable, Equatable, CustomStringConvertible {
        public let actor: String
        public let action: String
        public let pseudonym: UUID?
        public let purpose: String
        public let onBehalfOf: UUID?

        /// Without the pseudonyms.
        public var description: String { "\(actor) \(action) \(purpose)" }
    }

    private static let script =
        #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/deploy/postgres/audit-tables.sql"

    public static func schema(beside schema: String) -> String { "\(schema)_audit" }

    /// Makes them for a service whose own schema is `schema`.
    public static func make(beside schema: String, in database: Database) async throws {
        let audit = Self.schema(beside: schema)
        let text = try SmallFile.read(script, bytesMax: 65_536)
        try await database.execute("create schema \(identifier: audit)")
        try await Migrations(schema: audit, [Migration(1, "audit", text)]).run(on: database)
    }

    /// All entries, in the order in which they were written, those that wait last.
    public static func lines(beside schema: String, in database: Database) async throws -> [Line] {
        let audit = Self.schema(beside: schema)
        let columns: SQL = "actor, action, pseudonym, purpose, on_behalf_of"
        return try await database.query(
            """
            select \(sql: columns) from (
              select 1 as part, sequence as number, \(sql: columns) from \(identifier: audit).audit_entry
              union all select 2, number, \(sql: columns) from \(identifier: audit).audit_waiting) e
            order by part, number
            """, as: String.self, String.self, UUID?.self, String.self, UUID?.self
        ).map { Line(actor: $0.0, action: $0.1, pseudonym: $0.2, purpose: $0.3, onBehalfOf: $0.4) }
    }
}

extension TestDatabase {
    /// Makes the audit trail's tables beside the test's schema.
    public func addAudit() async throws { try await AuditTables.make(beside: schema, in: database) }
}

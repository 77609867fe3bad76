public import Postgres
public import Primitives

/// The log of who read whose personal data, or did something about whom, and why: append-only, each entry tied to all before it
/// (NFR-06). Every service has one, in a schema beside its own that `deploy/postgres/audit.sql` makes and that belongs to nobody who
/// logs in.
///
/// An entry is committed with what was read (`noting`), or in the transaction of what it is about, so it is there before the answer
/// is. Entries of many at the same time wait for nobody: they are tied to each other in groups, by one replica after the other, within
/// about `interval` (`tie`). Nobody with the service's role can change or remove one, waiting or tied. The server's administrator
/// could write all of them anew that came after the last published head (`AuditWatch`).
public struct AuditTrail: Sendable {
    /// The most bytes of a purpose.
    public static let purposeBytesMax = 100

    /// An entry to be written.
    public struct Reading: Sendable {
        let actor: String
        let action: String
        let pseudonym: UUID?
        let purpose: String
        let onBehalfOf: UUID?

        /// - Parameters:
        ///   - actor: the service, or whoever else, that asked.
        ///   - action: what it asked: the method's name.
        ///   - pseudonym: whose data, by the account's pseudonym; `nil` when nobody was found.
        ///   - onBehalfOf: the account that asked through the service, by its pseudonym; `nil` when the service asked for itself.
        public init(actor: String, action: String, pseudonym: UUID?, purpose: String, onBehalfOf: UUID? = nil) {
            self.actor = actor
            self.action = action
            self.pseudonym = pseudonym
            self.purpose = purpose
            self.onBehalfOf = onBehalfOf
        }
    }

    let database: Database
    /// Its schema, quoted, with a full stop.
    let prefix: SQL

    /// Of the service whose own schema is `database`'s.
    public init(database: Database) {
        self.database = database
        prefix = "\(identifier: Self.schema(beside: database.configuration.searchPath.first ?? ""))."
    }

    /// The trail's schema.
    static func schema(beside schema: String) -> String { "\(schema)_audit" }

    /// A statement that writes one entry, for the beginning (`with`) of the one that reads: both happen together. `pseudonym` and
    /// `onBehalfOf` are expressions, such as `(select pseudonym from found)` and, where there is `AuditSchema.people`,
    /// `audit_pseudonym(account)`; without `condition` there is no entry.
    public func noting(
        _ action: String, by actor: String, purpose: String, of pseudonym: SQL, onBehalfOf: SQL,
        when condition: SQL = "true"
    ) -> SQL {
        """
        insert into \(sql: prefix)audit_waiting (actor, action, pseudonym, purpose, on_behalf_of)
        select \(actor), \(action), \(sql: pseudonym), \(purpose), \(sql: onBehalfOf) where \(sql: condition)
        """
    }

    /// The same for an entry of each row of `source`, a table or common table expression: `action`, `purpose`, `pseudonym` and
    /// `onBehalfOf` are expressions of it.
    public func noting(
        each source: SQL, action: SQL, by actor: String, purpose: SQL, of pseudonym: SQL, onBehalfOf: SQL
    ) -> SQL {
        """
        insert into \(sql: prefix)audit_waiting (actor, action, pseudonym, purpose, on_behalf_of)
        select \(actor), \(sql: action), \(sql: pseudonym), \(sql: purpose), \(sql: onBehalfOf) from \(sql: source)
        """
    }

    /// The same for several entries about one person; a further condition may follow with `and`.
    public func noting(_ acts: [(actor: String, action: String)], purpose: String, of pseudonym: SQL) -> SQL {
        """
        insert into \(sql: prefix)audit_waiting (actor, action, pseudonym, purpose)
        select actor, action, \(sql: pseudonym), \(purpose)
        from unnest(\(acts.map(\.actor)), \(acts.map(\.action))) e (actor, action) where true
        """
    }

    /// Writes several, in the transaction of what they are about.
    public func append(_ readings: [Reading], in session: some SQLSession) async throws(PostgresError) {
        guard !readings.isEmpty else { return }
        // Arrays hold no nulls.
        let none = UUID(high: 0, low: 0)
        try await session.execute(
            """
            insert into \(sql: prefix)audit_waiting (actor, action, pseudonym, purpose, on_behalf_of)
            select actor, action, nullif(pseudonym, \(none)), purpose, nullif(on_behalf_of, \(none))
            from unnest(\(readings.map(\.actor)), \(readings.map(\.action)), \(readings.map { $0.pseudonym ?? none }),
              \(readings.map(\.purpose)), \(readings.map { $0.onBehalfOf ?? none }))
              with ordinality e (actor, action, pseudonym, purpose, on_behalf_of, n)
            order by n
            """)
    }
}

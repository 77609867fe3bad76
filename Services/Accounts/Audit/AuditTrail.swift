import Postgres
import Primitives
import Security

/// Who read personal data of whom and why: append-only, each entry tied to all before it (NFR-06).
struct AuditTrail: Sendable {
    /// Checked in one go.
    private static let pageCount = 1000

    struct Reading: Sendable {
        /// The service that asked.
        let actor: String
        /// What it asked: the method's name.
        let action: String
        /// Whose data, by the account's pseudonym; `nil` when nobody was found.
        let pseudonym: UUID?
        let purpose: String
        /// The account that asked through the service, by its pseudonym; `nil` when the service asked for itself.
        var onBehalfOf: UUID?
    }

    let store: Store

    /// Writes the entry; what was read must not be answered before this returns. Writers wait for each other, since an
    /// entry contains the one before it.
    func append(_ reading: Reading) async throws {
        try await store.transaction { transaction in
            let head = try await transaction.queryOne(
                "select sequence, hash from audit_head for update", as: Int64.self, [UInt8].self)
            guard let (sequence, hash) = head else { throw StoredValueError(column: "audit_head") }
            var chain = AuditChain(sequence: sequence, hash: hash)
            // Whole milliseconds, so that what is read back hashes the same wherever it was.
            let now = Timestamp(milliseconds: store.now().milliseconds)
            let entry = chain.append(Self.fields(reading, now))
            try await transaction.batch([
                """
                insert into audit_entry
                  (sequence, recorded_at, actor, action, pseudonym, purpose, on_behalf_of, hash)
                values (\(entry.sequence), \(now), \(reading.actor), \(reading.action), \(reading.pseudonym),
                  \(reading.purpose), \(reading.onBehalfOf), \(entry.hash))
                """,
                "update audit_head set sequence = \(entry.sequence), hash = \(entry.hash)",
            ])
        }
    }

    /// The head, which is published now and then so that nobody can rewrite what came before.
    func head() async throws -> AuditChain {
        let head = try await store.database.queryOne(
            "select sequence, hash from audit_head", as: Int64.self, [UInt8].self)
        guard let (sequence, hash) = head else { throw StoredValueError(column: "audit_head") }
        return AuditChain(sequence: sequence, hash: hash)
    }

    /// Reads the trail from a head that was known before (all of it when none is) and checks it. Throws
    /// `SecurityError.auditBroken`; returns the head.
    func verify(from known: AuditChain = AuditChain()) async throws -> AuditChain {
        let head = try await head()
        var chain = known
        while chain.sequence < head.sequence {
            let rows = try await store.database.query(
                """
                select sequence, recorded_at, actor, action, pseudonym, purpose, on_behalf_of, hash from audit_entry
                where sequence > \(chain.sequence) and sequence <= \(head.sequence)
                order by sequence limit \(Self.pageCount)
                """,
                as: Int64.self, Timestamp.self, String.self, String.self, UUID?.self, String.self, UUID?.self,
                [UInt8].self)
            guard !rows.isEmpty else { break }
            for (sequence, time, actor, action, pseudonym, purpose, onBehalfOf, hash) in rows {
                let reading = Reading(
                    actor: actor, action: action, pseudonym: pseudonym, purpose: purpose, onBehalfOf: onBehalfOf)
                try chain.check(AuditEntry(sequence: sequence, fields: Self.fields(reading, time), hash: hash))
            }
        }
        guard chain == head else { throw SecurityError.auditBroken(sequence: chain.sequence, .head) }
        return head
    }

    private static func fields(_ reading: Reading, _ time: Timestamp) -> [AuditEntry.Field] {
        [
            .init("time", time.description), .init("actor", reading.actor), .init("action", reading.action),
            .init("pseudonym", reading.pseudonym?.description), .init("purpose", reading.purpose),
        ] + (reading.onBehalfOf.map { [.init("on_behalf_of", $0.description)] } ?? [])
    }
}

import Primitives
import Service

/// The audit trail for operators, the latest first. To look at it is an entry, too.
struct AuditView: Sendable {
    static let rowsMax = 100
    /// What the audit trail calls a look at it.
    static let action = "operator.read_audit"

    struct Page: Encodable, Sendable {
        let entries: [AuditTrail.Entry]
        /// For the page after this one: entries before it.
        let next: Int64?
    }

    let store: Store
    let audit: AuditTrail

    /// Entries before a sequence number, or the latest.
    func page(before: Int64?, by actor: String) async throws -> Page {
        let purpose = before.map { "before \($0)" } ?? "latest"
        let entries = try await store.transaction { transaction in
            try await audit.append(
                [.init(actor: actor, action: Self.action, pseudonym: nil, purpose: purpose)], in: transaction)
            return try await audit.entries(before: before ?? .max, limit: Self.rowsMax + 1, in: transaction)
        }
        return Page(
            entries: Array(entries.prefix(Self.rowsMax)),
            next: entries.count > Self.rowsMax ? entries[Self.rowsMax - 1].sequence : nil)
    }
}

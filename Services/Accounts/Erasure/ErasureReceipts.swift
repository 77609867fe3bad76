import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Security

/// What an erasure has erased where, what is kept, and until when (ACC-12). Whoever has the token reads it; it names nobody.
struct ErasureReceipts: Sendable {
    struct Receipt: Encodable, Sendable {
        struct Part: Encodable, Sendable {
            let service: String
            /// `nil` while the service has not reported, and of accounts while the key is still to be destroyed.
            let erasedAt: Timestamp?
            let items: [Accounts.ErasedItem]
        }

        let erasureID: UUID
        let scope: Accounts.Erasure.Scope
        let accountKind: AccountKind
        let requestedAt: Timestamp
        let completedAt: Timestamp?
        let services: [Part]
        /// The last day on which values under the person's number may be in the anonymous store; individuals only.
        let anonymousValuesUntil: CalendarDate?
    }

    let store: Store

    /// `nil` for a token of none.
    func read(_ token: OneTimeToken) async throws -> Receipt? {
        let row = try await store.database.queryOne(
            """
            select id, account, kind, scope, requested_at, completed_at, awaited from erasure
            where receipt_hash = \(token.storedHash)
            """,
            as: UUID.self, UUID.self, String.self, String.self, Timestamp.self, Timestamp?.self, [String].self)
        guard let (id, account, kind, scope, requestedAt, completedAt, awaited) = row else { return nil }
        let erasure = try AccountFeeds.storedErasure(id, account, kind, scope, requestedAt)
        let reports = try await store.database.query(
            "select service, items, erased_at from erasure_report where erasure = \(id) order by service",
            as: String.self, String.self, Timestamp?.self)
        var parts = try reports.map { service, items, time in
            Receipt.Part(
                service: service, erasedAt: time,
                items: try JSONDecoder().decode([Accounts.ErasedItem].self, from: Array(items.utf8)))
        }
        for service in Set(awaited).subtracting(reports.map(\.0)).sorted() {
            parts.append(Receipt.Part(service: service, erasedAt: nil, items: []))
        }
        return Receipt(
            erasureID: id, scope: erasure.scope, accountKind: erasure.kind, requestedAt: requestedAt,
            completedAt: completedAt, services: parts,
            anonymousValuesUntil: erasure.kind == .individual ? SubjectReleases.lastDay(from: requestedAt) : nil)
    }
}

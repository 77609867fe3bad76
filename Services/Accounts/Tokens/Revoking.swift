import Contracts
import Feed
import Postgres
import Primitives
import Service

/// Revokes access tokens everywhere (ACC-15, ACC-16). A revocation is kept for longer than a token lives, for services
/// that start or have lost their position in the feed.
enum Revoking {
    /// Revokes all tokens of sessions, devices (`areDevices`) or clients (what tokens carry as `sid`), in the transaction that
    /// ends them.
    static func revoke(
        sessions: [UUID], areDevices: Bool = false, store: Store, in transaction: Transaction
    ) async throws {
        let now = store.now()
        try await transaction.execute(
            """
            insert into revocation (id, kind, revoked_at, is_lasting)
            select id, 'session', \(now), \(areDevices) from unnest(\(sessions)) id
            on conflict on constraint revocation_key do nothing
            """)
        try await store.feeds.publish(
            try sessions.map {
                try AccountFeeds.revocation(
                    .init(kind: .session, id: $0, revokedAt: now, isOfDevice: areDevices ? true : nil))
            },
            in: transaction)
    }

    /// Revokes all tokens of an account, in the transaction that erases it.
    static func revoke(account: UUID, store: Store, in transaction: Transaction) async throws {
        let now = store.now()
        try await transaction.execute(
            """
            insert into revocation (id, kind, revoked_at, is_lasting) values (\(account), 'account', \(now), true)
            on conflict on constraint revocation_key do update set revoked_at = excluded.revoked_at
            """)
        try await store.feeds.publish(
            [try AccountFeeds.revocation(.init(kind: .account, id: account, revokedAt: now))], in: transaction)
    }

    /// Deletes revocations whose tokens are of no use any more.
    static func forget(at now: Timestamp) -> SQL { "delete from revocation where not (\(sql: matters(at: now)))" }

    /// Of a row of `revocation`: a token that it concerns may still serve; of a device also while accounts is away (`TokenTrust`).
    static func matters(at now: Timestamp) -> SQL {
        """
        revoked_at >= \(now - Revocations.tokenLife) or (is_lasting and revoked_at >= \(now - Revocations.lastingLife))
        """
    }
}

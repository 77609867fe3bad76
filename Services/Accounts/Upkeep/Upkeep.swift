import Contracts
import Postgres
import Primitives
import Service

/// Deletes what has expired.
struct Upkeep: Sendable {
    /// How long an unconfirmed registration is kept; then its address is free for others.
    static let unconfirmedLife = Duration.seconds(3 * 24 * 3600)
    /// How long it is kept at most when links were sent again.
    static let unconfirmedLifeMax = Duration.seconds(7 * 24 * 3600)
    /// How long the id of a sent mail is remembered.
    static let sentMailLife = Duration.seconds(7 * 24 * 3600)
    /// How long a used refresh token is recognised as used; afterwards it is unknown.
    static let usedTokenLife = Duration.seconds(7 * 24 * 3600)
    /// Accounts deleted in one transaction.
    static let accountsMax = 500

    let store: Store

    /// One round. Sessions and tokens expire only by this machine's clock and by the database's, so that one clock that
    /// is set wrong ends nobody's session.
    func run() async throws {
        let now = try await store.database.certainTime(by: store.clock)
        try await dropUnconfirmed(now)
        try await store.database.batch([
            "delete from session where expires_at < \(now)",
            "delete from refresh_token where used_at < \(now - Self.usedTokenLife)",
            "delete from confirmation where expires_at < \(now)",
            """
            delete from password_reset
            where created_at < \(now - PasswordReset.countedTime) and expires_at < \(now)
            """,
            "delete from second_factor where confirmed_at is null and begun_at < \(now - SecondFactor.setupLife)",
            "delete from passkey_challenge where expires_at < \(now)",
            "delete from factor_try where wrong_since < \(now - FactorTries.window)",
            "delete from pairing where expires_at < \(now - Pairings.codeLife)",
            """
            delete from authorization_code
            where created_at < clock_timestamp() - interval '1 second' * \(Authorizations.codeMemory.components.seconds)
            """,
            "delete from owner_pairing where expires_at < \(now)",
            Pairings.tries.forget(at: now),
            "delete from login_attempt where last_at < \(now - LoginAttempts.memory)",
            LoginAttempts.nameTries.forget(at: now),
            "delete from login_place where seen_at < \(now - LoginAttempts.placeLife)",
            "delete from wrong_password where last_at < \(now - LoginAttempts.memory)",
            InboxWatch.forget(), Revoking.forget(at: now), SigningKeys.forget(),
            "delete from mail where sent_at < \(now - Self.sentMailLife)",
            DataExports.forget(at: now), KeyDestruction.forget(at: now),
            "delete from push where expires_at < \(now)", OperatorSessions.forget(at: now),
        ])
    }

    /// What a deployment may keep for longer or shorter.
    var retention: [RetentionRule] {
        [
            RetentionRule("inbox", days: 730, table: "message", column: "created_at", in: store.database),
            // Mails that could not be delivered for this long.
            RetentionRule(
                "mail", days: 30, table: "mail", column: "created_at", where: "sent_at is null", in: store.database),
        ]
    }

    private func dropUnconfirmed(_ now: Timestamp) async throws {
        let dropped = try await store.transaction { transaction in
            let dropped = try await transaction.query(
                """
                delete from account where id in (
                  select id from account a where confirmed_at is null and created_at < \(now - Self.unconfirmedLife)
                    and (created_at < \(now - Self.unconfirmedLifeMax) or not exists (
                      select from confirmation c where c.account = a.id and c.expires_at > \(now)))
                  order by created_at limit \(Self.accountsMax) for update skip locked)
                returning id, owner_index
                """, as: UUID.self, [UInt8].self)
            guard !dropped.isEmpty else { return 0 }
            try await KeyDestruction.add(dropped.map(\.0), at: now, in: transaction)
            let owners = dropped.map(\.1)
            try await transaction.execute(
                """
                delete from email_owner o where owner_index = any(\(owners))
                  and not exists (select from account a where a.owner_index = o.owner_index
                    and a.email_index = o.email_index)
                """)
            return dropped.count
        }
        if dropped == Self.accountsMax { try await dropUnconfirmed(now) }
    }
}

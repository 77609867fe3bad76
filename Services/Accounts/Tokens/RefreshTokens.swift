import Postgres
import Primitives
import Security

/// Refresh tokens, each good once (RFC 9700 section 4.14): of sessions (ACC-16) and of authorised applications (ACC-14).
///
/// An answer can be lost on its way. So for `lostAnswerTime` a used token gets the same answer again: the refresh token
/// that replaced it, which is derived from it with a key of the service, so that no secret is stored for that. When the
/// replacement has been used the answer has arrived; then, or later, a used token counts as stolen. A thief who comes
/// within that time gets the same pair as the owner: whichever of the two refreshes second, later than that, ends what the
/// token is for.
struct RefreshTokens: Sendable {
    /// How long a lost answer is repeated; by the database's clock.
    static let lostAnswerTime = Duration.seconds(30)

    enum Owner: Sendable {
        case session(UUID)
        /// An authorised application.
        case device(UUID)
    }

    let store: Store

    func successor(of token: OneTimeToken) -> OneTimeToken { store.columns.successor(of: token) }

    func insert(
        _ token: OneTimeToken, for owner: Owner, in transaction: Transaction
    ) async throws(PostgresError) {
        let (session, device): (UUID?, UUID?) =
            switch owner {
            case .session(let id): (id, nil)
            case .device(let id): (nil, id)
            }
        try await transaction.execute(
            """
            insert into refresh_token (token_hash, session, device, issued_at)
            values (\(token.storedHash), \(session), \(device), \(store.now()))
            """)
    }

    /// Uses up a token, which is locked; its successor.
    func replace(
        _ token: OneTimeToken, of owner: Owner, in transaction: Transaction
    ) async throws(PostgresError) -> OneTimeToken {
        try await transaction.execute(
            """
            update refresh_token set used_at = \(store.now()), replaced_at = clock_timestamp()
            where token_hash = \(token.storedHash)
            """)
        let next = successor(of: token)
        try await insert(next, for: owner, in: transaction)
        return next
    }

    /// Whether a used token was replaced recently and its successor not used yet, so that the answer may have been
    /// lost.
    func isAskedAgain(_ token: OneTimeToken, in transaction: Transaction) async throws(PostgresError) -> Bool {
        let limit = Self.lostAnswerTime.milliseconds
        return try await transaction.queryOne(
            """
            select exists (
              select from refresh_token r, refresh_token n
              where r.token_hash = \(token.storedHash) and n.token_hash = \(successor(of: token).storedHash)
                and n.used_at is null
                and r.replaced_at between clock_timestamp() - interval '1 millisecond' * \(limit)
                  and clock_timestamp() + interval '1 millisecond' * \(limit))
            """, as: Bool.self) == true
    }
}

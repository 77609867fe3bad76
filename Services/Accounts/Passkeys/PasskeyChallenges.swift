import Postgres
import Primitives
import Security

/// Challenges that a browser has to have signed: each of one account, for one purpose, good once and for five minutes.
struct PasskeyChallenges: Sendable {
    enum Purpose: String { case creation, logIn = "log-in" }

    static let life = Duration.seconds(300)
    /// Those of one account and purpose; the newest stay.
    static let waitingMax = 10

    let store: Store

    /// The caller holds the account.
    func issue(_ purpose: Purpose, to account: UUID, in transaction: Transaction) async throws -> OneTimeToken {
        let (challenge, end) = (OneTimeToken.random(), store.now() + Self.life)
        try await transaction.batch([
            """
            insert into passkey_challenge (account, challenge_hash, purpose, expires_at)
            values (\(account), \(challenge.storedHash), \(purpose.rawValue), \(end))
            """,
            """
            delete from passkey_challenge where account = \(account) and purpose = \(purpose.rawValue)
              and challenge_hash in (
                select challenge_hash from passkey_challenge
                where account = \(account) and purpose = \(purpose.rawValue) and challenge_hash <> \(challenge.storedHash)
                order by expires_at desc offset \(Self.waitingMax - 1))
            """,
        ])
        return challenge
    }

    /// Uses up a challenge; false for one that is not the account's, for something else, used, or too old.
    func use(
        _ challenge: OneTimeToken, _ purpose: Purpose, of account: UUID, in session: some SQLSession
    ) async throws -> Bool {
        let end = try await session.queryOne(
            """
            delete from passkey_challenge where account = \(account) and challenge_hash = \(challenge.storedHash)
              and purpose = \(purpose.rawValue)
            returning expires_at
            """, as: Timestamp.self)
        return end.map { $0 > store.now() } ?? false
    }

    /// With a new password: what was asked for with the old one is good no longer.
    static func drop(of account: UUID) -> SQL { "delete from passkey_challenge where account = \(account)" }
}

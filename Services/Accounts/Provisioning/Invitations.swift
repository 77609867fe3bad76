import Postgres
import Primitives
import Security

/// Links by which people choose the first password of an account that was provisioned for them (ACC-05). What there is to agree
/// to is asked at their first log-in.
struct Invitations: Sendable {
    static let linkLife = Duration.seconds(7 * 24 * 3600)

    let store: Store
    let baseURL: String

    /// Puts a mail for each account into the outbox.
    func send(to accounts: [UUID], in transaction: Transaction) async throws {
        guard !accounts.isEmpty else { return }
        let now = store.now()
        let tokens = accounts.map { _ in OneTimeToken.random() }
        try await transaction.execute(
            """
            insert into password_reset (token_hash, account, created_at, expires_at)
            select t.*, \(now), \(now + Self.linkLife) from unnest(\(tokens.map(\.storedHash)), \(accounts)) t
            """)
        for (account, token) in zip(accounts, tokens) {
            try await MailOutbox.put(
                MessageCatalogue.invitation, ["link": "\(baseURL)/reset#\(token.text)"], id: .timeOrdered(at: now),
                to: account, store: store, in: transaction)
        }
    }
}

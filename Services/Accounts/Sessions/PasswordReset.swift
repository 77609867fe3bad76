import Domain
import Postgres
import Primitives
import Reactor
import Security

/// A new password for who has forgotten the old one (ACC-09): a link by mail, good once and for half an hour. Its token is in the
/// fragment, as that of a confirmation is; the page `/reset` sends it with the new password.
struct PasswordReset: Sendable {
    static let linkLife = Duration.seconds(30 * 60)
    /// Least time between two mails to one account.
    static let pause = Duration.seconds(60)
    /// Valid links of one account.
    static let linksMax = 3
    /// Requests from one client address, in each replica.
    static let perAddressMax = 30
    static let addressWindow = Duration.seconds(3600)

    struct Form: Decodable, Sendable {
        let token: String
        let newPassword: String
        let newPasswordAgain: String
    }

    private static let expired = Refusal(.gone, "link-expired", "This link is not valid, or no longer.")

    let store: Store
    let baseURL: String
    let hasher: PasswordHasher
    let sessions: Sessions
    let profiles: Profiles
    let confirmation: Confirmation

    /// Sends a link for each account with the address; to who has not confirmed it yet, that link again. The caller cannot tell
    /// whether there is such an account.
    func send(to email: EmailAddress) async throws {
        try await confirmation.sendAgain(to: email)
        try await store.transaction { transaction in
            // Locked first and read afterwards, as in `Confirmation.sendAgain`.
            let accounts = try await transaction.query(
                """
                select id, kind from account
                where email_index = \(store.columns.index(email)) and confirmed_at is not null order by id for update
                """, as: UUID.self, String.self)
            let now = store.now()
            let served = try await transaction.query(
                """
                select account from password_reset where account = any(\(accounts.map(\.0))) and expires_at > \(now)
                group by account having max(created_at) > \(now - Self.pause) or count(*) >= \(Self.linksMax)
                """, as: UUID.self)
            for (account, kind) in accounts where !served.contains(account) {
                let token = OneTimeToken.random()
                try await transaction.execute(
                    """
                    insert into password_reset (token_hash, account, created_at, expires_at)
                    values (\(token.storedHash), \(account), \(now), \(now + Self.linkLife))
                    """)
                try await MailOutbox.put(
                    MessageCatalogue.resetPassword, ["link": "\(baseURL)/reset#\(token.text)", "kind": kind],
                    id: .timeOrdered(at: now), to: account, store: store, in: transaction)
            }
        }
    }

    /// Sets the new password, ends all sessions and tells the owner. Throws `link-expired`, `passwords-differ`, `weak-password`.
    func complete(_ form: Form, from address: SocketAddress?) async throws {
        guard form.newPassword == form.newPasswordAgain else {
            throw Refusal.invalid("/new_password_again", "The two new passwords differ.", code: "passwords-differ")
        }
        guard let token = OneTimeToken(form.token) else { throw Self.expired }
        let found = try await store.database.queryOne(
            "select account from password_reset where token_hash = \(token.storedHash) and expires_at > \(store.now())",
            as: UUID.self)
        guard let account = found else { throw Self.expired }
        try await profiles.check(form.newPassword, of: account)
        let hash = try await hasher.hash(form.newPassword, for: HashingTurns.Client(address, isKnown: false))
        try await store.transaction { transaction in
            // Good once, also for two at the same time; the other links of the account end with it.
            let used = try await transaction.execute(
                """
                delete from password_reset where token_hash = \(token.storedHash) and expires_at > \(store.now())
                """)
            guard used == 1 else { throw Self.expired }
            try await transaction.batch([
                "delete from password_reset where account = \(account)",
                "update password set hash = \(hash), changed_at = \(store.now()) where account = \(account)",
                "delete from wrong_password where account = \(account)",
            ])
            try await sessions.endAll(of: account, except: nil, in: transaction)
            try await PasswordChange.tell(account, store: store, in: transaction)
        }
    }
}

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
    /// Valid links of one account, and all of a day: nobody's mailbox is filled.
    static let linksMax = 3
    static let dailyMax = 10
    static let countedTime = Duration.seconds(24 * 3600)
    /// How often what was asked for is sent, and for how many addresses at a time.
    static let interval = Duration.seconds(1)
    static let batchMax = 50
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

    /// Notes that somebody asks for links to an address. What there is with it is looked up later (`sendDue`), so that neither the
    /// answer nor its time tells whether there is such an account.
    func request(for email: EmailAddress) async throws(PostgresError) {
        try await store.database.execute(
            """
            insert into password_reset_request (email_index, asked_at)
            values (\(store.columns.index(email)), \(store.now())) on conflict do nothing
            """)
    }

    /// Sends what was asked for: a link for each account with the address; to who has not confirmed it yet, that link again.
    func sendDue() async throws {
        while try await sendBatch() == Self.batchMax {}
    }

    private func sendBatch() async throws -> Int {
        try await store.transaction { transaction in
            let asked = try await transaction.query(
                """
                delete from password_reset_request where email_index in (
                  select email_index from password_reset_request order by asked_at limit \(Self.batchMax) for update skip locked)
                returning email_index
                """, as: [UInt8].self)
            for address in asked {
                try await confirmation.sendAgain(to: address, in: transaction)
                try await send(to: address, in: transaction)
            }
            return asked.count
        }
    }

    private func send(to address: [UInt8], in transaction: Transaction) async throws {
        // Locked first and read afterwards, as in `Confirmation.sendAgain`.
        let accounts = try await transaction.query(
            """
            select id, kind from account where email_index = \(address) and confirmed_at is not null order by id for update
            """, as: UUID.self, String.self)
        let now = store.now()
        let served = try await transaction.query(
            """
            select account from password_reset where account = any(\(accounts.map(\.0)))
              and created_at > \(now - Self.countedTime)
            group by account
            having max(created_at) > \(now - Self.pause) or count(*) >= \(Self.dailyMax)
              or count(*) filter (where expires_at > \(now)) >= \(Self.linksMax)
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
            try await Store.lock(account, in: transaction)
            // Good once, also for two at the same time; the other links of the account end with it.
            let used = try await transaction.execute(
                """
                delete from password_reset where token_hash = \(token.storedHash) and expires_at > \(store.now())
                """)
            guard used == 1 else { throw Self.expired }
            try await transaction.batch([
                "delete from password_reset where account = \(account)",
                // Who was provisioned has none yet.
                """
                insert into password (account, hash, changed_at) values (\(account), \(hash), \(store.now()))
                on conflict on constraint password_key do update
                  set hash = excluded.hash, changed_at = excluded.changed_at
                """,
                "delete from wrong_password where account = \(account)", FactorTries.forgive(account),
                PasskeyChallenges.drop(of: account),
            ])
            try await Undeliverable.clear(account, in: transaction)
            try await sessions.endAll(of: account, except: nil, in: transaction)
            try await Inbox.warn(account, MessageCatalogue.passwordChanged, store: store, in: transaction)
        }
    }
}

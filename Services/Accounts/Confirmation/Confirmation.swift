import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Reactor
import Security

/// Links by which people prove that an e-mail address is theirs (ACC-06). The token is in the link's fragment, which browsers
/// do not send: it is in no log, and mail programs that open links in advance confirm nothing. The page `/confirm` sends
/// it when its button is pressed.
struct Confirmation: Sendable {
    static let linkLife = Duration.seconds(24 * 3600)
    /// Least time between two mails to one address, so that nobody's mailbox is filled.
    static let resendPause = Duration.seconds(60)

    /// Valid links of one address, so that nobody fills a mailbox with one each minute either.
    static let linksMax = 5

    let store: Store
    let baseURL: String
    let subjects: SubjectNumbers

    /// Puts a mail with a new link into the outbox.
    func sendLink(to account: UUID, in transaction: Transaction) async throws {
        let token = OneTimeToken.random()
        let now = store.now()
        try await transaction.execute(
            """
            insert into confirmation (token_hash, account, created_at, expires_at)
            values (\(token.storedHash), \(account), \(now), \(now + Self.linkLife))
            """)
        try await MailOutbox.put(
            MessageCatalogue.confirmEmail, ["link": "\(baseURL)/confirm#\(token.text)"],
            id: .timeOrdered(at: now), to: account, store: store, in: transaction)
    }

    /// Sends another link to whoever registered with the address and has not confirmed it. Otherwise does nothing; the
    /// caller cannot tell.
    func sendAgain(to email: EmailAddress) async throws {
        try await store.transaction { try await sendAgain(to: store.columns.index(email), in: $0) }
    }

    /// As `sendAgain`, for the address with this index.
    func sendAgain(to address: [UInt8], in transaction: Transaction) async throws {
        // Locked first and read afterwards: a statement that waits for the lock does not see what was sent
        // meanwhile; the next one does.
        let waiting = try await transaction.query(
            "select id from account where email_index = \(address) and confirmed_at is null order by id for update",
            as: UUID.self)
        let now = store.now()
        let served = try await transaction.query(
            """
            select account from confirmation where account = any(\(waiting)) and expires_at > \(now)
            group by account
            having max(created_at) > \(now - Self.resendPause) or count(*) >= \(Self.linksMax)
            """, as: UUID.self)
        for account in waiting where !served.contains(account) {
            try await sendLink(to: account, in: transaction)
        }
    }

    /// Confirms the address of the link's account, if it was not before; `false` when the link is unknown or too old.
    func confirm(_ token: OneTimeToken) async throws -> Bool {
        try await store.transaction { transaction in
            let found = try await transaction.queryOne(
                """
                select a.id, a.kind, a.confirmed_at is not null
                from account a join confirmation c on c.account = a.id
                where c.token_hash = \(token.storedHash) and c.expires_at > \(store.now()) for update of a
                """, as: UUID.self, String.self, Bool.self)
            guard let (account, kind, isConfirmed) = found else { return false }
            if !isConfirmed { try await activate(account, try AccountKind.stored(kind), in: transaction) }
            return true
        }
    }

    private func activate(_ account: UUID, _ kind: AccountKind, in transaction: Transaction) async throws {
        let now = store.now()
        try await transaction.execute("update account set confirmed_at = \(now) where id = \(account)")
        var subject: Int32?
        if kind == .individual {
            let number = try await subjects.take(1, in: transaction)[0]
            try await transaction.execute("update person set subject = \(number) where account = \(account)")
            try await ProfileReleases.note([number], at: now, in: transaction)
            subject = number
        }
        let version = try await Store.requiredVersion(of: account, in: transaction)
        let change = Accounts.AccountChange(accountID: account, kind: kind, state: .active, subject: subject)
        try await store.feeds.publish([try AccountFeeds.account(change, version: version)], in: transaction)
    }
}

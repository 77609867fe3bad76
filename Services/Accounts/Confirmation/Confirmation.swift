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

    /// Requests for links from one client address, in each replica.
    static let perAddressMax = 30
    static let addressWindow = Duration.seconds(3600)

    let store: Store
    let baseURL: String
    let subjects: SubjectNumbers
    private var helpers: RegistrationHelpers { RegistrationHelpers(store: store) }

    /// Puts a mail with a new link into the outbox, and one to the parent who has to agree, if there is one.
    func sendLinks(to account: UUID, in transaction: Transaction) async throws {
        try await sendLink(MessageCatalogue.confirmEmail, to: account, in: transaction)
        guard let parent = try await helpers.waitingParent(of: account, in: transaction), let email = parent.email
        else { return }
        try await sendLink(
            MessageCatalogue.confirmAsParent, ["name": parent.name], to: account, at: email, in: transaction)
    }

    /// `address` is the parent's.
    private func sendLink(
        _ template: MessageTemplate, _ values: [String: String] = [:], to account: UUID,
        at address: EmailAddress? = nil,
        in transaction: Transaction
    ) async throws {
        let token = OneTimeToken.random()
        let now = store.now()
        try await transaction.execute(
            """
            insert into confirmation (token_hash, account, is_parent, created_at, expires_at)
            values (\(token.storedHash), \(account), \(address != nil), \(now), \(now + Self.linkLife))
            """)
        let path = address == nil ? "confirm" : "parent"
        try await MailOutbox.put(
            template, values.merging(["link": "\(baseURL)/\(path)#\(token.text)"]) { value, _ in value },
            id: .timeOrdered(at: now), to: account, at: address, store: store, in: transaction)
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
            select account from confirmation where account = any(\(waiting)) and expires_at > \(now) and not is_parent
            group by account
            having max(created_at) > \(now - Self.resendPause) or count(*) >= \(Self.linksMax)
            """, as: UUID.self)
        for account in waiting where !served.contains(account) {
            try await sendLinks(to: account, in: transaction)
        }
    }

    /// What somebody who has opened a parent's link is asked to agree to.
    struct Question: Encodable, Sendable {
        /// The child's.
        let name: String
        let surname: String
        /// The parent's own.
        let parentName: String
        let parentSurname: String
        let termsVersion: String
        let consents: Accounts.Consents
    }

    enum Outcome: String, Encodable, Sendable {
        case confirmed
        /// The other of the two links has not been used yet: the parent's, or that of the account's own address.
        case waiting
    }

    /// What a parent's link is about; `nil` for any other.
    func question(_ token: OneTimeToken) async throws -> Question? {
        let account = try await store.database.queryOne(
            """
            select account from confirmation where token_hash = \(token.storedHash) and is_parent
              and expires_at > \(store.now())
            """, as: UUID.self)
        guard let account, let parent = try await helpers.read(of: account, in: store.database)?.content,
            let profile = try await store.database.queryOne(
                "select profile from person where account = \(account)", as: [UInt8].self)
        else { return nil }
        let person = try store.columns.open(
            profile, as: PersonProfile.self, .person, row: account, with: try await store.key(of: account))
        return Question(
            name: person.name, surname: person.surname, parentName: parent.name, parentSurname: parent.surname,
            termsVersion: parent.termsVersion ?? "", consents: parent.consents ?? .none)
    }

    /// Confirms the address of the link's account, or for a parent's link what the parent has filled in. The account can be used
    /// when all that there is to confirm is. `nil` when the link is unknown or too old.
    func confirm(_ token: OneTimeToken) async throws -> Outcome? {
        try await store.transaction { transaction in
            let found = try await transaction.queryOne(
                """
                select a.id, a.kind, a.language, a.confirmed_at is not null, c.is_parent
                from account a join confirmation c on c.account = a.id
                where c.token_hash = \(token.storedHash) and c.expires_at > \(store.now()) for update of a
                """, as: UUID.self, String.self, String.self, Bool.self, Bool.self)
            guard let (account, kind, language, isConfirmed, isParent) = found else { return nil }
            if isConfirmed { return .confirmed }
            guard
                try await helpers.isComplete(
                    account, confirmedByParent: isParent, language: try Language.stored(language), in: transaction)
            else { return .waiting }
            try await activate(account, try AccountKind.stored(kind), in: transaction)
            return .confirmed
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
        let paused = try await DataCollection.paused(of: kind == .individual ? [account] : [], in: transaction)
        let change = Accounts.AccountChange(
            accountID: account, kind: kind, subject: subject, paused: paused[account])
        try await store.feeds.publish([try AccountFeeds.account(change, version: version)], in: transaction)
    }
}

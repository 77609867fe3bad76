import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Erases accounts, and what was collected of people (ACC-12). What accounts has goes at once; the other services do their parts
/// by `accounts.erasures` and report them. The receipt tells how far it is, by a link whose token only the person has, and
/// once all services have reported, by mail.
struct Erasures: Sendable {
    /// How long after an erasure its event is told again while a service has not reported.
    static let reminderPause = Duration.seconds(3600)
    static let reminderInterval = Duration.seconds(60)
    /// For how long an address waits for the receipt at most.
    static let contactLife = Duration.seconds(90 * 24 * 3600)
    /// Least time between two erasures of collected data of a person: each leaves a row for ever.
    static let dataPause = Duration.seconds(3600)
    private static let batchMax = 100

    struct Form: Decodable, Sendable {
        let password: String
        let scope: Accounts.Erasure.Scope
    }

    /// What is kept, sealed, until the receipt was sent.
    private struct Contact: Codable {
        let email: EmailAddress
        let token: String
    }

    struct Begun: Encodable, Sendable {
        let erasureID: UUID
        /// For `POST /erasure-receipts`; also in the fragment of the link.
        let receiptToken: String
        let receiptURL: String
    }

    let store: Store
    let proof: PasswordProof
    let subjects: SubjectNumbers
    let baseURL: String
    /// The services that have to report an erasure of an account.
    let awaited: Set<String>

    /// Accounts itself has done its part when the key is destroyed. Of data that was collected only ingestion has something beside the anonymous store.
    func awaited(_ scope: Accounts.Erasure.Scope) -> [String] {
        switch scope {
        case .account: awaited.union([ServiceName.accounts.rawValue]).sorted()
        case .collectedData: awaited.intersection([ServiceName.ingestion.rawValue]).sorted()
        }
    }

    // MARK: Beginning

    /// Throws `wrong-password`, `too-many-tries`, `changed-meanwhile`, `not-an-individual` of a company's collected data, and
    /// `erasure-under-way` when data of the account are being erased, or were within `dataPause`.
    func begin(_ form: Form, of account: UUID, from address: SocketAddress?) async throws -> Begun {
        let hash = try await proof.check(form.password, of: account, from: address)
        let now = store.now()
        let (id, token) = (UUID.timeOrdered(at: now), OneTimeToken.random())
        try await store.transaction { transaction in
            try await PasswordProof.hold(account, checked: hash, in: transaction)
            let owner = try await self.owner(account, in: transaction)
            guard form.scope == .account || owner.kind == .individual else {
                throw Refusal(
                    .invalid, "not-an-individual", "Data are collected of individuals only.", pointer: "/scope")
            }
            let erasure = Accounts.Erasure(
                erasureID: id, accountID: account, kind: owner.kind, scope: form.scope, requestedAt: now)
            if form.scope == .collectedData { try await checkPause(of: account, in: transaction) }
            var items: [Accounts.ErasedItem] = []
            switch form.scope {
            case .account: items = try await erase(account, owner, in: transaction)
            case .collectedData: try await renumber(account, owner, in: transaction)
            }
            try await add(erasure, owner, items, token, in: transaction)
            try await announce([erasure], version: 1, in: transaction)
            try await complete(id, in: transaction)
        }
        if form.scope == .account { await tryToDestroyKeys() }
        return Begun(erasureID: id, receiptToken: token.text, receiptURL: link(token.text))
    }

    private func checkPause(of account: UUID, in transaction: Transaction) async throws {
        let isSoon = try await transaction.queryOne(
            """
            select exists (select from erasure where account = \(account)
              and (completed_at is null or requested_at > \(store.now() - Self.dataPause)))
            """, as: Bool.self)
        guard isSoon != true else {
            throw Refusal(
                .conflict, "erasure-under-way", "The collected data are being erased, or were just now; please wait.")
        }
    }

    private func link(_ token: String) -> String { "\(baseURL)/receipt#\(token)" }

    struct Owner: Sendable {
        let kind: AccountKind
        /// The key of an account that came back with a backup may be destroyed.
        let sealedEmail: [UInt8]
        let language: String
        let emailIndex: [UInt8]
        let ownerIndex: [UInt8]
        let subject: Int32?
        let subjectVersion: Int64
    }

    func owner(_ account: UUID, in transaction: Transaction) async throws -> Owner {
        let row = try await transaction.queryOne(
            """
            select a.kind, a.email, a.language, a.email_index, a.owner_index, p.subject, coalesce(p.subject_version, 0)
            from account a left join person p on p.account = a.id where a.id = \(account)
            """, as: String.self, [UInt8].self, String.self, [UInt8].self, [UInt8].self, Int32?.self, Int64.self)
        guard let row else { throw Refusal.notFound }
        return Owner(
            kind: try AccountKind.stored(row.0), sealedEmail: row.1, language: row.2, emailIndex: row.3,
            ownerIndex: row.4, subject: row.5, subjectVersion: row.6)
    }

    private func add(
        _ erasure: Accounts.Erasure, _ owner: Owner, _ items: [Accounts.ErasedItem], _ token: OneTimeToken,
        in transaction: Transaction
    ) async throws {
        let id = erasure.erasureID
        let email = try store.columns.openEmail(
            owner.sealedEmail, of: erasure.accountID, with: try await store.key(of: erasure.accountID))
        let contact = try store.columns.seal(
            encoding: Contact(email: email, token: token.text), .erasureContact, row: id)
        try await transaction.execute(
            """
            insert into erasure (id, account, kind, scope, language, requested_at, announced_at, receipt_hash, contact, awaited)
            values (\(id), \(erasure.accountID), \(erasure.kind.rawValue), \(erasure.scope.rawValue), \(owner.language),
              \(erasure.requestedAt), \(erasure.requestedAt), \(token.storedHash), \(contact), \(awaited(erasure.scope)))
            """)
        if erasure.scope == .account { try await addOwnPart(of: id, items, in: transaction) }
    }

    /// Done when the key is destroyed.
    func addOwnPart(
        of id: UUID, _ items: [Accounts.ErasedItem], in transaction: Transaction
    ) async throws {
        try await add(items, of: id, by: ServiceName.accounts.rawValue, at: nil, in: transaction)
    }

    /// All that belongs to the account goes with its row, and every token with it.
    func erase(
        _ account: UUID, _ owner: Owner, in transaction: Transaction
    ) async throws -> [Accounts.ErasedItem] {
        let counts = try await transaction.queryOne(
            """
            select (select count(*) from device where account = \(account)),
              (select count(*) from client where account = \(account)),
              (select count(*) from session where account = \(account)),
              (select count(*) from message where account = \(account)),
              (select count(*) from consent_receipt where account = \(account))
                + (select count(*) from terms_acceptance where account = \(account))
            """, as: Int.self, Int.self, Int.self, Int.self, Int.self)
        try await Revoking.revoke(account: account, store: store, in: transaction)
        if let subject = owner.subject {
            try await SubjectReleases.add(subject, version: owner.subjectVersion, at: store.now(), in: transaction)
        }
        try await KeyDestruction.add([account], at: store.now(), in: transaction)
        try await transaction.batch([
            "delete from wrong_password where account = \(account)",
            "delete from password_reset_request where email_index = \(owner.emailIndex)",
            "delete from account where id = \(account)",
            """
            delete from email_owner where email_index = \(owner.emailIndex) and not exists (
              select from account a where a.email_index = \(owner.emailIndex))
            """,
        ])
        let (devices, clients, sessions, messages, agreements) = counts ?? (0, 0, 0, 0, 0)
        return [
            .init("account", 1), .init("devices", devices), .init("clients", clients), .init("sessions", sessions),
            .init("messages", messages), .init("agreements", agreements),
        ].filter { $0.count > 0 }
    }

    /// From now on the person is somebody else in the anonymous store.
    func renumber(_ account: UUID, _ owner: Owner, in transaction: Transaction) async throws {
        guard let old = owner.subject else { return }
        try await SubjectReleases.add(old, version: owner.subjectVersion, at: store.now(), in: transaction)
        let number = try await subjects.take(1, in: transaction)[0]
        try await transaction.execute(
            "update person set subject = \(number), subject_version = 0 where account = \(account)")
        try await ProfileReleases.note([number], at: store.now(), in: transaction)
        let version = try await Store.requiredVersion(of: account, in: transaction)
        try await AccountFeeds.publishChange(of: account, version: version, store: store, in: transaction)
    }

    // MARK: Telling the services

    func announce(
        _ erasures: [Accounts.Erasure], version: Int64, in transaction: Transaction
    ) async throws {
        try await store.feeds.publish(
            try erasures.map { try AccountFeeds.erasure($0, version: version) }, in: transaction)
    }

    /// Tells again of erasures that a service has not reported for long, and forgets addresses that wait in vain.
    func remind() async throws {
        let now = store.now()
        try await store.database.execute(
            "update erasure set contact = null where contact is not null and requested_at < \(now - Self.contactLife)")
        try await store.transaction { transaction in
            let open = try await transaction.query(
                """
                update erasure set announced_at = \(now)
                where id in (
                  select id from erasure where completed_at is null and announced_at < \(now - Self.reminderPause)
                  order by announced_at limit \(Self.batchMax) for update skip locked)
                returning id, account, kind, scope, requested_at
                """, as: UUID.self, UUID.self, String.self, String.self, Timestamp.self)
            let erasures = try open.map { try AccountFeeds.storedErasure($0.0, $0.1, $0.2, $0.3, $0.4) }
            guard !erasures.isEmpty else { return }
            try await announce(erasures, version: now.microseconds, in: transaction)
        }
    }

    // MARK: Keys

    /// Destroys the keys of accounts that are gone, and with them ends accounts' own part.
    func destroyKeys() async throws {
        try await KeyDestruction(of: store.keys, in: store.database).run(at: store.now()) { accounts, transaction in
            let erasures = try await transaction.query(
                """
                select id from erasure where account = any(\(accounts)) and scope = 'account' order by id for update
                """, as: UUID.self)
            try await transaction.execute(
                """
                update erasure_report set erased_at = \(store.now())
                where erasure = any(\(erasures)) and service = \(ServiceName.accounts.rawValue) and erased_at is null
                """)
            for erasure in erasures { try await complete(erasure, in: transaction) }
        }
    }

    /// At once; what fails is done by the task.
    private func tryToDestroyKeys() async {
        do { try await destroyKeys() } catch {
            store.log.warning("the key of an erased account is still to be destroyed", ["error": Log.text(of: error)])
        }
    }

    // MARK: Reports

    /// What a service has erased. Errors: `not-found`.
    func report(_ params: Accounts.ReportErasure.Params, from service: String) async throws {
        guard params.items.count <= Accounts.ReportErasure.itemsMax else {
            throw Refusal.invalid("/items", "At most \(Accounts.ReportErasure.itemsMax) lines fit.")
        }
        try await store.transaction { transaction in
            let found = try await transaction.queryOne(
                "select id from erasure where id = \(params.erasureID) for update", as: UUID.self)
            guard found != nil else { throw Refusal.notFound }
            try await add(
                params.items, of: params.erasureID, by: service, at: params.erasedAt, in: transaction)
            try await complete(params.erasureID, in: transaction)
        }
    }

    private func add(
        _ items: [Accounts.ErasedItem], of erasure: UUID, by service: String, at time: Timestamp?,
        in transaction: Transaction
    ) async throws {
        let text = String(decoding: try JSONEncoder().encode(items), as: UTF8.self)
        try await transaction.execute(
            """
            insert into erasure_report (erasure, service, items, erased_at)
            values (\(erasure), \(service), \(text), \(time))
            on conflict on constraint erasure_report_key do nothing
            """)
    }

    /// Ends the erasure if all services have reported, and sends the receipt. The erasure's row must be locked, or new.
    private func complete(_ id: UUID, in transaction: Transaction) async throws {
        let done = try await transaction.queryOne(
            """
            update erasure e set completed_at = \(store.now())
            where id = \(id) and completed_at is null
              and awaited <@ array(select service from erasure_report where erasure = \(id) and erased_at is not null)
            returning scope, language, contact
            """, as: String.self, String.self, [UInt8]?.self)
        guard let (scope, language, sealed) = done, let sealed else { return }
        let contact = try store.columns.open(sealed, as: Contact.self, .erasureContact, row: id)
        try await MailOutbox.put(
            scope == Accounts.Erasure.Scope.account.rawValue
                ? MessageCatalogue.accountErased : MessageCatalogue.collectedDataErased,
            ["link": link(contact.token)], id: .timeOrdered(at: store.now()), at: contact.email,
            language: try Language.stored(language), store: store, in: transaction)
        try await transaction.execute("update erasure set contact = null where id = \(id)")
    }
}

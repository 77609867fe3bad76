import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Synchronization

/// Delivers the mails of the outbox: at least once, always under the same Message-ID.
///
/// Urgent mails have a lane of their own. A mail is claimed for a time and delivered without a transaction; while the relay takes
/// nothing, one mail at a time tries it (`RelayState`), and the others wait where they are.
struct MailSender: Sendable {
    /// Mails of a lane that are on their way at once.
    static let urgentMax = 8
    static let ordinaryMax = 8
    /// How long a mail is left to the replica that delivers it, also after a crash: longer than a delivery takes.
    static let claimTime = Duration.seconds(120)
    /// Longest pause before the next try of a mail that failed; the log and a metric show it to the operator.
    static let pauseMax = Duration.seconds(3600)
    /// How long a mail waits for a key store that is away.
    static let keyPause = Duration.seconds(2)
    /// How often it is looked for mails that were postponed before the clock was set back.
    static let clockLookTime = Duration.seconds(60)

    let store: Store
    let formats: MessageFormats
    let carrier: any MailCarrier
    let sender: MailAddress
    let returnPath: ReturnPath
    let baseURL: String
    /// While it is on, only urgent mail goes: the rest may be for who was erased since the backup.
    let withholding: Withholding
    let log: Log
    let relay = RelayState()

    var tasks: [BackgroundTask] {
        [
            BackgroundTask("mail-urgent", carriesAlarms: true) { try await send(isUrgent: true) { _ in } },
            BackgroundTask("mail") { try await send(isUrgent: false) { _ in } },
        ]
    }

    /// Delivers all mails that are due, the urgent ones first; returns how many were sent.
    @discardableResult
    func deliverDue() async throws -> Int {
        let sent = Mutex(0)
        try await recoverFromClock()
        for isUrgent in [true, false] {
            try await send(isUrgent: isUrgent, untilNoneIsDue: true) { isSent in
                if isSent { sent.withLock { $0 += 1 } }
            }
        }
        return sent.withLock { $0 }
    }

    /// Delivers the mails of a lane as they arrive, until the task is cancelled, or until none is due.
    private func send(
        isUrgent: Bool, untilNoneIsDue: Bool = false, _ done: @escaping @Sendable (Bool) -> Void
    ) async throws {
        let lane = OutboxLane(
            underWayMax: isUrgent ? Self.urgentMax : Self.ordinaryMax, arrived: store.mailArrived)
        let lookedAt = Mutex(Deadline.now())
        try await lane.run(
            untilNoneIsDue: untilNoneIsDue, isOpen: { untilNoneIsDue || relay.isOpen(underWay: $0) },
            claim: { free in
                guard isUrgent || !withholding.isOn else { return [] }
                let due = try await claim(isUrgent: isUrgent, max: relay.isTroubled ? 1 : free)
                let isTime = lookedAt.withLock { last in
                    guard due.isEmpty, last.advanced(by: Self.clockLookTime).hasPassed else { return false }
                    last = .now()
                    return true
                }
                if isTime { try await recoverFromClock() }
                return due
            },
            send: { done(try await deliver($0)) })
    }

    private struct Due: PostgresRowDecodable, Sendable {
        let id: UUID
        let account: UUID?
        let template: String
        let content: [UInt8]?
        let ownerless: [UInt8]?
        let createdAt: Timestamp
        let attempts: Int32
        let email: [UInt8]?
        let address: [UInt8]?
        let language: String
        let profile: [UInt8]?
        let isUndeliverable: Bool

        init(row: PostgresRow) throws(PostgresError) {
            id = try row["id"]
            account = try row["account"]
            template = try row["template"]
            content = try row["content"]
            ownerless = try row["ownerless"]
            createdAt = try row["created_at"]
            attempts = try row["attempts"]
            email = try row["email"]
            address = try row["address"]
            language = try row["language"]
            profile = try row["profile"]
            isUndeliverable = try row["is_undeliverable"]
        }
    }

    /// A mail with its account's key, or why there is none.
    private struct Claimed: Sendable {
        let mail: Due
        let key: Result<SubjectKey, any Error>?
    }

    /// The mails that wait longest, oldest first. Their keys are asked for together; a key store that is away holds up nobody
    /// whose key is in memory.
    private func claim(isUrgent: Bool, max: Int) async throws -> [Claimed] {
        let now = store.now()
        let due = try await store.database.query(
            """
            with due as materialized (
              select id, account from mail
              where sent_at is null and is_urgent = \(isUrgent) and due_at <= \(now)
              order by due_at, created_at limit \(max) for update skip locked)
            update mail m set due_at = \(now + Self.claimTime), is_claimed = true, attempts = m.attempts + 1
            from due d left join account a on a.id = d.account left join person p on p.account = a.id
            where m.id = d.id
            returning m.id, m.account, m.template, m.content, m.ownerless, m.created_at, m.attempts, m.address, a.email,
              coalesce(m.language, a.language) as language, p.profile,
              a.undeliverable_since is not null as is_undeliverable
            """, as: Due.self)
        let keys = await store.keys.keysAtHand(of: due.compactMap(\.account))
        return due.sorted { $0.createdAt < $1.createdAt }.map { mail in
            Claimed(mail: mail, key: mail.account.map { keys[$0] ?? .failure(KeyMissing()) })
        }
    }

    /// Whether it was sent.
    private func deliver(_ claimed: Claimed) async throws -> Bool {
        let mail = claimed.mail
        if case .failure(let error)? = claimed.key, SubjectKeys.isAway(error) {
            log.info("a mail waits for the key store", ["mail": .string(mail.id.description)])
            try await wait(mail)
            return false
        }
        // Nothing but what concerns the account itself goes to an address from which mail comes back; the inbox has it all.
        if mail.isUndeliverable, mail.address == nil, !MessageCatalogue.kind(of: mail.template).isRequired {
            try await settle(mail)
            return false
        }
        do {
            let message = try message(mail, try claimed.key?.get())
            do {
                try await carrier.deliver(message)
                try await worked()
            } catch let refusal as AddressRefusal {
                try await worked()
                log.info(
                    "a mail's address is refused",
                    ["mail": .string(mail.id.description), "status": .string(refusal.status)])
                try await Undeliverable(store: store).record(mail.id, status: refusal.status)
                try await settle(mail)
                return false
            } catch {
                relay.failed()
                throw error
            }
        } catch let error where !(error is PostgresError) && !(error is CancellationError) {
            log.warning(
                "mail not delivered",
                [
                    "mail": .string(mail.id.description), "attempt": .integer(Int64(mail.attempts)),
                    "error": Log.text(of: error),
                ])
            try await store.database.execute(
                """
                update mail set due_at = \(store.now() + Self.pause(after: mail.attempts)), is_claimed = false
                where id = \(mail.id) and sent_at is null
                """)
            return false
        }
        try await settle(mail)
        return true
    }

    /// The relay is there. When it was away, what it has not taken is due now.
    private func worked() async throws {
        guard relay.worked() else { return }
        try await store.database.execute(Self.retrying)
        store.mailArrived.raise()
    }

    /// Makes all mail due now that waits for its next try and is not on its way.
    static let retrying: SQL =
        "update mail set due_at = '-infinity' where sent_at is null and not is_claimed and due_at > '-infinity'"

    /// Without its key nothing was tried: the attempt does not count.
    private func wait(_ mail: Due) async throws {
        try await store.database.execute(
            """
            update mail set due_at = \(store.now() + Self.keyPause), is_claimed = false, attempts = \(mail.attempts - 1)
            where id = \(mail.id) and sent_at is null
            """)
    }

    /// A mail that needs no more delivery keeps no content. Its id stays for a while, so that a repeated notification sends nothing
    /// and a delivery report finds it.
    private func settle(_ mail: Due) async throws {
        try await store.database.execute(
            """
            update mail set sent_at = \(store.now()),
              content = case when content is not null then ''::bytea end,
              address = case when address is not null then ''::bytea end,
              ownerless = case when ownerless is not null then ''::bytea end
            where id = \(mail.id)
            """)
    }

    private func message(_ mail: Due, _ key: SubjectKey?) throws -> MailMessage {
        guard let template = MessageCatalogue[mail.template] else {
            throw StoredValueError(column: "mail.template")
        }
        let (values, recipient) = try opened(mail, key)
        let format = try formats.format(
            of: mail.account ?? mail.id, language: mail.language, profile: mail.profile, key, store: store)
        let text = template.filled(values, in: format)
        return MailMessage(
            id: mail.id, date: mail.createdAt, from: sender,
            returnPath: try returnPath.address(of: mail.id, from: sender.address), to: recipient,
            subject: text.subject, body: text.body,
            html: MailHTML.document(title: text.subject, text.body, links: baseURL + "/", format.language),
            language: format.language)
    }

    private func opened(
        _ mail: Due, _ key: SubjectKey?
    ) throws -> (values: [String: String], recipient: EmailAddress) {
        let columns = store.columns
        guard let account = mail.account, let key else {
            guard let sealed = mail.ownerless else { throw StoredValueError(column: "mail.ownerless") }
            let content = try columns.open(sealed, as: MailOutbox.Ownerless.self, .ownerlessMail, row: mail.id)
            return (content.values, content.address)
        }
        guard let sealed = mail.content else { throw StoredValueError(column: "mail.content") }
        let content = try columns.open(sealed, as: MailOutbox.Content.self, .mail, row: mail.id, with: key)
        if let address = mail.address {
            let text = try columns.open(address, .mailAddress, row: mail.id, with: key)
            return (content.values, try EmailAddress(validating: text))
        }
        guard let email = mail.email else { throw StoredValueError(column: "account.email") }
        return (content.values, try columns.openEmail(email, of: account, with: key))
    }

    /// Mails whose time is further ahead than their pause were postponed before the clock was set back.
    private func recoverFromClock() async throws {
        let now = store.now()
        try await store.database.execute(
            """
            update mail set due_at = \(now) where sent_at is null and due_at > \(now + Self.claimTime)
              and due_at > \(now) + interval '1 second' * least(\(Self.pauseMax.components.seconds), 2 ^ least(attempts, 12))
            """)
    }

    /// 1 s, 2 s, 4 s, … up to an hour.
    static func pause(after attempts: Int32) -> Duration {
        min(pauseMax, .seconds(Int64(1) << Int64(min(max(0, attempts - 1), 12))))
    }
}

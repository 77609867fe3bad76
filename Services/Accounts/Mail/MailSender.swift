import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Delivers the mails of the outbox: at least once, always under the same Message-ID.
struct MailSender: Sendable {
    static let batchMax = 32
    /// How often the outbox is checked for mails of other replicas and for retries.
    static let pollTime = Duration.seconds(1)
    /// Longest pause before the next try of a mail that failed; the log and a metric show it to the operator.
    static let pauseMax = Duration.seconds(3600)

    let store: Store
    let formats: MessageFormats
    let carrier: any MailCarrier
    let sender: MailAddress
    let log: Log

    /// Delivers mails as they arrive, until the task is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            let seen = store.mailArrived.value
            try await deliverDue()
            _ = await store.mailArrived.wait(after: seen, deadline: .after(Self.pollTime))
        }
    }

    /// Delivers all mails that are due; returns how many were sent.
    @discardableResult
    func deliverDue() async throws -> Int {
        var sent = 0
        while true {
            let (taken, delivered) = try await deliverBatch()
            sent += delivered
            guard taken == Self.batchMax else { return sent }
        }
    }

    private struct Due: PostgresRowDecodable, Sendable {
        let id: UUID
        let account: UUID
        let template: String
        let content: [UInt8]
        let createdAt: Timestamp
        let attempts: Int32
        let email: [UInt8]
        let address: [UInt8]?
        let language: String
        let profile: [UInt8]?

        init(row: PostgresRow) throws(PostgresError) {
            id = try row["id"]
            account = try row["account"]
            template = try row["template"]
            content = try row["content"]
            createdAt = try row["created_at"]
            attempts = try row["attempts"]
            email = try row["email"]
            address = try row["address"]
            language = try row["language"]
            profile = try row["profile"]
        }
    }

    /// The rows stay locked until their mails are delivered, so that replicas share the work.
    private func deliverBatch() async throws -> (taken: Int, delivered: Int) {
        try await store.transaction { transaction in
            let due = try await transaction.query(
                """
                select m.id, m.account, m.template, m.content, m.created_at, m.attempts, m.address, a.email, a.language,
                  p.profile
                from mail m join account a on a.id = m.account left join person p on p.account = a.id
                where m.sent_at is null and \(sql: Self.isDue(at: store.now()))
                order by m.template = any(\(MessageCatalogue.urgentNames)) desc, m.due_at limit \(Self.batchMax)
                for update of m skip locked
                """, as: Due.self)
            var delivered: [UUID] = []
            var failed: [Due] = []
            for mail in due {
                do {
                    try await carrier.deliver(try message(mail))
                    delivered.append(mail.id)
                } catch {
                    log.warning(
                        "mail not delivered",
                        [
                            "mail": .string(mail.id.description), "attempt": .integer(Int64(mail.attempts) + 1),
                            "error": Log.text(of: error),
                        ])
                    failed.append(mail)
                }
            }
            let now = store.now()
            // A sent mail keeps no content. Its id stays for a while, so that a repeated notification sends nothing.
            try await transaction.execute(
                "update mail set sent_at = \(now), content = ''::bytea, address = null where id = any(\(delivered))")
            for mail in failed {
                try await transaction.execute(
                    """
                    update mail set attempts = attempts + 1, due_at = \(now + Self.pause(after: mail.attempts))
                    where id = \(mail.id)
                    """)
            }
            return (due.count, delivered.count)
        }
    }

    private func message(_ mail: Due) throws -> MailMessage {
        guard let template = MessageCatalogue[mail.template] else {
            throw StoredValueError(column: "mail.template")
        }
        let content = try store.columns.open(mail.content, as: MailOutbox.Content.self, .mail, row: mail.id)
        let format = try formats.format(
            of: mail.account, language: mail.language, profile: mail.profile, store: store)
        let text = template.filled(content.values, in: format)
        return MailMessage(
            id: mail.id, date: mail.createdAt, from: sender,
            to: try recipient(mail), subject: text.subject, body: text.body,
            language: format.language)
    }

    private func recipient(_ mail: Due) throws -> EmailAddress {
        guard let address = mail.address else { return try store.columns.openEmail(mail.email, of: mail.account) }
        return try EmailAddress(validating: try store.columns.open(address, .mailAddress, row: mail.id))
    }

    /// A mail is due that was never tried, or whose time has come; also one whose time is further ahead than its pause: it
    /// was postponed before the clock was set back.
    private static func isDue(at now: Timestamp) -> SQL {
        """
        (m.due_at <= \(now) or m.attempts = 0 or m.due_at > \(now)
          + interval '1 second' * least(\(pauseMax.components.seconds), 2 ^ least(m.attempts - 1, 12)))
        """
    }

    /// 1 s, 2 s, 4 s, … up to an hour.
    static func pause(after attempts: Int32) -> Duration {
        min(pauseMax, .seconds(Int64(1) << Int64(min(max(0, attempts), 12))))
    }
}

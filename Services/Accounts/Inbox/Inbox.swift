import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// The messages of an account (ACC-17).
struct Inbox: Sendable {
    /// Messages in one answer, newest first.
    static let pageMax = 100
    /// By which the clocks of two replicas differ at most.
    private static let clockSkewMax = Duration.seconds(90)

    struct Message: Encodable, Sendable {
        let id: UUID
        let time: Timestamp
        let subject: String
        let text: String
        let template: String
        let isRead: Bool
    }

    private struct Stored: PostgresRowDecodable {
        let id: UUID
        let createdAt: Timestamp
        let template: String
        let content: [UInt8]
        let isRead: Bool
        let language: String
        let profile: [UInt8]?

        init(row: PostgresRow) throws(PostgresError) {
            id = try row["id"]
            createdAt = try row["created_at"]
            template = try row["template"]
            content = try row["content"]
            isRead = try row["is_read"]
            language = try row["language"]
            profile = try row["profile"]
        }
    }

    let store: Store
    let formats: MessageFormats

    /// Tells the owner, in the inbox and by mail, of something that concerns the account's safety and happened now (`{time}`). The kind
    /// of these messages is one that cannot be switched off. Whose key is lost cannot be told, and what is told of happens all the same.
    static func warn(
        _ account: UUID, _ template: MessageTemplate, _ values: [String: String] = [:], store: Store,
        in transaction: Transaction
    ) async throws {
        let now = store.now()
        do {
            try await put(
                template, values.merging(["time": now.description]) { $1 }, id: .timeOrdered(at: now), to: account,
                email: true, store: store, in: transaction)
        } catch is KeyMissing {
            store.log.error(
                "somebody whose key is lost is not told",
                ["account": .string(account.description), "template": .string(template.name)])
        }
    }

    /// Stores a message, and when `email` is true a mail in the outbox, both under `id`, in the ways that the account wants; of
    /// what is urgent to see, the account's browsers are told, too. The same `id` again has no effect.
    static func put(
        _ template: MessageTemplate, _ values: [String: String], id: UUID, to account: UUID, email: Bool, store: Store,
        in transaction: Transaction
    ) async throws {
        try template.check(values)
        let wanted = try await NotificationChoices.wants(
            MessageCatalogue.kind(of: template.name), of: account, in: transaction)
        if email, wanted.mail {
            try await MailOutbox.put(template, values, id: id, to: account, store: store, in: transaction)
        }
        guard wanted.inbox else { return }
        let content = try store.columns.seal(
            encoding: MailOutbox.Content(values: values), .message, row: id, with: try await store.key(of: account))
        let count = try await transaction.execute(
            """
            with new as (
              insert into message (id, account, template, content, created_at)
              values (\(id), \(account), \(template.name), \(content), \(store.now()))
              on conflict on constraint message_key do nothing
              returning id, account)
            insert into message_arrival (message, account) select id, account from new
            """)
        if count == 1, let kind = template.push {
            try await PushOutbox.put(kind, message: id, to: account, store: store, in: transaction)
        }
    }

    struct Page: Sendable {
        let messages: [Message]
        /// The last message of the page, when more may follow.
        let last: UUID?
    }

    /// A page of messages in the account's language: those before the message `before`, or the newest. Messages that
    /// cannot be read, or whose template is no more, are left out.
    func messages(of account: UUID, before: UUID?) async throws -> Page {
        let rows = try await store.database.query(
            """
            select \(sql: Self.columns(of: account)) and (\(before)::uuid is null or (m.created_at, m.id) <
                (select b.created_at, b.id from message b where b.id = \(before) and b.account = \(account)))
            order by m.created_at desc, m.id desc limit \(Self.pageMax)
            """, as: Stored.self)
        return Page(
            messages: try await read(rows, of: account), last: rows.count == Self.pageMax ? rows.last?.id : nil)
    }

    /// What `Stored` needs, up to the condition that it is this account's.
    private static func columns(of account: UUID) -> SQL {
        """
        m.id, m.created_at, m.template, m.content, m.read_at is not null as is_read, a.language, p.profile
        from message m join account a on a.id = m.account left join person p on p.account = a.id
        where m.account = \(account)
        """
    }

    private func read(_ rows: [Stored], of account: UUID) async throws -> [Message] {
        guard let reader = rows.first else { return [] }
        let key = try await store.key(of: account)
        let format = store.unreadable.read("accounts.account", account) {
            try formats.format(of: account, language: reader.language, profile: reader.profile, key, store: store)
        }
        guard let format else { return [] }
        return rows.compactMap { row in
            store.unreadable.read("accounts.message", row.id) { try message(row, key, in: format) }
        }
    }

    /// Those of these messages that are the account's, urgent ones first, then the oldest first.
    func messages(_ ids: [UUID], of account: UUID) async throws -> [Message] {
        try await live(of: account, "m.id = any(\(ids))")
    }

    /// What may have come since a message was sent to a client, as above: since clocks of replicas differ, also some that came
    /// before it. `nil` when the account has no such message.
    func messages(since id: UUID, of account: UUID) async throws -> [Message]? {
        let last = try await store.database.queryOne(
            "select created_at from message where id = \(id) and account = \(account)", as: Timestamp.self)
        guard let last else { return nil }
        return try await live(of: account, "m.id <> \(id) and m.created_at > \(last - Self.clockSkewMax)")
    }

    struct Unread: Encodable, Sendable {
        /// Messages that nobody has read.
        let count: Int
        /// The newest message, read or not.
        let newest: UUID?
    }

    func unread(of account: UUID) async throws -> Unread {
        try await store.database.queryOne(
            """
            select (select count(*) from message where account = \(account) and read_at is null),
              (select id from message where account = \(account) order by created_at desc, id desc limit 1)
            """, as: Int.self, UUID?.self
        ).map { Unread(count: $0.0, newest: $0.1) } ?? Unread(count: 0, newest: nil)
    }

    private func live(of account: UUID, _ which: SQL) async throws -> [Message] {
        let rows = try await store.database.query(
            """
            select \(sql: Self.columns(of: account)) and \(sql: which) order by m.created_at desc, m.id desc limit \(Self.pageMax)
            """, as: Stored.self)
        let messages = try await read(rows, of: account).reversed()
        func isUrgent(_ message: Message) -> Bool { MessageCatalogue[message.template]?.isUrgent == true }
        return messages.filter(isUrgent) + messages.filter { !isUrgent($0) }
    }

    private func message(_ row: Stored, _ key: SubjectKey, in format: MessageFormat) throws -> Message {
        guard let template = MessageCatalogue[row.template] else { throw StoredValueError(column: "message.template") }
        let content = try store.columns.open(
            row.content, as: MailOutbox.Content.self, .message, row: row.id, with: key)
        let text = template.filled(content.values, in: format)
        return Message(
            id: row.id, time: row.createdAt, subject: text.subject, text: text.body, template: row.template,
            isRead: row.isRead)
    }

    /// Marks a message as read; a second time changes nothing.
    func markRead(_ id: UUID, of account: UUID) async throws {
        let count = try await store.database.execute(
            """
            update message set read_at = coalesce(read_at, \(store.now())) where id = \(id) and account = \(account)
            """)
        guard count == 1 else { throw Refusal.notFound }
    }
}

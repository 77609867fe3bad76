import Reactor
import Domain
import JSON
import Postgres
import Primitives
import Security

/// Mail to be sent, written in the transaction of what it is about (ACC-17).
enum MailOutbox {
    /// The sealed part: it may name people and hold one-time links.
    struct Content: Codable, Sendable {
        let values: [String: String]
    }

    /// Puts a mail to the account's owner, or about the account to another address, into the outbox; without an account, to an
    /// address in a language. The same `id` again has no effect.
    static func put(
        _ template: MessageTemplate, _ values: [String: String], id: UUID, to account: UUID?,
        at address: EmailAddress? = nil, language: Language? = nil, store: Store, in transaction: Transaction
    ) async throws {
        try template.check(values)
        let content = try store.columns.seal(encoding: Content(values: values), .mail, row: id)
        let now = store.now()
        try await transaction.execute(
            """
            insert into mail (id, account, template, content, address, language, is_urgent, created_at)
            values (\(id), \(account), \(template.name), \(content),
              \(address.map { store.columns.seal($0.description, .mailAddress, row: id) }), \(language?.rawValue),
              \(template.isUrgent), \(now))
            on conflict on constraint mail_key do nothing
            """)
        let arrived = store.mailArrived
        transaction.afterCommit { arrived.raise() }
    }
}

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

    /// The sealed part of a mail without an account, which must be readable when the account's key is destroyed.
    struct Ownerless: Codable, Sendable {
        let values: [String: String]
        let address: EmailAddress
    }

    /// Puts a mail to the account's owner, or about the account to another address, into the outbox. The same `id` again has no
    /// effect.
    static func put(
        _ template: MessageTemplate, _ values: [String: String], id: UUID, to account: UUID,
        at address: EmailAddress? = nil, store: Store, in transaction: Transaction
    ) async throws {
        try template.check(values)
        let key = try await store.key(of: account)
        let content = try store.columns.seal(encoding: Content(values: values), .mail, row: id, with: key)
        let sealedAddress = address.map { store.columns.seal($0.description, .mailAddress, row: id, with: key) }
        try await transaction.execute(
            """
            insert into mail (id, account, template, content, address, is_urgent, created_at)
            values (\(id), \(account), \(template.name), \(content), \(sealedAddress), \(template.isUrgent), \(store.now()))
            on conflict on constraint mail_key do nothing
            """)
        tell(store, after: transaction)
    }

    /// The same about an account that is erased, to an address in a language.
    static func put(
        _ template: MessageTemplate, _ values: [String: String], id: UUID, at address: EmailAddress,
        language: Language, store: Store, in transaction: Transaction
    ) async throws {
        try template.check(values)
        let sealed = try store.columns.seal(
            encoding: Ownerless(values: values, address: address), .ownerlessMail, row: id)
        try await transaction.execute(
            """
            insert into mail (id, template, ownerless, language, is_urgent, created_at)
            values (\(id), \(template.name), \(sealed), \(language.rawValue), \(template.isUrgent), \(store.now()))
            on conflict on constraint mail_key do nothing
            """)
        tell(store, after: transaction)
    }

    private static func tell(_ store: Store, after transaction: Transaction) {
        let arrived = store.mailArrived
        transaction.afterCommit { arrived.raise() }
    }
}

import Postgres
import Primitives

/// Accounts from whose address mail comes back. They get only what concerns the account itself by mail, learn of it by the inbox, and
/// can have the address tried again.
struct Undeliverable: Sendable {
    /// Least time between two trials of an account.
    static let trialPause = Duration.seconds(60)

    let store: Store

    /// Notes that a mail came back for good, unless it went to another address than the account's; whether it is known.
    @discardableResult
    func record(_ mail: UUID, status: String) async throws -> Bool {
        let now = store.now()
        return try await store.transaction { transaction in
            let found = try await transaction.queryOne(
                "select account, address is null from mail where id = \(mail)", as: UUID?.self, Bool.self)
            guard let (account, isOwn) = found else { return false }
            guard isOwn, let account else { return true }
            let isNew = try await transaction.execute(
                """
                update account set undeliverable_since = \(now), undeliverable_status = \(status)
                where id = \(account) and undeliverable_since is null
                """)
            guard isNew == 1 else { return true }
            try await Inbox.put(
                MessageCatalogue.emailUndeliverable, [:], id: .timeOrdered(at: now), to: account, email: false,
                store: store, in: transaction)
            return true
        }
    }

    /// Sends a mail to the address, which counts as good until it comes back. Throws `too-many-tries`.
    func tryAgain(_ account: UUID) async throws {
        let now = store.now()
        try await store.transaction { transaction in
            try await Store.lock(account, in: transaction)
            let isTried = try await transaction.queryOne(
                """
                select exists (select from mail where account = \(account)
                  and template = \(MessageCatalogue.emailWorks.name) and created_at > \(now - Self.trialPause))
                """, as: Bool.self)
            guard isTried != true else {
                throw Refusal(
                    .tooManyTries, "too-many-tries", "A mail was just sent there; please wait for it.",
                    retryAfter: Self.trialPause)
            }
            try await Self.clear(account, in: transaction)
            try await MailOutbox.put(
                MessageCatalogue.emailWorks, [:], id: .timeOrdered(at: now), to: account, store: store,
                in: transaction)
        }
    }

    /// The address works: somebody has used what a mail to it held.
    static func clear(_ account: UUID, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            update account set undeliverable_since = null, undeliverable_status = null
            where id = \(account) and undeliverable_since is not null
            """)
    }
}

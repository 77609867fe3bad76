import Postgres
import Primitives
import Reactor
import Service

/// The audit trail for operators, the latest first: all of it, operators' acts alone, or the entries about one account. To look at it is
/// an entry, too.
struct AuditView: Sendable {
    static let rowsMax = 100
    /// How long entries about an account are looked for while none is found; the page after goes on from there.
    private static let searchTime = Duration.seconds(1)
    /// What the audit trail calls a look at it, and one at the entries about an account.
    static let action = "operator.read_audit"
    static let accountAction = "operator.read_entries"

    /// Whose entries are read.
    enum Actors: String, CaseIterable { case everybody, operators }

    struct Page: Encodable, Sendable {
        let entries: [AuditTrail.Entry]
        /// For the page after this one: entries before it. There may be none.
        let next: Int64?

        /// Of one more than a page has, if there are so many.
        init(_ found: [AuditTrail.Entry]) {
            let isMore = found.count > rowsMax
            self.init(entries: Array(found.prefix(rowsMax)), next: isMore ? found[rowsMax - 1].sequence : nil)
        }

        init(entries: [AuditTrail.Entry], next: Int64?) { (self.entries, self.next) = (entries, next) }
    }

    struct AccountForm: Decodable, Sendable {
        let reason: String
        let before: Int64?
    }

    let store: Store
    let audit: AuditTrail

    /// Entries before a sequence number, or the latest.
    func page(by actors: Actors, before: Int64?, for actor: String) async throws -> Page {
        let part = before.map { "before \($0)" } ?? "latest"
        let (selection, purpose): (AuditTrail.Selection, String) =
            switch actors {
            case .everybody: (.all, part)
            case .operators: (.operators, "operators, \(part)")
            }
        let entries = try await store.transaction { transaction in
            try await audit.append(
                [.init(actor: actor, action: Self.action, pseudonym: nil, purpose: purpose)], in: transaction)
            return try await audit.entries(
                selection, before: before ?? .max, limit: Self.rowsMax + 1, in: transaction)
        }
        return Page(entries)
    }

    /// Entries about an account. An account that is not found is an entry, too: of one that was erased nobody knows the pseudonym any
    /// more, so that its entries, which stay, are nobody's (NFR-06).
    func page(about account: UUID, _ form: AccountForm, for actor: String) async throws -> Page {
        try Directory.check(purpose: form.reason)
        let pseudonym = try await store.transaction { transaction -> UUID? in
            let pseudonym = try await transaction.queryOne(
                "select pseudonym from account where id = \(account)", as: UUID.self)
            try await audit.append(
                [.init(actor: actor, action: Self.accountAction, pseudonym: pseudonym, purpose: form.reason)],
                in: transaction)
            return pseudonym
        }
        guard let pseudonym else { throw Refusal(.notFound, "no-such-account", "There is no such account.") }
        let deadline = Deadline.after(Self.searchTime)
        var page = Page(entries: [], next: form.before ?? .max)
        while page.entries.isEmpty, let before = page.next, !deadline.hasPassed {
            let (entries, next) = try await audit.entries(
                about: pseudonym, before: before, limit: Self.rowsMax, in: store.database)
            page = Page(entries: entries, next: next)
        }
        return page
    }
}

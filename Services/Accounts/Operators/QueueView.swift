import Domain
import Postgres
import Primitives
import Reactor
import Service

/// What waits in this service, for operators: mail, push messages, exports, erasures. Nothing of whom it is for.
struct QueueView: Sendable {
    /// Rows of each list at most, the oldest first.
    static let rowsMax = 100
    /// What the audit trail calls sending what waits at once.
    static let sending = "operator.send_mail"

    struct Queues: Encodable, Sendable {
        /// Counted up to `MailCount.countMax`.
        let mailWaiting: Int
        let mail: [Mail]
        let pushesWaiting: Int
        let exports: [Export]
        let erasures: [Erasure]
    }

    struct Mail: Encodable, Sendable {
        let id: UUID
        let template: String
        let isUrgent: Bool
        let createdAt: Timestamp
        let attempts: Int32
        /// When it is tried again; absent while it was not tried.
        let dueAt: Timestamp?
    }

    struct Export: Encodable, Sendable {
        let id: UUID
        let state: String
        let requestedAt: Timestamp
        let progress: Double
        let attempts: Int32
    }

    struct Erasure: Encodable, Sendable {
        let id: UUID
        let scope: String
        let requestedAt: Timestamp
        /// Services that have not done their part.
        let missing: [String]
    }

    let store: Store
    let audit: AuditTrail

    func look() async throws -> Queues {
        let counts = try await store.database.queryOne(
            """
            select (select count(*) from (select from mail where sent_at is null limit \(MailCount.countMax)) m),
              (select count(*) from (select from push limit \(MailCount.countMax)) p)
            """, as: Int.self, Int.self)
        return Queues(
            mailWaiting: counts?.0 ?? 0, mail: try await mail(), pushesWaiting: counts?.1 ?? 0,
            exports: try await exports(), erasures: try await erasures())
    }

    private func mail() async throws -> [Mail] {
        try await store.database.query(
            """
            select id, template, is_urgent, created_at, attempts, nullif(due_at, '-infinity') as due_at
            from mail where sent_at is null order by created_at limit \(Self.rowsMax)
            """
        ) { row throws(PostgresError) in
            Mail(
                id: try row["id"], template: try row["template"], isUrgent: try row["is_urgent"],
                createdAt: try row["created_at"], attempts: try row["attempts"], dueAt: try row["due_at"])
        }
    }

    private func exports() async throws -> [Export] {
        try await store.database.query(
            """
            select id, state, requested_at, progress, attempts from export where state <> 'ready'
            order by requested_at limit \(Self.rowsMax)
            """
        ) { row throws(PostgresError) in
            Export(
                id: try row["id"], state: try row["state"], requestedAt: try row["requested_at"],
                progress: try row["progress"], attempts: try row["attempts"])
        }
    }

    private func erasures() async throws -> [Erasure] {
        try await store.database.query(
            """
            select id, scope, requested_at, array(
              select unnest(awaited) except select service from erasure_report r where r.erasure = e.id order by 1) as missing
            from erasure e where completed_at is null order by requested_at limit \(Self.rowsMax)
            """
        ) { row throws(PostgresError) in
            Erasure(
                id: try row["id"], scope: try row["scope"], requestedAt: try row["requested_at"],
                missing: try row["missing"])
        }
    }

    /// Has all mail that waits for its next try sent now: after a relay was mended. How many. What is on its way stays as it is.
    func sendMail(reason: String, by actor: String) async throws -> Int {
        try Directory.check(purpose: reason)
        return try await store.transaction { transaction in
            try await audit.append(
                [.init(actor: actor, action: Self.sending, pseudonym: nil, purpose: reason)], in: transaction)
            let arrived = store.mailArrived
            transaction.afterCommit { arrived.raise() }
            return try await transaction.execute(MailSender.retrying)
        }
    }
}

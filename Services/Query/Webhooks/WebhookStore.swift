import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service

/// The table of webhooks, as third parties change it. Each change that the sender has to know of makes it begin anew: it
/// takes the webhook from its holder.
struct WebhookStore: Sendable {
    static let webhooksMax = 10

    let database: Database
    let cipher: FieldCipher

    /// Columns sealed with the service's key.
    static let sealedColumns = [
        SealedColumn("webhook", "content", location: "query.webhook.content"),
        SealedColumn("webhook", "secrets", location: "query.webhook.secrets"),
    ]

    static let columns: SQL = """
        w.id, w.requester_id, w.content, w.secrets, w.payload, w.kinds, w.state, w.reason, w.position, w.failing_since,
          w.created_at, (select count(*) from webhook_held h where h.webhook_id = w.id) as held_count
        """

    private static func contentLocation(_ id: UUID) -> FieldLocation { FieldLocation("query.webhook.content", row: id) }
    private static func secretsLocation(_ id: UUID) -> FieldLocation { FieldLocation("query.webhook.secrets", row: id) }

    private func seal(_ content: Webhook.Content, of id: UUID) throws -> [UInt8] {
        cipher.seal(try JSONEncoder().encode(content), at: Self.contentLocation(id))
    }

    private func seal(_ secrets: Webhook.Secrets, of id: UUID) throws -> [UInt8] {
        cipher.seal(try JSONEncoder().encode(secrets), at: Self.secretsLocation(id))
    }

    func webhook(_ row: PostgresRow) throws -> Webhook {
        let id: UUID = try row["id"]
        let content = try cipher.open(try row["content"], at: Self.contentLocation(id))
        let secrets = try cipher.open(try row["secrets"], at: Self.secretsLocation(id))
        // Kinds that this program does not know were chosen with a newer one.
        let kinds: [String] = try row["kinds"]
        return Webhook(
            id: id, requester: try row["requester_id"],
            content: try JSONDecoder().decode(Webhook.Content.self, from: content),
            secrets: try JSONDecoder().decode(Webhook.Secrets.self, from: secrets), payload: try row["payload"],
            kinds: kinds.compactMap(Event.Kind.init(rawValue:)), state: try row["state"], reason: try row["reason"],
            position: try row["position"], failingSince: try row["failing_since"], createdAt: try row["created_at"],
            heldCount: try row["held_count"])
    }

    // MARK: By third parties

    /// Adds one that begins with the next event. Errors: 409 `too-many-webhooks`.
    func add(
        _ content: Webhook.Content, _ secrets: Webhook.Secrets, payload: Webhook.Payload, kinds: [Event.Kind],
        of requester: UUID, at now: Timestamp, in transaction: Transaction
    ) async throws -> Webhook {
        let id = UUID.timeOrdered(at: now)
        let (sealedContent, sealedSecrets) = (try seal(content, of: id), try seal(secrets, of: id))
        // Locks the third party: what is added to its events meanwhile comes before or after.
        try await transaction.execute(
            """
            insert into recipient as p (requester_id, last_number) values (\(requester), 0)
            on conflict (requester_id) do update set last_number = p.last_number
            """)
        let rows = try await transaction.rows(
            """
            insert into webhook as w (id, requester_id, content, secrets, payload, kinds, position, created_at)
            select \(id), \(requester), \(sealedContent), \(sealedSecrets), \(payload), \(kinds.map(\.rawValue)), p.last_number, \(now)
            from recipient p where p.requester_id = \(requester)
              and (select count(*) from webhook where requester_id = \(requester)) < \(Int64(Self.webhooksMax))
            returning \(sql: Self.columns)
            """)
        guard let row = rows.first else {
            throw Problem(
                .conflict, code: "too-many-webhooks",
                detail: "there are \(Self.webhooksMax) webhooks already: delete one")
        }
        return try webhook(row)
    }

    /// The latest first. One that cannot be read is left out, and reported.
    func all(
        of requester: UUID, reporting unreadable: UnreadableRows, in session: some SQLSession
    ) async throws -> [Webhook] {
        let rows = try await session.rows(
            """
            select \(sql: Self.columns) from webhook w where requester_id = \(requester) order by created_at desc, id desc
            """)
        return try rows.compactMap { row in
            let id: UUID = try row["id"]
            return unreadable.read("query.webhook", id) { try webhook(row) }
        }
    }

    /// Errors: 404.
    func find(_ id: UUID, of requester: UUID, in session: some SQLSession, locked: Bool = false) async throws -> Webhook
    {
        let rows = try await session.rows(
            """
            select \(sql: Self.columns) from webhook w where id = \(id) and requester_id = \(requester)
            \(raw: locked ? "for no key update of w" : "")
            """)
        guard let row = rows.first else { throw Problem.notFound }
        return try webhook(row)
    }

    /// Changes one. When it is active again, it is as if it had never failed. Errors: 404.
    func change(
        _ id: UUID, of requester: UUID, in transaction: Transaction, _ change: (inout Webhook) throws -> Void
    ) async throws -> Webhook {
        let before = try await find(id, of: requester, in: transaction, locked: true)
        var webhook = before
        try change(&webhook)
        let isRestarted = webhook.state == .active && before.state != .active
        try await transaction.execute(
            """
            update webhook set content = \(try seal(webhook.content, of: id)), secrets = \(try seal(webhook.secrets, of: id)),
              payload = \(webhook.payload), kinds = \(webhook.kinds.map(\.rawValue)), state = \(webhook.state),
              reason = \(webhook.reason), failing_since = case when \(isRestarted) then null else failing_since end,
              fence = fence + 1, holder = null
            where id = \(id)
            """)
        if isRestarted {
            try await transaction.execute(
                "update webhook_held set next_at = clock_timestamp(), attempts = 0 where webhook_id = \(id)")
        }
        return try await find(id, of: requester, in: transaction)
    }

    /// Errors: 404.
    func remove(_ id: UUID, of requester: UUID) async throws {
        let count = try await database.execute(
            "delete from webhook where id = \(id) and requester_id = \(requester)")
        guard count > 0 else { throw Problem.notFound }
    }

    /// Has everything from an event or a time on sent again, in order. Errors: 404 for an event that is not there.
    func rewind(_ id: UUID, of requester: UUID, to point: ReplayPoint) async throws {
        try await database.transaction { transaction in
            _ = try await find(id, of: requester, in: transaction, locked: true)
            let first =
                switch point {
                case .event(let event): try await EventLog.number(of: event, to: requester, in: transaction)
                case .time(let time): try await EventLog.firstNumber(since: time, to: requester, in: transaction)
                }
            guard let first else {
                // Nothing has happened since.
                if case .time = point { return }
                throw Problem.notFound
            }
            try await transaction.execute(
                """
                update webhook set position = least(position, \(first - 1)), fence = fence + 1, holder = null where id = \(id)
                """)
            try await transaction.execute(
                """
                update webhook_held set from_number = least(from_number, \(first)), attempts = 0, next_at = clock_timestamp()
                where webhook_id = \(id)
                """)
        }
    }

    enum ReplayPoint: Sendable {
        case event(UUID)
        case time(Timestamp)
    }
}

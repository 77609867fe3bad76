import HTTP
import JSON
import Postgres
import Primitives
import Service

/// A call to a webhook, as its third party sees it.
struct WebhookAttempt: Sendable {
    let id: UUID
    let event: UUID
    let request: UUID?
    let kind: String
    /// From 1; 0 of a test and of an event that was sent again by hand.
    let attempt: Int
    let began: Timestamp
    let took: Duration
    let status: Int?
    let error: String?
    let nextAt: Timestamp?
}

extension WebhookAttempt {
    init(
        of event: UUID, request: UUID?, kind: String, number: Int, _ answer: WebhookCaller.Answer,
        nextAt: Timestamp? = nil, note: String? = nil
    ) {
        self.init(
            id: .timeOrdered(at: answer.began), event: event, request: request, kind: kind, attempt: number,
            began: answer.began, took: answer.took, status: answer.status,
            error: answer.error.map { error in note.map { "\(error); \($0)" } ?? error }, nextAt: nextAt)
    }
}

extension WebhookAttempt: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, eventID, requestID, type, attempt, beganAt, durationMs, status, isDelivered, error, nextAt
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(event, forKey: .eventID)
        try container.encodeIfPresent(request, forKey: .requestID)
        try container.encode(kind, forKey: .type)
        if attempt > 0 { try container.encode(attempt, forKey: .attempt) }
        try container.encode(began, forKey: .beganAt)
        try container.encode(took.milliseconds, forKey: .durationMs)
        try container.encodeIfPresent(status, forKey: .status)
        try container.encode(error == nil, forKey: .isDelivered)
        try container.encodeIfPresent(error, forKey: .error)
        try container.encodeIfPresent(nextAt, forKey: .nextAt)
    }
}

/// The log of attempts, kept for thirty days.
enum WebhookAttempts {
    static let days = 30
    /// Arrays hold no nulls.
    private static let none = UUID(high: 0, low: 0)
    private static let noTime = Timestamp(microseconds: 0)

    static func rule(in database: Database) -> RetentionRule {
        RetentionRule("webhook-attempts", days: days, table: "webhook_attempt", column: "began_at", in: database)
    }

    /// The statement that adds them, unless the webhook is gone.
    static func insert(_ attempts: [WebhookAttempt], of webhook: UUID) -> SQL {
        """
        insert into webhook_attempt (webhook_id, id, event_id, request_id, kind, attempt, began_at, duration_ms, status, error, next_at)
        select \(webhook), id, event_id, nullif(request_id, \(none)), kind, attempt, began_at, duration_ms,
          nullif(status, 0)::smallint, nullif(error, ''), nullif(next_at, \(noTime))
        from unnest(\(attempts.map(\.id)), \(attempts.map(\.event)), \(attempts.map { $0.request ?? none }),
          \(attempts.map(\.kind)), \(attempts.map { Int32(clamping: $0.attempt) }), \(attempts.map(\.began)),
          \(attempts.map { Int32(clamping: $0.took.milliseconds) }), \(attempts.map { Int32(clamping: $0.status ?? 0) }),
          \(attempts.map { $0.error ?? "" }), \(attempts.map { $0.nextAt ?? noTime }))
          a (id, event_id, request_id, kind, attempt, began_at, duration_ms, status, error, next_at)
        where exists (select from webhook where id = \(webhook))
        """
    }

    /// The latest first, from after `position`.
    static func all(
        of webhook: UUID, after position: ListPosition?, limit: Int, in database: Database
    ) async throws -> [WebhookAttempt] {
        let rest: SQL = position.map { "and (began_at, id) < (\($0.time), \($0.id))" } ?? ""
        let rows = try await database.rows(
            """
            select id, event_id, request_id, kind, attempt, began_at, duration_ms, status, error, next_at from webhook_attempt
            where webhook_id = \(webhook) \(sql: rest) order by began_at desc, id desc limit \(limit)
            """)
        return try rows.map { row in
            let (attempt, milliseconds): (Int32, Int32) = (try row["attempt"], try row["duration_ms"])
            let status: Int16? = try row["status"]
            return WebhookAttempt(
                id: try row["id"], event: try row["event_id"], request: try row["request_id"], kind: try row["kind"],
                attempt: Int(attempt), began: try row["began_at"], took: .milliseconds(Int64(milliseconds)),
                status: status.map { Int($0) }, error: try row["error"], nextAt: try row["next_at"])
        }
    }
}

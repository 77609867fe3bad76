import Postgres
import Service

/// For how long searches, the log of accesses, closed requests and questions about groups are kept.
enum HistoryRetention {
    static let (searchDays, requestDays) = (90, 730)

    static func rules(in database: Database) -> [RetentionRule] {
        [
            // To look into guessing (REQ-02).
            RetentionRule("searches", days: searchDays, table: "search_attempt", column: "attempted_at", in: database),
            // The history of both sides (REQ-11, REQ-12).
            RetentionRule("accesses", days: requestDays, table: "access", column: "last_at", in: database),
            // What third parties have been given (REQ-12).
            RetentionRule("results", days: requestDays, table: "event", column: "created_at", in: database),
            RetentionRule("results", days: requestDays, table: "event_pack", column: "created_at", in: database),
            // Who has asked what, and was told what, is forgotten (GRP-07); what was released stays for good. What is due is kept.
            RetentionRule(
                "group-requests", days: requestDays, table: "group_request", column: "asked_at",
                where: """
                    not exists (select from invoice where invoice.requester_id = group_request.requester_id
                      and invoice.id = group_request.invoice_id and invoice.state = 'due')
                    """, in: database),
            // With the last of its log: nothing is delivered for a closed request.
            RetentionRule(
                "requests", days: requestDays, table: "request", column: "closed_at",
                where: "not exists (select from access where access.request_id = request.id)", in: database),
        ]
    }
}

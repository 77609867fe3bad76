import Postgres
import Primitives
import Service

/// `trackme-query limits …`: operators see and set how many people a third party may look up in an hour (REQ-02). Each change is
/// in the audit trail.
struct LimitsCommand: Sendable {
    static let name = "limits"
    static let summary =
        "show: the limits of look-ups; set THIRD-PARTY SEARCHES MISSES REASON: those of one third party in an hour, by its account's number; clear THIRD-PARTY REASON: it has the deployment's again"

    static let usage = CommandMistake(
        description: """
            Say limits show, limits set THIRD-PARTY SEARCHES MISSES REASON, or limits clear THIRD-PARTY REASON. THIRD-PARTY is the \
            number of its account, as trackme-accounts operator find says it. SEARCHES and MISSES are from \
            \(RequesterLimits.allowed.lowerBound) to \(RequesterLimits.allowed.upperBound) an hour, MISSES not more than SEARCHES.
            """)

    private static let showMax: Int64 = 1000

    let database: Database
    let audit: AuditTrail
    /// The deployment's.
    let limits: RequesterLimits
    let clock: any WallClock

    init(_ context: ServiceContext<QuerySettings>) {
        database = context.database
        audit = AuditTrail(database: context.database)
        limits = context.settings.searchLimits
        clock = context.clock
    }

    /// What was done. Throws `CommandMistake`: a sentence for whoever called it.
    func run(_ arguments: [String]) async throws -> String {
        switch (arguments.first, arguments.count) {
        case ("show", 1): return try await show()
        case ("set", 5):
            guard let requester = UUID(arguments[1]), let searches = Int(arguments[2]), let misses = Int(arguments[3]),
                RequesterLimits.allowed.contains(searches), RequesterLimits.allowed.contains(misses), misses <= searches
            else { throw Self.usage }
            try await set(RequesterLimits(searchesMax: searches, missesMax: misses), for: requester, arguments[4])
            return "Account \(requester) may look up \(searches) people in an hour and miss \(misses) times."
        case ("clear", 3):
            guard let requester = UUID(arguments[1]) else { throw Self.usage }
            try await set(nil, for: requester, arguments[2])
            return "Account \(requester) has the limits of all: \(limits.text)."
        default: throw Self.usage
        }
    }

    private func show() async throws -> String {
        let rows = try await database.query(
            """
            select requester_id, searches_max, misses_max, set_at from requester_limit
            order by set_at desc, requester_id limit \(Self.showMax)
            """, as: UUID.self, Int32.self, Int32.self, Timestamp.self)
        let own = rows.map { id, searches, misses, setAt in
            "\(id)  \(RequesterLimits(searchesMax: Int(searches), missesMax: Int(misses)).text), set at \(setAt)"
        }
        return (["All others: \(limits.text)."] + own).joined(separator: "\n")
    }

    /// With the entry in the audit trail, in one transaction.
    private func set(_ limits: RequesterLimits?, for requester: UUID, _ reason: String) async throws {
        let purpose = (limits.map { "\($0.searchesMax)/\($0.missesMax): " } ?? "") + reason
        guard !reason.isEmpty, purpose.utf8.count <= AuditTrail.purposeBytesMax else {
            let room = AuditTrail.purposeBytesMax - (purpose.utf8.count - reason.utf8.count)
            throw CommandMistake(description: "The reason has 1 to \(room) bytes.")
        }
        do throws(TransactionError) {
            try await database.transaction { try await set(limits, for: requester, purpose: purpose, in: $0) }
        } catch { throw error.underlying }
    }

    private func set(
        _ limits: RequesterLimits?, for requester: UUID, purpose: String, in transaction: Transaction
    ) async throws {
        let pseudonym = try await transaction.queryOne("select audit_pseudonym(\(requester))", as: UUID?.self)
        guard let pseudonym = pseudonym ?? nil else {
            throw CommandMistake(description: "Account \(requester) is erased.")
        }
        try await audit.append(
            [
                .init(
                    actor: "command", action: limits == nil ? "query.clear_limits" : "query.set_limits",
                    pseudonym: pseudonym, purpose: purpose)
            ], in: transaction)
        guard let limits else {
            try await transaction.execute("delete from requester_limit where requester_id = \(requester)")
            return
        }
        try await transaction.execute(
            """
            insert into requester_limit (requester_id, searches_max, misses_max, set_at)
            values (\(requester), \(Int32(limits.searchesMax)), \(Int32(limits.missesMax)), \(clock.now()))
            on conflict (requester_id) do update set searches_max = excluded.searches_max,
              misses_max = excluded.misses_max, set_at = excluded.set_at
            """)
    }
}

extension RequesterLimits {
    fileprivate var text: String { "\(searchesMax) look-ups and \(missesMax) misses in an hour" }
}

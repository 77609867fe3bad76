import HTTP
import JSON
import Postgres
import Primitives
import Service
import Statistics

/// The table of group requests: what third parties have asked about groups, and what they were answered (GRP-07). It is apart from
/// the anonymous store, and beside the invoices, so that an answer and its invoice are written together (PAY-01).
struct GroupHistory: Sendable {
    let database: Database
    let clock: any WallClock
    /// `nil` where nothing costs anything.
    let pricing: Pricing?

    /// Keeps a question with its answer, and makes the invoice of an answer that costs something. The same question of the same third
    /// party costs once: what is paid, or was free, is not paid again, and what is due has the same invoice, also of two at once.
    /// One that was not paid in time is a new question.
    func record(_ answered: AnsweredQuestion, by requester: UUID) async throws -> GroupRequest {
        let now = clock.now()
        let id = UUID.timeOrdered(at: now)
        return try await database.transaction { transaction in
            var invoice: Invoice?
            if let pricing, answered.buckets != nil {
                let name = "group request \(requester) \(Base64.url.encode(answered.key))"
                try await transaction.execute("select pg_advisory_xact_lock(hashtextextended(\(name), 0))")
                invoice =
                    switch try await Self.standing(of: answered.key, by: requester, in: transaction) {
                    case .new: try await pricing.asked(id, by: requester, at: now, in: transaction)
                    case .free: nil
                    case .invoiced(let known):
                        try await pricing.store.invoice(known, of: requester, in: transaction)
                    }
            }
            let request = GroupRequest(id: id, askedAt: now, answered, invoice: invoice)
            try await Self.insert(request, key: answered.key, by: requester, in: transaction)
            return request
        }
    }

    /// How what the same third party has asked before stands.
    private enum Standing {
        /// Not asked, or not paid in time.
        case new
        case free
        /// Due or paid.
        case invoiced(UUID)
    }

    private static func standing(
        of key: [UInt8], by requester: UUID, in transaction: Transaction
    ) async throws(PostgresError) -> Standing {
        let known = try await transaction.queryOne(
            """
            select invoice_id from group_request g
            where requester_id = \(requester) and key = \(key) and outcome = 'answered' and (invoice_id is null or exists (
              select from invoice i where i.requester_id = g.requester_id and i.id = g.invoice_id and i.state <> 'cancelled'))
            order by asked_at desc, id desc limit 1
            """, as: UUID?.self)
        guard let known else { return .new }
        return known.map { .invoiced($0) } ?? .free
    }

    private static func insert(
        _ request: GroupRequest, key: [UInt8], by requester: UUID, in transaction: Transaction
    ) async throws(PostgresError) {
        try await transaction.execute(
            """
            insert into group_request (requester_id, id, asked_at, question, key, outcome, buckets, balance, invoice_id)
            values (\(requester), \(request.id), \(request.askedAt), \(request.question.bytes), \(key),
              \(request.outcome.rawValue), \(request.answer?.buckets.bytes), \(request.answer?.balance.bytes),
              \(request.invoiceID))
            """)
    }

    // MARK: Reading

    /// `nil` when it is not this third party's.
    func request(_ id: UUID, of requester: UUID) async throws -> GroupRequest? {
        try await Self.read("where requester_id = \(requester) and id = \(id)", of: requester, in: database).first
    }

    /// A third party's questions, the latest first, from after `position`.
    func requests(of requester: UUID, after position: ListPosition?, limit: Int) async throws -> [GroupRequest] {
        let rest: SQL = position.map { "and (asked_at, id) < (\($0.time), \($0.id))" } ?? ""
        return try await Self.read(
            """
            where requester_id = \(requester) \(sql: rest) order by asked_at desc, id desc limit \(limit)
            """, of: requester, in: database)
    }

    /// With their invoices.
    private static func read(
        _ condition: SQL, of requester: UUID, in session: some SQLSession
    ) async throws -> [GroupRequest] {
        let rows = try await session.rows(
            """
            select id, asked_at, question, outcome, buckets, balance, invoice_id from group_request \(sql: condition)
            """)
        let ids = Set(try rows.compactMap { try $0.decode("invoice_id", as: UUID?.self) })
        let invoices = ids.isEmpty ? [:] : try await InvoiceStore.invoices(Array(ids), of: requester, in: session)
        return try rows.map { try GroupRequest($0, invoices) }
    }

    /// What a company that is erased has asked; how many questions. Its invoices stay, and those that are due are cancelled.
    static func erase(_ account: UUID, at now: Timestamp, in transaction: Transaction) async throws -> Int {
        try await InvoiceStore.cancelGroupInvoices(of: account, at: now, in: transaction)
        return try await transaction.execute("delete from group_request where requester_id = \(account)")
    }
}

import Contracts
import HTTP
import Postgres
import Primitives
import Service

/// The tables of quotes and invoices, and which invoices the broker has to be told of.
struct InvoiceStore: Sendable {
    let database: Database

    private static let columns: SQL = """
        requester_id, id, request_id, kind, amount_minor, currency, state, version, created_at, due_until, pay_url,
        failed_at, paid_at, cancelled_at
        """

    // MARK: With the steps of a request

    /// Writes what the acceptance of a new request costs.
    func quote(_ price: Price, _ kind: PaymentKind, for request: UUID, in transaction: Transaction)
        async throws(PostgresError)
    {
        try await transaction.execute(
            """
            insert into quote (request_id, kind, amount_minor, currency)
            values (\(request), \(kind.rawValue), \(price.amount), \(price.currency))
            """)
    }

    /// Makes the invoice of an accepted request that was created with a price, and notes that the broker has to be told; `false`
    /// for one without a price.
    func make(
        for request: ConsentRequest, at now: Timestamp, dueUntil: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        try await transaction.execute(
            """
            with made as (
              insert into invoice (requester_id, id, request_id, kind, amount_minor, currency, created_at, due_until)
              select \(request.requesterID), \(UUID.timeOrdered(at: now)), request_id, kind, amount_minor, currency,
                \(now), \(dueUntil)
              from quote where request_id = \(request.id)
              returning requester_id, id)
            insert into broker_call (requester_id, invoice_id) select requester_id, id from made
            """) == 1
    }

    /// Writes a new invoice, and notes that the broker has to be told.
    func make(_ invoice: Invoice, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.batch([
            """
            insert into invoice (requester_id, id, request_id, kind, amount_minor, currency, created_at, due_until)
            values (\(invoice.requesterID), \(invoice.id), \(invoice.requestID), \(invoice.kind.rawValue),
              \(invoice.price.amount), \(invoice.price.currency), \(invoice.createdAt), \(invoice.dueUntil))
            """,
            "insert into broker_call (requester_id, invoice_id) values (\(invoice.requesterID), \(invoice.id))",
        ])
    }

    /// Cancels what is due for a request, if anything is: nothing was delivered, and nothing is owed. The broker is told, also when
    /// it may not have heard of the invoice: whether it has is not known here. `false` when nothing was due.
    func cancel(
        request: UUID, of requester: UUID, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        try await Self.cancel("request_id = \(request)", of: requester, at: now, in: transaction) > 0
    }

    /// Cancels all that is due for a third party's answers about groups.
    static func cancelGroupInvoices(
        of requester: UUID, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await cancel("kind = \(PaymentKind.groupOnce.rawValue)", of: requester, at: now, in: transaction)
    }

    private static func cancel(
        _ condition: SQL, of requester: UUID, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) -> Int {
        try await transaction.execute(
            """
            with cancelled as (
              update invoice set state = 'cancelled', version = version + 1, cancelled_at = \(now), pay_url = null
              where requester_id = \(requester) and \(sql: condition) and state = 'due'
              returning requester_id, id)
            insert into broker_call (requester_id, invoice_id) select requester_id, id from cancelled
            on conflict on constraint broker_call_key do update set due_at = now(), attempts = 0
            """)
    }

    /// Invoices that are unpaid and due no longer, at most `limit`, and none of the requests `resting`.
    func overdue(
        at now: Timestamp, resting: [UUID], limit: Int, in session: some SQLSession
    ) async throws -> [Invoice] {
        try await Self.read(
            """
            where state = 'due' and due_until <= \(now) and request_id <> all (\(resting))
            order by due_until limit \(limit)
            """, in: session)
    }

    // MARK: Data that is held back

    /// Notes of those of these requests that are not paid that data of them was not given. Call before a cursor goes past it.
    func passOver(_ requests: [UUID], of requester: UUID) async throws(PostgresError) {
        try await database.execute(
            """
            with held as materialized (
              select id from invoice
              where requester_id = \(requester) and request_id = any (\(requests)) and state = 'due' and not is_passed_over
              order by id for update)
            update invoice i set is_passed_over = true from held h where i.requester_id = \(requester) and i.id = h.id
            """)
    }

    /// Invoices of which that was noted, at most `limit`, and none of `resting`.
    func passedOver(
        resting: [UUID], limit: Int, in session: some SQLSession
    ) async throws(PostgresError) -> [UUID] {
        try await session.query(
            """
            select id from invoice where state = 'due' and is_passed_over and id <> all (\(resting)) order by id limit \(limit)
            """, as: UUID.self)
    }

    /// Of an invoice that is locked: nothing of it is behind any cursor now.
    func release(_ invoice: Invoice, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            update invoice set is_passed_over = false
            where requester_id = \(invoice.requesterID) and id = \(invoice.id) and state = 'due'
            """)
    }

    // MARK: Reading

    func invoice(
        ofRequest request: UUID, by requester: UUID, in session: some SQLSession
    ) async throws -> Invoice? {
        try await Self.read("where requester_id = \(requester) and request_id = \(request)", in: session).first
    }

    func invoice(_ id: UUID, of requester: UUID, in session: some SQLSession) async throws -> Invoice? {
        try await Self.read("where requester_id = \(requester) and id = \(id)", in: session).first
    }

    /// Those of a third party, by id.
    static func invoices(
        _ ids: [UUID], of requester: UUID, in session: some SQLSession
    ) async throws -> [UUID: Invoice] {
        let invoices = try await read("where requester_id = \(requester) and id = any (\(ids))", in: session)
        return Dictionary(invoices.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Locks the invoice until the end of the transaction, and before it the events of who pays it: so do the steps of requests, which
    /// add to these before they cancel.
    func lock(_ id: UUID, in transaction: Transaction) async throws -> Invoice? {
        try await transaction.execute(
            """
            select from recipient where requester_id = (select requester_id from invoice where id = \(id)) for update
            """)
        return try await Self.read("where id = \(id) for update", in: transaction).first
    }

    /// A third party's invoices, the latest first, from after `position`.
    func invoices(
        of requester: UUID, in state: Invoice.State?, after position: ListPosition?, limit: Int,
        in session: some SQLSession
    ) async throws -> [Invoice] {
        let chosen: SQL = state.map { "and state = \($0.rawValue)" } ?? ""
        let rest: SQL = position.map { "and (created_at, id) < (\($0.time), \($0.id))" } ?? ""
        return try await Self.read(
            """
            where requester_id = \(requester) \(sql: chosen) \(sql: rest)
            order by created_at desc, id desc limit \(limit)
            """, in: session)
    }

    /// Prices and invoices of these requests of a third party; those that are free are missing.
    func payments(
        for requests: [UUID], of requester: UUID, in session: some SQLSession
    ) async throws -> [UUID: RequestPayment] {
        let quotes = try await session.query(
            "select request_id, amount_minor, currency from quote where request_id = any (\(requests))",
            as: UUID.self, Int64.self, String.self)
        guard !quotes.isEmpty else { return [:] }
        let invoices = try await Self.read(
            "where requester_id = \(requester) and request_id = any (\(requests))", in: session)
        let byRequest = Dictionary(invoices.map { ($0.requestID, $0) }) { first, _ in first }
        let payments = quotes.map { request, amount, currency in
            let payment = RequestPayment(
                price: Price(amount: amount, currency: currency),
                payment: byRequest[request].map(RequestPayment.Payment.init))
            return (request, payment)
        }
        return Dictionary(payments) { first, _ in first }
    }

    private static func read(_ condition: SQL, in session: some SQLSession) async throws -> [Invoice] {
        try await session.rows("select \(sql: columns) from invoice \(sql: condition)").map(invoice)
    }

    private static func invoice(_ row: PostgresRow) throws -> Invoice {
        guard let kind = PaymentKind(rawValue: try row["kind"]), let state = Invoice.State(rawValue: try row["state"])
        else { throw PostgresError.usage("an invoice has a kind or state that this program does not know") }
        return Invoice(
            id: try row["id"], requesterID: try row["requester_id"], requestID: try row["request_id"], kind: kind,
            price: Price(amount: try row["amount_minor"], currency: try row["currency"]), state: state,
            version: try row["version"], createdAt: try row["created_at"], dueUntil: try row["due_until"],
            payURL: try row["pay_url"], failedAt: try row["failed_at"], paidAt: try row["paid_at"],
            cancelledAt: try row["cancelled_at"])
    }

    // MARK: What the broker says

    /// Writes where the broker takes the payment; `false` when the invoice is no longer due.
    func write(
        payURL: String, of invoice: Invoice, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        try await transaction.execute(
            """
            update invoice set pay_url = \(payURL)
            where requester_id = \(invoice.requesterID) and id = \(invoice.id) and state = 'due'
            """) == 1
    }

    /// Of an invoice that is locked and due.
    func pay(
        _ invoice: Invoice, reference: String, at time: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        try await transaction.batch([
            """
            update invoice set state = 'paid', version = version + 1, paid_at = \(time), reference = \(reference),
              pay_url = null
            where requester_id = \(invoice.requesterID) and id = \(invoice.id) and state = 'due'
            """,
            "delete from broker_call where requester_id = \(invoice.requesterID) and invoice_id = \(invoice.id)",
        ])
    }

    /// Of an invoice that is locked and due. Calls that come late or again change nothing.
    func fail(_ invoice: Invoice, at time: Timestamp, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            update invoice set failed_at = greatest(failed_at, \(time))
            where requester_id = \(invoice.requesterID) and id = \(invoice.id) and state = 'due'
            """)
    }

    /// What the broker called the payment of a paid invoice.
    func reference(of invoice: Invoice, in transaction: Transaction) async throws(PostgresError) -> String? {
        try await transaction.queryOne(
            "select reference from invoice where requester_id = \(invoice.requesterID) and id = \(invoice.id)",
            as: String?.self) ?? nil
    }

    // MARK: What the broker has to be told

    /// Leaves invoices of which the broker has to be told to this replica until `claim` is over, with the attempts made, this one
    /// included.
    func claimCalls(_ limit: Int, for claim: Duration) async throws -> [(invoice: Invoice, attempts: Int)] {
        let claimed = try await database.query(
            """
            update broker_call set due_at = now() + \(claim.milliseconds) * interval '1 ms', attempts = attempts + 1
            where (requester_id, invoice_id) in (
              select requester_id, invoice_id from broker_call where due_at <= now()
              order by due_at limit \(limit) for update skip locked)
            returning invoice_id, attempts
            """, as: UUID.self, Int32.self)
        let attempts = Dictionary(claimed) { first, _ in first }
        let invoices = try await Self.read("where id = any (\(claimed.map(\.0)))", in: database)
        return invoices.map { ($0, Int(attempts[$0.id] ?? 1)) }
    }

    func postpone(_ invoice: Invoice, by pause: Duration) async throws(PostgresError) {
        // What has changed since is told at once.
        try await database.execute(
            """
            update broker_call set due_at = now() + \(pause.milliseconds) * interval '1 ms'
            where requester_id = \(invoice.requesterID) and invoice_id = \(invoice.id) and exists (
              select from invoice where requester_id = \(invoice.requesterID) and id = \(invoice.id)
                and version = \(invoice.version))
            """)
    }

    /// Ends the call about this state of the invoice: a later state has still to be told.
    func finishCall(about invoice: Invoice, in session: some SQLSession) async throws(PostgresError) {
        try await session.execute(
            """
            delete from broker_call
            where requester_id = \(invoice.requesterID) and invoice_id = \(invoice.id) and exists (
              select from invoice where requester_id = \(invoice.requesterID) and id = \(invoice.id)
                and version = \(invoice.version))
            """)
    }

    func waitingCalls() async throws(PostgresError) -> Int {
        try await database.queryOne("select count(*) from broker_call", as: Int.self) ?? 0
    }
}

extension SQL {
    /// A condition on the row of table `request` whose data may be read and leave: its invoice, if it has one, is paid, or
    /// nothing costs anything here.
    static func isPaid(_ pricing: Pricing?) -> SQL {
        guard pricing != nil else { return "true" }
        return """
            not exists (select from invoice where invoice.requester_id = request.requester_id
              and invoice.request_id = request.id and invoice.state <> 'paid')
            """
    }
}

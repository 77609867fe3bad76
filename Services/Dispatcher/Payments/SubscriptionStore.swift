import Contracts
import Postgres
import Primitives
import Service

/// The tables of accepted prices and of invoices.
struct SubscriptionStore: Sendable {
    /// What a person is shown: ten years.
    static let shownMax = 120

    let database: Database

    /// A price that somebody has accepted.
    struct Subscription: Sendable {
        let price: Price
        let acceptedAt: Timestamp
    }

    private static let columns: SQL = """
        account, id, amount_minor, currency, state, created_at, covers_until, due_until, pay_url, failed_at, paid_at,
        cancelled_at, pause_from, is_pausing
        """

    private static func read(_ condition: SQL, in session: some SQLSession) async throws -> [Invoice] {
        try await session.rows("select \(sql: columns) from invoice \(sql: condition)").map(invoice)
    }

    private static func invoice(_ row: PostgresRow) throws -> Invoice {
        guard let state = Invoice.State(rawValue: try row["state"]) else {
            throw PostgresError.usage("an invoice has a state that this program does not know")
        }
        return Invoice(
            account: try row["account"], id: try row["id"],
            price: Price(amount: try row["amount_minor"], currency: try row["currency"]), state: state,
            createdAt: try row["created_at"], coversUntil: try row["covers_until"], dueUntil: try row["due_until"],
            payURL: try row["pay_url"], failedAt: try row["failed_at"], paidAt: try row["paid_at"],
            cancelledAt: try row["cancelled_at"], pauseFrom: try row["pause_from"], isPausing: try row["is_pausing"])
    }

    // MARK: With the enrolment

    /// The statement by which somebody accepts a price, in the transaction of the enrolment. Its first invoice is made at once.
    static func accept(_ price: Price, by account: UUID, at now: Timestamp) -> SQL {
        """
        insert into subscription (account, amount_minor, currency, accepted_at, next_at)
        values (\(account), \(price.amount), \(price.currency), \(now), \(now))
        on conflict on constraint subscription_key do update
        set amount_minor = excluded.amount_minor, currency = excluded.currency, accepted_at = excluded.accepted_at
        """
    }

    /// The statements with which an enrolment ends: what is due is not owed any more, and the broker is told. What is paid stays.
    static func ending(_ account: UUID, at now: Timestamp) -> [SQL] {
        [
            "delete from subscription where account = \(account)",
            """
            update invoice set state = 'cancelled', cancelled_at = \(now), pay_url = null,
              call_due_at = clock_timestamp(), call_attempts = 0
            where account = \(account) and state = 'due'
            """,
        ]
    }

    func subscription(of account: UUID) async throws(PostgresError) -> Subscription? {
        try await database.queryOne(
            "select amount_minor, currency, accepted_at from subscription where account = \(account)", as: Int64.self,
            String.self, Timestamp.self
        ).map { Subscription(price: Price(amount: $0.0, currency: $0.1), acceptedAt: $0.2) }
    }

    // MARK: Reading

    /// A person's invoices, the latest first.
    func invoices(of account: UUID) async throws -> [Invoice] {
        try await Self.read(
            "where account = \(account) order by created_at desc, id desc limit \(Int64(Self.shownMax))", in: database)
    }

    func dueInvoice(of account: UUID) async throws -> Invoice? {
        try await Self.read("where account = \(account) and state = 'due'", in: database).first
    }

    func lock(_ id: UUID, in transaction: Transaction) async throws -> Invoice? {
        try await Self.read("where id = \(id) for update", in: transaction).first
    }

    // MARK: The rounds of the keeper

    /// Makes the invoices whose time has come, at most `limit`.
    func make(at now: Timestamp, _ times: SubscriptionTimes, limit: Int) async throws(PostgresError) -> Int {
        try await database.execute(
            """
            with begun as (
              update subscription set next_at = null where account in (
                select account from subscription where next_at <= \(now)
                order by next_at limit \(Int64(limit)) for update skip locked)
              returning account, amount_minor, currency)
            insert into invoice (account, id, amount_minor, currency, created_at, covers_until, due_until, call_due_at)
            select account, gen_random_uuid(), amount_minor, currency, \(now), \(now + times.period),
              \(now + times.due), clock_timestamp()
            from begun
            """)
    }

    /// Unpaid invoices that can be paid, and of which it is time to warn.
    func toWarn(
        at now: Timestamp, _ times: SubscriptionTimes, resting: [UUID], limit: Int
    ) async throws -> [Invoice] {
        try await Self.read(
            """
            where state = 'due' and pay_url is not null and warned_at is null and due_until <= \(now + times.warning)
              and id <> all (\(resting))
            order by due_until limit \(Int64(limit))
            """, in: database)
    }

    /// Unpaid invoices of which was warned once.
    func toRemind(
        at now: Timestamp, _ times: SubscriptionTimes, resting: [UUID], limit: Int
    ) async throws -> [Invoice] {
        try await Self.read(
            """
            where state = 'due' and pay_url is not null and warned_at is not null and reminded_at is null
              and pause_from <= \(now + times.reminder) and id <> all (\(resting))
            order by due_until limit \(Int64(limit))
            """, in: database)
    }

    /// Accounts has taken the warning.
    func warned(_ invoice: Invoice, at now: Timestamp, pauseFrom: Timestamp) async throws(PostgresError) {
        try await database.execute(
            """
            update invoice set warned_at = \(now), pause_from = \(pauseFrom)
            where account = \(invoice.account) and id = \(invoice.id) and state = 'due' and warned_at is null
            """)
    }

    func reminded(_ invoice: Invoice, at now: Timestamp) async throws(PostgresError) {
        try await database.execute(
            """
            update invoice set reminded_at = \(now)
            where account = \(invoice.account) and id = \(invoice.id) and state = 'due' and reminded_at is null
            """)
    }

    /// Unpaid invoices whose warnings are over, of people who are watched.
    func toPause(
        at now: Timestamp, _ times: SubscriptionTimes, resting: [UUID], limit: Int
    ) async throws -> [Invoice] {
        try await Self.read(
            """
            where state = 'due' and pay_url is not null and pause_from <= \(now)
              and reminded_at <= \(now - times.reminderMin) and id <> all (\(resting)) and exists (
                select from enrolment e
                where e.account = invoice.account and e.is_active and e.paused_until is null)
            order by due_until limit \(Int64(limit))
            """, in: database)
    }

    /// In the transaction of the pause; `false` when it was paid meanwhile.
    func pausing(_ invoice: Invoice, in transaction: Transaction) async throws(PostgresError) -> Bool {
        try await transaction.execute(
            """
            update invoice set is_pausing = true
            where account = \(invoice.account) and id = \(invoice.id) and state = 'due' and pay_url is not null
            """) == 1
    }

    /// The pauses go on as long as the invoices are unpaid. How many were renewed.
    func renewPauses(_ times: SubscriptionTimes) async throws(PostgresError) -> Int {
        try await database.execute(
            """
            update enrolment set paused_until = clock_timestamp() + make_interval(secs => \(times.pause.seconds))
            where is_active and paused_until < clock_timestamp() + make_interval(secs => \(times.renewal.seconds))
              and account in (select account from invoice where is_pausing and state = 'due')
            """)
    }

    /// Invoices that are no longer due, and that watching was paused for.
    func toResume(resting: [UUID], limit: Int) async throws -> [Invoice] {
        try await Self.read(
            "where is_pausing and state <> 'due' and id <> all (\(resting)) order by account limit \(Int64(limit))",
            in: database)
    }

    /// Whoever it was paused for is watched again, or is not enrolled any more.
    func resumed(_ invoice: Invoice) async throws(PostgresError) {
        try await database.execute(
            """
            update invoice set is_pausing = false
            where account = \(invoice.account) and id = \(invoice.id) and state <> 'due' and not exists (
              select from enrolment e
              where e.account = invoice.account and e.is_active and e.paused_until is not null)
            """)
    }

    // MARK: What the broker says

    /// Of an invoice that is locked and due: it covers what it was made for, or as many days from now on when watching was paused.
    func pay(
        _ invoice: Invoice, reference: String, at time: Timestamp, covering until: Timestamp,
        in transaction: Transaction
    ) async throws(PostgresError) {
        try await transaction.batch([
            """
            update invoice set state = 'paid', paid_at = \(time), reference = \(reference), covers_until = \(until),
              pay_url = null, call_due_at = null
            where account = \(invoice.account) and id = \(invoice.id) and state = 'due'
            """,
            "update subscription set next_at = \(until) where account = \(invoice.account)",
        ])
    }

    /// Of an invoice that is locked and due. Calls that come late or again change nothing.
    func fail(_ invoice: Invoice, at time: Timestamp, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            update invoice set failed_at = greatest(failed_at, \(time))
            where account = \(invoice.account) and id = \(invoice.id) and state = 'due'
            """)
    }

    /// What the broker called the payment of a paid invoice.
    func reference(of invoice: Invoice, in transaction: Transaction) async throws(PostgresError) -> String? {
        try await transaction.queryOne(
            "select reference from invoice where account = \(invoice.account) and id = \(invoice.id)", as: String?.self)
            ?? nil
    }

    // MARK: What the broker has to be told

    /// Leaves invoices of which the broker has to be told to this replica until `claim` is over, with the attempts made, this one
    /// included. A time that is further ahead than it was ever set was set before the clock was set back, and is over.
    func claimCalls(
        _ limit: Int, for claim: Duration, longestPause: Duration
    ) async throws -> [(invoice: Invoice, attempts: Int)] {
        let claimed = try await database.query(
            """
            update invoice set call_due_at = clock_timestamp() + make_interval(secs => \(claim.seconds)),
              call_attempts = call_attempts + 1
            where (account, id) in (
              select account, id from invoice
              where call_due_at <= clock_timestamp()
                or call_due_at > clock_timestamp() + make_interval(secs => \((longestPause + claim).seconds))
              order by call_due_at limit \(Int64(limit)) for update skip locked)
            returning id, call_attempts
            """, as: UUID.self, Int32.self)
        let attempts = Dictionary(claimed) { first, _ in first }
        let invoices = try await Self.read("where id = any (\(claimed.map(\.0)))", in: database)
        return invoices.map { ($0, Int(attempts[$0.id] ?? 1)) }
    }

    /// Of an invoice that stands as it did: what has changed since is told at once.
    func postpone(_ invoice: Invoice, by pause: Duration) async throws(PostgresError) {
        try await database.execute(
            """
            update invoice set call_due_at = clock_timestamp() + make_interval(secs => \(pause.seconds))
            where account = \(invoice.account) and id = \(invoice.id) and state = \(invoice.state)
              and call_due_at is not null
            """)
    }

    /// The broker knows this state of the invoice: a later one has still to be told.
    func told(_ invoice: Invoice, in session: some SQLSession) async throws(PostgresError) {
        try await session.execute(
            """
            update invoice set call_due_at = null, call_attempts = 0
            where account = \(invoice.account) and id = \(invoice.id) and state = \(invoice.state)
            """)
    }

    /// Writes where the broker takes the payment; `false` when the invoice is no longer due.
    func write(payURL: String, of invoice: Invoice, in transaction: Transaction) async throws(PostgresError) -> Bool {
        try await transaction.execute(
            """
            update invoice set pay_url = \(payURL)
            where account = \(invoice.account) and id = \(invoice.id) and state = 'due'
            """) == 1
    }
}

import Contracts
import HTTP
import Postgres
import Primitives
import Reactor
import Service

/// What AutomatedSOS costs, wired together (README.md in this folder). There is none of it where the settings have no price.
struct Subscriptions: Sendable {
    /// Accounting records are kept for ten years (Italian civil code, article 2220).
    static let paidDays = 3653
    /// What was cancelled is no such record.
    private static let cancelledDays = 730

    let store: SubscriptionStore
    let keeper: SubscriptionKeeper
    let calls: SubscriptionCalls
    let price: Price
    private let routes: SubscriptionRoutes
    private let client: BrokerClient

    init(
        _ context: ServiceContext<DispatcherSettings>, _ settings: SubscriptionSettings,
        hook: Replaceable<BrokerHook>, enrolments: EnrolmentStore, notices: NoticeOutbox, tls: TLSContext?
    ) {
        let times = SubscriptionTimes(settings)
        price = settings.price
        store = SubscriptionStore(database: context.database)
        client = BrokerClient(hook, loops: context.loops, tls: tls, clock: context.clock)
        calls = SubscriptionCalls(context, store: store, client: client, notices: notices)
        keeper = SubscriptionKeeper(
            store: store, enrolments: enrolments, times: times, notices: notices,
            accounts: context.peers[ServiceName.accounts.rawValue], calls: calls, clock: context.clock,
            log: context.log)
        routes = SubscriptionRoutes(
            store: store, keeper: keeper,
            gate: BrokerGate(
                hook, clock: context.clock, ignoredMembers: .ignoredMembers(of: "broker", context.metrics)),
            price: price, times: times, notices: notices, clock: context.clock, log: context.log)
    }

    func add(to parts: inout ServiceParts, pacing: any Pacing) {
        let (routes, client) = (routes, client)
        parts.http { routes.add(to: &$0) }
        parts.tasks += [calls.task, keeper.task(pacing: pacing)]
        parts.atStop.append { client.close() }
    }

    /// The statement by which whoever enrols accepts the price; `nil` when who is enrolled already sends none. Errors: 422
    /// `price-not-accepted`.
    func acceptance(
        of accepted: Price?, by account: UUID, isEnrolled: Bool, at now: Timestamp
    ) throws(Problem) -> SQL? {
        if accepted == nil, isEnrolled { return nil }
        guard accepted == price else {
            var problem = Problem(
                .unprocessableContent, code: "price-not-accepted",
                detail: "30 days cost \(price.text) in hundredths: send it as accepts_price to accept it",
                errors: [.init(pointer: "/accepts_price", detail: "must be the price in force")])
            problem.members = price.members
            throw problem
        }
        return SubscriptionStore.accept(price, by: account, at: now)
    }

    /// Errors: 402 `payment-required` while watching is paused since an invoice is not paid.
    func requirePaid(_ account: UUID) async throws {
        guard let due = try await store.dueInvoice(of: account), due.isPausing else { return }
        throw Problem.paymentRequired(
            due.price, invoice: due.id, payURL: due.payURL,
            detail: "watching goes on once the invoice is paid; the SOS button works meanwhile")
    }

    /// Whether or not there is a price now: there may have been.
    static func retention(in database: Database) -> [RetentionRule] {
        [
            RetentionRule(
                "invoices", days: paidDays, table: "invoice", column: "paid_at", where: "state = 'paid'", in: database),
            RetentionRule(
                "cancelled-invoices", days: cancelledDays, table: "invoice", column: "cancelled_at",
                where: "state = 'cancelled'", in: database),
        ]
    }
}

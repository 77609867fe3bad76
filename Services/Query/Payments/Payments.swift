import HTTP
import Postgres
import Reactor
import Service

/// Payments, wired together (PAY-01, PAY-02). There are none where the settings have no prices.
struct Payments: Sendable {
    /// Accounting records are kept for ten years (Italian civil code, article 2220).
    static let paidDays = 3653
    /// What was cancelled is no such record.
    static let cancelledDays = 730

    let pricing: Pricing
    private let store: InvoiceStore
    private let hook: Replaceable<BrokerHook>
    private let client: BrokerClient
    private let calls: BrokerCalls
    private let outbox: NoticeOutbox
    private let tls: TLSContext
    private let settings: BrokerSettings

    /// `nil` without prices. Errors: settings, or files that they name, which cannot be used.
    init?(_ context: ServiceContext<QuerySettings>, outbox: NoticeOutbox, log: EventLog) throws(ConfigurationError) {
        guard let settings = context.settings.payments else { return nil }
        do throws(IOError) { tls = try TLSContext.client(oldest: .tls12) } catch {
            throw ConfigurationError("The system's certificate authorities cannot be read: \(error).")
        }
        self.settings = settings.broker
        self.outbox = outbox
        hook = Replaceable(try BrokerHook.load(settings.broker))
        store = InvoiceStore(database: context.database)
        client = BrokerClient(hook, loops: context.loops, tls: tls, clock: context.clock)
        calls = BrokerCalls(context, store: store, client: client, outbox: outbox)
        pricing = Pricing(settings, store: store, calls: calls, log: log)
    }

    /// What ends requests that are not paid, to be called every second or so.
    func add(
        to parts: inout ServiceParts, _ context: ServiceContext<QuerySettings>, life: RequestLife
    ) -> UnpaidInvoices {
        let broker = BrokerRoutes(
            store: store,
            gate: BrokerGate(
                hook, clock: context.clock, ignoredMembers: .ignoredMembers(of: "broker", context.metrics)),
            outbox: outbox, events: life.events, clock: context.clock, log: context.log)
        let invoices = InvoiceRoutes(store: store)
        parts.http { broker.register(on: &$0) }
        parts.http { invoices.register(on: &$0) }
        parts.tasks.append(calls.task)
        let (hook, tls, settings, client) = (hook, tls, settings, client)
        parts.atReload.append {
            hook.replace(try BrokerHook.load(settings))
            try tls.reload()
        }
        parts.atStop.append { client.close() }
        return UnpaidInvoices(store: store, life: life)
    }

    /// Whether or not there are prices now: there may have been.
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

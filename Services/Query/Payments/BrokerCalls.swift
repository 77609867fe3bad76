import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// Tells the broker how invoices stand, at least once each: what has to be told is written in the transaction of the change, and
/// told afterwards until the broker has taken it. Several replicas share the work.
struct BrokerCalls: Sendable {
    /// Invoices told of in one round.
    static let batchMax = 20
    static let callTime = Duration.seconds(10)
    /// How long a call is left to the replica that makes it, also after a crash.
    static let claim = Duration.seconds(60)
    static let backOff = BackOff(base: .seconds(2), max: .seconds(900))
    /// How often calls that other replicas or failures have left are looked for.
    private static let interval = Duration.seconds(2)

    private let store: InvoiceStore
    private let client: BrokerClient
    private let outbox: NoticeOutbox
    private let accounts: any RPCCaller
    private let baseURL: String
    private let clock: any WallClock
    private let log: Log
    private let waiting: Gauge
    private let outcomes: MetricFamily<Counter>
    private let added = EventCounter()

    init(
        _ context: ServiceContext<QuerySettings>, store: InvoiceStore, client: BrokerClient, outbox: NoticeOutbox
    ) {
        self.store = store
        self.client = client
        self.outbox = outbox
        accounts = context.peers[ServiceName.accounts.rawValue]
        baseURL = context.baseURL
        clock = context.clock
        log = context.log
        waiting = context.metrics.gauge(
            "trackme_broker_calls_waiting", "Invoices of which the payments' broker has still to be told.")
        outcomes = context.metrics.counters(
            "trackme_broker_calls_total", "Calls to the payments' broker, by what became of them.", labels: ["outcome"])
    }

    /// Call after a commit: tells what was added.
    func wake() { added.raise() }

    /// Tells what is added here at once, and every few seconds what other replicas or failures have left.
    var task: BackgroundTask {
        BackgroundTask("broker-calls") {
            while !Task.isCancelled {
                let seen = added.value
                if try await deliver() == Self.batchMax { continue }
                waiting.set(Double(try await store.waitingCalls()))
                _ = await added.wait(after: seen, deadline: .after(Self.interval))
            }
        }
    }

    /// Makes the calls that are due, at most `batchMax`; how many the broker took.
    @discardableResult
    func deliver() async throws -> Int {
        let claimEnds = Deadline.after(Self.claim)
        var (count, isAway) = (0, false)
        for (invoice, attempts) in try await store.claimCalls(Self.batchMax, for: Self.claim) {
            // Another replica may have taken up the rest.
            guard Deadline.after(Self.callTime) < claimEnds else { break }
            if !isAway {
                do {
                    try await tell(invoice)
                    outcomes["taken"].increment()
                    count += 1
                    continue
                } catch let failure as BrokerClient.Failure {
                    outcomes[failure.description].increment()
                    isAway = failure.isAway
                    log.warning(
                        "the broker did not take an invoice",
                        [
                            "invoice": .string(invoice.id.description), "reason": .string(failure.description),
                            "attempt": .integer(Int64(attempts)),
                        ])
                } catch let error as RPCError {
                    outcomes["accounts"].increment()
                    log.info("an invoice waits for accounts", ["error": Log.text(of: error)])
                }
            }
            try await store.postpone(invoice, by: Self.backOff.delay(afterFailures: attempts))
        }
        return count
    }

    /// Errors: `BrokerClient.Failure`, `RPCError`, and those of the database.
    private func tell(_ invoice: Invoice) async throws {
        switch invoice.state {
        case .paid: try await store.finishCall(about: invoice, in: store.database)
        case .cancelled:
            _ = try await client.send(message(.cancelled, of: invoice, payer: nil), deadline: .after(Self.callTime))
            try await store.finishCall(about: invoice, in: store.database)
        case .due:
            let name = try await accounts.call(
                Accounts.Name.self, .init(accountID: invoice.requesterID, purpose: "invoice"),
                deadline: .after(Self.callTime)
            ).name
            let payer = BrokerClient.Message.Payer(account: invoice.requesterID, name: name)
            let link = try await client.send(message(.due, of: invoice, payer: payer), deadline: .after(Self.callTime))
            let (store, outbox, now) = (store, outbox, clock.now())
            try await store.database.transaction { transaction in
                // Otherwise it was paid or cancelled meanwhile.
                if let link, try await store.write(payURL: link, of: invoice, in: transaction) {
                    try await outbox.add([.paymentDue(invoice, payURL: link)], at: now, in: transaction)
                }
                try await store.finishCall(about: invoice, in: transaction)
            }
            outbox.wake()
        }
    }

    private func message(
        _ event: BrokerClient.Message.Event, of invoice: Invoice, payer: BrokerClient.Message.Payer?
    ) -> BrokerClient.Message {
        let isOfGroup = invoice.kind == .groupOnce
        return BrokerClient.Message(
            invoice: invoice.id, event: event, price: invoice.price,
            description: "TrackMe \(isOfGroup ? "group request" : "request") \(invoice.requestID)", payer: payer,
            returnURL: isOfGroup ? "\(baseURL)/group-requests" : "\(baseURL)/data-requests/\(invoice.requestID)",
            dueUntil: invoice.dueUntil)
    }
}

import Contracts
import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Tells the broker how invoices stand, at least once each, until it has taken it (PAY-02). Several replicas share the work. Who pays is
/// not told: that somebody is watched is nobody's business.
struct SubscriptionCalls: Sendable {
    private static let batchMax = 20
    private static let callTime = Duration.seconds(10)
    /// How long a call is left to the replica that makes it, also after a crash.
    private static let claim = Duration.seconds(60)
    private static let pauseMax = Duration.seconds(900)
    private static let backOff = BackOff(base: .seconds(2), max: pauseMax)
    private static let interval = Duration.seconds(2)
    /// The broker may take the payment for so long: also when watching is paused by then.
    private static let payableMax = Duration.seconds(365 * 86_400)

    let store: SubscriptionStore
    let client: BrokerClient
    let notices: NoticeOutbox
    let baseURL: String
    let clock: any WallClock
    let log: Log
    private let added = EventCounter()

    init(
        _ context: ServiceContext<DispatcherSettings>, store: SubscriptionStore, client: BrokerClient,
        notices: NoticeOutbox
    ) {
        self.store = store
        self.client = client
        self.notices = notices
        baseURL = context.baseURL
        clock = context.clock
        log = context.log
    }

    /// Call after a commit: tells what was added.
    func wake() { added.raise() }

    /// Tells what is added here at once, and every few seconds what other replicas or failures have left.
    var task: BackgroundTask {
        BackgroundTask("broker-calls") {
            while !Task.isCancelled {
                let seen = added.value
                if try await deliver() == Self.batchMax { continue }
                _ = await added.wait(after: seen, deadline: .after(Self.interval))
            }
        }
    }

    /// Makes the calls that are due, at most `batchMax`; how many the broker took.
    @discardableResult
    func deliver() async throws -> Int {
        let claimEnds = Deadline.after(Self.claim)
        var (count, isAway) = (0, false)
        let claimed = try await store.claimCalls(Self.batchMax, for: Self.claim, longestPause: Self.pauseMax)
        for (invoice, attempts) in claimed {
            // Another replica may have taken up the rest.
            guard Deadline.after(Self.callTime) < claimEnds else { break }
            if !isAway {
                do throws(BrokerClient.Failure) {
                    let link = try await send(invoice)
                    try? await took(invoice, link)
                    count += 1
                    continue
                } catch {
                    isAway = error.isAway
                    log.warning(
                        "the broker did not take an invoice",
                        [
                            "invoice": .string(invoice.id.description), "reason": .string(error.description),
                            "attempt": .integer(Int64(attempts)),
                        ])
                }
            }
            try await store.postpone(invoice, by: Self.backOff.delay(afterFailures: attempts))
        }
        return count
    }

    /// Where the broker takes the payment, of what is due.
    private func send(_ invoice: Invoice) async throws(BrokerClient.Failure) -> String? {
        guard invoice.state != .paid else { return nil }
        return try await client.send(
            BrokerClient.Message(
                invoice: invoice.id, event: invoice.state == .due ? .due : .cancelled, price: invoice.price,
                description: "TrackMe AutomatedSOS", payer: nil, returnURL: "\(baseURL)/sos",
                dueUntil: invoice.createdAt + Self.payableMax), deadline: .after(Self.callTime))
    }

    private func took(_ invoice: Invoice, _ link: String?) async throws {
        let (store, notices, now) = (store, notices, clock.now())
        try await store.database.transaction { transaction in
            // Otherwise it was paid or cancelled meanwhile.
            if let link, try await store.write(payURL: link, of: invoice, in: transaction) {
                try await transaction.execute(try notices.insert([.paymentDue(invoice, payURL: link)], at: now))
            }
            try await store.told(invoice, in: transaction)
        }
        notices.wake()
    }
}

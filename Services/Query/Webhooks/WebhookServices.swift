import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Service
import Telemetry

/// What all senders of a process share.
struct WebhookServices: Sendable {
    let leases: WebhookLeases
    let writer: EventWriter
    let permits: EventPermits
    let departures: Departures
    let caller: WebhookCaller
    let places: CallPlaces
    /// Of calls that somebody has asked for and waits for.
    let placesByHand: CallPlaces
    let standing: Standing
    let outbox: NoticeOutbox
    let metrics: WebhookMetrics
    let baseURL: String
    let unreadable: UnreadableRows
    let clock: any WallClock
    let messages: Log

    var database: Database { leases.store.database }
    var times: WebhookTimes { leases.times }

    enum Outcome: Sendable {
        case answered(WebhookCaller.Answer)
        /// The consent ended before all of it was written.
        case over
    }

    /// While this runs, what arrives for the webhook's third party becomes events, which `signals` tell. Until the task is cancelled.
    /// Call on a loop.
    func listen(for webhook: Webhook, telling signals: WebhookSignals) async {
        var failure = RepeatedFailure()
        while !Task.isCancelled {
            do {
                try await writer.listening(webhook.requester, to: .all) { news in
                    while !Task.isCancelled {
                        let seen = news.value
                        try await writer.refresh(webhook.requester, .all)
                        failure.succeeded()
                        signals.tellNews()
                        _ = await news.wait(after: seen)
                    }
                }
            } catch {
                guard !Task.isCancelled else { return }
                if failure.isToBeTold() {
                    messages.warning(
                        "what arrives for a webhook waits",
                        ["webhook": .string(webhook.id.description), "error": Log.text(of: error)])
                }
                // Fails only when the task or its loop ends.
                try? await EventLoop.current?.sleep(for: times.pause)
            }
        }
    }

    /// Sends an event that was permitted until `lease`. Data is written while the permission holds, which is renewed while the
    /// connection is made and a slow receiver reads. What the operating system has taken over counts as having left; of a
    /// thin payload no data has. Call on a loop. Errors: the permission cannot be renewed.
    func send(
        _ event: Event, to webhook: Webhook, on delivery: EventDelivery, until lease: Deadline
    ) async throws -> Outcome {
        let body = try JSONEncoder().encode(WebhookPayload(event, webhook.payload, baseURL: baseURL))
        guard event.kind.isData else {
            return .answered(await caller.call(webhook, id: event.id, body: body, within: times.attempt))
        }
        let (caller, times, departures) = (caller, times, departures)
        do {
            return try await Lease.hold(until: lease) {
                try await permits.renew([event], on: delivery)
            } _: { release in
                let answer = await caller.call(webhook, id: event.id, body: body, within: times.attempt) {
                    if webhook.payload == .full { departures.note([event]) }
                    release()
                }
                return .answered(answer)
            }
        } catch is EventPermits.ConsentOver { return .over }
    }

    /// Disables a webhook that is still the sender's, and tells its third party.
    func disable(
        _ webhook: Webhook, fence: Int64, because reason: Webhook.Reason, _ outcome: String
    ) async throws {
        let (leases, outbox, now) = (leases, outbox, clock.now())
        try await database.transaction { transaction in
            guard try await leases.disable(webhook.id, fence: fence, because: reason, in: transaction) else { return }
            try await outbox.add([.disabled(webhook, outcome, at: now)], at: now, in: transaction)
        }
        outbox.wake()
    }
}

extension Notice {
    /// A webhook is not called any more.
    fileprivate static func disabled(_ webhook: Webhook, _ outcome: String, at now: Timestamp) -> Notice {
        Notice(
            to: webhook.requester, template: "webhook-disabled",
            values: [
                "webhook_id": webhook.id.description, "host": HTTPURL(webhook.content.url)?.authority ?? "",
                "since": (webhook.failingSince ?? now).description, "outcome": outcome,
            ])
    }
}

/// For the operator.
struct WebhookMetrics: Sendable {
    let attempts: MetricFamily<Counter>
    private let disabled: Gauge
    private let oldest: Gauge
    private let held: Gauge

    init(_ metrics: Metrics) {
        attempts = metrics.counters(
            "trackme_webhook_attempts_total", "Calls to webhooks: delivered, failed, or failed for the last time.",
            labels: ["outcome"])
        disabled = metrics.gauge("trackme_webhooks_disabled", "Webhooks that are disabled because they failed.")
        oldest = metrics.gauge(
            "trackme_webhook_waiting_seconds", "Age of the oldest event that an active webhook has not reached.")
        held = metrics.gauge("trackme_webhook_held_people", "People of whom an event could not be sent yet.")
    }

    /// Counts what is stored.
    func count(at now: Timestamp, in database: Database) async throws {
        let row = try await database.queryOne(
            """
            select (select count(*) from webhook where state = 'disabled'), (select count(*) from webhook_held),
              (select min(e.created_at) from webhook w, lateral (
                (select created_at from event e
                 where e.requester_id = w.requester_id and e.number > w.position order by e.number limit 1)
                union all
                (select first_at from event_pack e
                 where e.requester_id = w.requester_id and e.number > w.position order by e.number limit 1)) e
               where w.state = 'active')
            """, as: Int64.self, Int64.self, Timestamp?.self)
        guard let row else { return }
        disabled.set(Double(row.0))
        held.set(Double(row.1))
        oldest.set(row.2.map { max(0, Double((now - $0).milliseconds) / 1000) } ?? 0)
    }
}

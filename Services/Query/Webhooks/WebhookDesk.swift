import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization

/// The senders of this process, and the leases that share the webhooks among processes.
final class WebhookDesk: Sendable {
    /// Webhooks that one process sends for at the same time.
    static let sendersMax = 2000
    /// How long this process leaves a webhook that it cannot read to others.
    private static let unreadablePause = Duration.seconds(60)
    private static let countInterval = Duration.seconds(15)

    private struct Entry {
        let sender: WebhookSender
        let task: Task<Void, Never>
    }

    private struct State {
        var holder = UUID.random()
        var isRegistered = false
        var entries: [UUID: Entry] = [:]
        var unreadable: [UUID: Deadline] = [:]
        var isStopping = false
    }

    let services: WebhookServices
    private let loops: EventLoopGroup
    private let state = Mutex(State())
    private let wake = EventCounter()
    private let asking = EventCounter()

    init(_ services: WebhookServices, loops: EventLoopGroup) {
        self.services = services
        self.loops = loops
    }

    var sendingCount: Int { state.withLock { $0.entries.count } }

    /// Call after this process has changed a webhook on disk.
    func changed() { wake.raise() }

    /// `isSending`: whether this process sends.
    func tasks(isSending: Bool) -> [BackgroundTask] {
        let services = services
        let counting = BackgroundTask.periodic("webhook-counting", every: Self.countInterval) {
            try await services.metrics.count(at: services.clock.now(), in: services.database)
        }
        guard isSending else { return [counting] }
        return [
            counting, BackgroundTask("webhooks") { await self.run() },
            BackgroundTask("webhook-standing") { await self.ask() },
        ]
    }

    /// Runs rounds until the task is cancelled. Call on a loop.
    func run() async {
        await wake.rounds(every: services.times.round, round) { error in
            services.messages.warning("leases of webhooks wait", ["error": Log.text(of: error)])
        }
    }

    /// Renews the lease, drops what others have taken or changed, and takes up what is free.
    func round() async throws {
        let (holder, isFirst, isStopping) = state.withLock { ($0.holder, !$0.isRegistered, $0.isStopping) }
        guard !isStopping else { return }
        let until = Deadline.after(services.times.lease)
        guard try await services.leases.renew(holder, isFirst: isFirst) else { return loseAll() }
        state.withLock { $0.isRegistered = true }
        let held = try await services.leases.held(by: holder)
        let senders = state.withLock { $0.entries.values.map(\.sender) }
        for sender in senders {
            if let lease = held[sender.id], lease.fence == sender.fence {
                sender.signals.renewed(until: until, lastNumber: lease.lastNumber)
            } else {
                sender.signals.lose()
            }
        }
        // Of senders that have ended, and of webhooks that cannot be read.
        let free = Set(held.keys).subtracting(senders.map(\.id))
        if !free.isEmpty { try await services.leases.release(Array(free), of: holder) }
        let skipped = state.withLock { state in
            state.unreadable = state.unreadable.filter { !$0.value.hasPassed }
            return Array(state.unreadable.keys)
        }
        let room = min(Self.sendersMax - senders.count, WebhookLeases.claimMax)
        guard room > 0 else { return }
        let (claimed, lost) = try await services.leases.claim(
            for: holder, max: room, but: skipped, reporting: services.unreadable)
        state.withLock { state in for id in lost { state.unreadable[id] = .after(Self.unreadablePause) } }
        for webhook in claimed { start(webhook, until: until) }
        if claimed.contains(where: { !services.standing.isKnown($0.webhook.requester) }) { asking.raise() }
    }

    private func loseAll() {
        state.withLock { state in
            (state.holder, state.isRegistered) = (.random(), false)
            for entry in state.entries.values { entry.sender.signals.lose() }
        }
    }

    private func start(_ claimed: WebhookLeases.Claimed, until end: Deadline) {
        let loop = loops.next()
        let sender = WebhookSender(claimed, on: loop, services: services, leaseEnd: end)
        state.withLock { state in
            guard !state.isStopping else { return }
            let before = state.entries[sender.id]
            before?.sender.signals.lose()
            let task = loop.task { [self] in
                // One at a time, so that the order of each person's events is kept.
                await before?.task.value
                await sender.run()
                ended(sender)
            }
            state.entries[sender.id] = Entry(sender: sender, task: task)
        }
    }

    private func ended(_ sender: WebhookSender) {
        state.withLock { state in
            if state.entries[sender.id]?.sender === sender { state.entries[sender.id] = nil }
        }
        wake.raise()
    }

    /// Asks accounts again and again which third parties' accounts are in order, until the task is cancelled. Call on a loop.
    func ask() async {
        await asking.rounds(every: services.times.standing) {
            let requesters = state.withLock { Set($0.entries.values.map(\.sender.webhook.requester)) }
            if !requesters.isEmpty { try await services.standing.refresh(requesters) }
        } failed: { error in
            services.messages.warning(
                "webhooks wait until accounts says whose accounts are in order", ["error": Log.text(of: error)])
        }
    }

    /// Ends all senders and gives their webhooks back, so that another process goes on at once. Call on a loop.
    func stop() async {
        let (entries, holder) = state.withLock { state in
            state.isStopping = true
            return (Array(state.entries.values), state.holder)
        }
        for entry in entries { entry.sender.signals.stop() }
        for entry in entries { await entry.task.value }
        do throws(PostgresError) { try await services.leases.release(holder) } catch {
            services.messages.warning("webhooks were not given back", ["error": Log.text(of: error)])
        }
        services.caller.close()
    }
}

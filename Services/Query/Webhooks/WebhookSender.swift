import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Sends for one webhook, as long as this process holds it: what happens for its third party, at least once, in order for
/// each person. A receiver that fails, for one person or for all, holds up nobody else.
actor WebhookSender {
    /// Events in memory, and those of a page.
    private static let (backlogMax, pageMax, samplesMax) = (300, 200, 20_000)
    /// Events of a held lane that are read at once.
    private static let lanePageMax = 20
    private static let lanesMax = 8
    private static let knownLanesMax = 10_000
    /// Attempts that are not written yet.
    private static let unwrittenMax = 2000
    private static let writeAtOnce = 100
    /// How often it is tried to write the last of them; then whoever takes the webhook up sends those events again.
    private static let lastWritesMax = 4
    /// Failures one after the other by which a receiver can be down as a whole.
    private static let failuresMin = 20
    /// How long calls under way are waited for when the process stops.
    private static let finishMax = Duration.seconds(2)

    nonisolated let fence: Int64
    nonisolated let webhook: Webhook
    private let loop: EventLoop
    let services: WebhookServices
    nonisolated let signals: WebhookSignals
    private nonisolated let unwritten = EventCounter()

    private var queue: SendQueue
    private var progress = WebhookLeases.Progress()
    private var hasUnwritten = false
    /// Whether the writer knows that there is something.
    private var isWriteDue = false
    private var isFinished = false
    private var isDisabling = false
    private var individuals: [UUID: UUID] = [:]
    private var delivery: EventDelivery?
    private var deliveryEnds = Deadline.now()
    private var inFlight = 0
    private var limit = CallLimit()
    private var callFailure = RepeatedFailure()
    /// Until then the receiver has asked for rest.
    private var restEnds: Deadline?
    private var failuresInARow = 0
    private var down: Down?

    /// While a receiver as a whole is down, one event of one person is tried now and then.
    private struct Down {
        var failures = 0
        var probeAt: Deadline
        var lane: UUID?
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated var id: UUID { webhook.id }
    private nonisolated var wake: EventCounter { signals.wake }
    private nonisolated var isLost: Bool { signals.isLost }
    private nonisolated var isOver: Bool { signals.isOver }

    init(_ claimed: WebhookLeases.Claimed, on loop: EventLoop, services: WebhookServices, leaseEnd: Deadline) {
        webhook = claimed.webhook
        fence = claimed.fence
        self.loop = loop
        self.services = services
        signals = WebhookSignals(leaseEnd: leaseEnd)
        queue = SendQueue(position: claimed.webhook.position)
        progress.position = claimed.webhook.position
    }

    // MARK: Work

    /// Until the webhook is lost or the process stops.
    func run() async {
        let writing = loop.task { await self.writeUntilFinished() }
        await withDiscardingTaskGroup { calls in
            var failure = RepeatedFailure()
            var isLoaded = false
            while !isOver {
                guard services.standing.isGood(webhook.requester) else {
                    await waitForStanding()
                    continue
                }
                let listening = loop.task { [services, webhook, signals] in
                    await services.listen(for: webhook, telling: signals)
                }
                defer { listening.cancel() }
                do {
                    if !isLoaded { try await takeUp() }
                    isLoaded = true
                    try await work(&calls)
                    failure.succeeded()
                } catch is Standing.NotInOrder {
                    continue
                } catch {
                    if failure.isToBeTold() {
                        services.messages.warning(
                            "a webhook waits", ["webhook": .string(id.description), "error": Log.text(of: error)])
                    }
                    _ = await wake.wait(after: wake.value, deadline: .after(services.times.pause))
                }
            }
            if !isLost { await waitForCalls() }
            calls.cancelAll()
        }
        isFinished = true
        unwritten.raise()
        await writing.value
    }

    /// Until the account is in order, or the sender is told to end.
    private func waitForStanding() async {
        let seen = wake.value
        let news = services.standing.news
        let from = news.value
        guard !services.standing.isGood(webhook.requester), !isOver else { return }
        let wake = wake
        let watching = loop.task {
            _ = await news.wait(after: from)
            wake.raise()
        }
        _ = await wake.wait(after: seen)
        watching.cancel()
    }

    private func waitForCalls() async {
        let deadline = Deadline.after(Self.finishMax)
        while inFlight > 0, !deadline.hasPassed {
            let seen = wake.value
            guard inFlight > 0 else { return }
            _ = await wake.wait(after: seen, deadline: deadline)
        }
    }

    /// Begins where the one before has stopped.
    private func takeUp() async throws {
        for lane in try await services.leases.lanes(of: id) {
            queue.hold(lane.id, from: lane.from, attempts: lane.attempts, due: .after(lane.pause))
        }
        if webhook.failingSince != nil, queue.heldCount >= services.times.heldMin { down = Down(probeAt: .now()) }
    }

    private func work(_ calls: inout DiscardingTaskGroup) async throws {
        while !isOver {
            let seen = wake.value
            try services.standing.check(webhook.requester)
            guard signals.isLeased, progress.attempts.count < Self.unwrittenMax, !isResting else {
                _ = await wake.wait(after: seen, deadline: restEnds ?? .never)
                continue
            }
            probeWhenDue()
            try await readOn()
            try await readHeld()
            let batch = takeBatch()
            guard batch.isEmpty else {
                try await send(batch, &calls)
                continue
            }
            let due = down.map { $0.lane == nil ? $0.probeAt : .never } ?? queue.nextDue
            _ = await wake.wait(after: seen, deadline: inFlight >= limit.calls ? .never : due)
        }
    }

    private var isResting: Bool {
        guard let end = restEnds else { return false }
        if end.hasPassed { restEnds = nil }
        return restEnds != nil
    }

    private func probeWhenDue() {
        guard let known = down, known.lane == nil, known.probeAt.hasPassed else { return }
        guard let lane = queue.probe else {
            down = nil
            return
        }
        down?.lane = lane
    }

    // MARK: Reading

    private func readOn() async throws {
        guard down == nil, queue.backlog + Self.pageMax <= Self.backlogMax, queue.heldCount < services.times.heldMax,
            signals.takeNews()
        else { return }
        do {
            let page = try await services.writer.log.events(
                of: webhook.requester, after: queue.readThrough, samplesMax: Self.samplesMax, countMax: Self.pageMax,
                reporting: services.unreadable, in: services.database)
            guard page.last > queue.readThrough else { return }
            // There may be more.
            signals.tellNews()
            let events = page.events.filter(webhook.sends)
            try await learnIndividuals(of: events)
            queue.add(events.map { (individuals[$0.request] ?? $0.request, $0) }, through: page.last)
            noteUnwritten()
        } catch {
            signals.tellNews()
            throw error
        }
    }

    private func learnIndividuals(of events: [Event]) async throws {
        if individuals.count > Self.knownLanesMax { individuals = [:] }
        let missing = Set(events.map(\.request)).filter { individuals[$0] == nil }
        guard !missing.isEmpty else { return }
        let rows = try await services.database.query(
            "select id, individual_id from request where id = any(\(Array(missing)))", as: UUID.self, UUID.self)
        for (request, individual) in rows { individuals[request] = individual }
    }

    private func readHeld() async throws {
        if down != nil, down?.lane == nil { return }
        let room = min(Self.lanesMax, limit.calls - inFlight)
        for (lane, from) in queue.due(max: room, only: down?.lane) {
            var position = from
            while try await readHeld(lane, from: position) {
                guard let next = queue.held(lane)?.from, next > position else { break }
                position = next
            }
        }
    }

    /// Whether nothing was found that may be sent, and there is more to look at.
    private func readHeld(_ lane: UUID, from number: Int64) async throws -> Bool {
        let page = try await services.writer.log.events(
            of: webhook.requester, after: number - 1, .lane(lane), samplesMax: SampleReader.samplesMax,
            countMax: Self.lanePageMax, reporting: services.unreadable, in: services.database)
        guard queue.loaded(page.events.filter(webhook.sends), of: lane, last: page.last) else {
            return !queue.hasReady(only: lane)
        }
        progress.lanes.updateValue(nil, forKey: lane)
        noteUnwritten()
        if down?.lane == lane { down?.lane = nil }
        return false
    }

    // MARK: Sending

    private func takeBatch() -> [(lane: UUID, event: Event)] {
        if isDisabling || down != nil && down?.lane == nil { return [] }
        var batch: [(lane: UUID, event: Event)] = []
        while inFlight < limit.calls, queue.hasReady(only: down?.lane),
            services.places.take(for: webhook.requester, waking: wake)
        {
            guard let next = queue.take(only: down?.lane) else {
                services.places.leave(webhook.requester)
                break
            }
            inFlight += 1
            batch.append(next)
        }
        return batch
    }

    private func send(_ batch: [(lane: UUID, event: Event)], _ calls: inout DiscardingTaskGroup) async throws {
        let permitted: [Event]
        let lease: Deadline
        var delivery = currentDelivery()
        do {
            (permitted, lease) = try await services.permits.permit(batch.map(\.event), on: &delivery)
        } catch {
            for (lane, _) in batch { giveBack(lane) }
            throw error
        }
        self.delivery = delivery
        let begun = delivery
        let numbers = Set(permitted.map(\.number))
        for (lane, event) in batch {
            guard numbers.contains(event.number) else {
                // What may not leave any more is passed over.
                leave()
                done(lane, event)
                continue
            }
            guard signals.isLeased, !isLost else {
                giveBack(lane)
                continue
            }
            calls.addTask { await self.call(event, of: lane, on: begun, until: lease) }
        }
    }

    private func currentDelivery() -> EventDelivery {
        if let delivery, !deliveryEnds.hasPassed { return delivery }
        deliveryEnds = .after(services.times.delivery)
        let (standing, requester) = (services.standing, webhook.requester)
        return EventDelivery(
            .webhook, to: requester, at: services.clock.now(), carriesData: webhook.payload == .full
        ) { try standing.check(requester) }
    }

    private func call(_ event: Event, of lane: UUID, on delivery: EventDelivery, until lease: Deadline) async {
        let outcome: WebhookServices.Outcome
        do {
            outcome = try await services.send(event, to: webhook, on: delivery, until: lease)
        } catch {
            if callFailure.isToBeTold() {
                services.messages.warning(
                    "a call to a webhook was not made",
                    ["webhook": .string(id.description), "error": Log.text(of: error)])
            }
            return giveBack(lane, after: services.times.pause)
        }
        switch outcome {
        case .over:
            leave()
            done(lane, event)
        case .answered(let answer) where answer.isOwnFault: giveBack(lane, after: services.times.pause)
        case .answered(let answer):
            leave()
            await finish(event, of: lane, answer)
        }
    }

    private func leave() {
        inFlight -= 1
        services.places.leave(webhook.requester)
        wake.raise()
    }

    private func giveBack(_ lane: UUID, after pause: Duration = .zero) {
        leave()
        queue.giveBack(lane)
        if pause > .zero { restEnds = max(restEnds ?? .now(), .after(pause)) }
    }

    private func done(_ lane: UUID, _ event: Event) {
        queue.done(lane, event)
        if let held = queue.held(lane) { keep(lane, held) }
        noteUnwritten()
        wake.raise()
    }

    private func keep(_ lane: UUID, _ held: SendQueue.Held) {
        progress.lanes[lane] = .some(
            .init(id: lane, from: held.from, attempts: held.attempts, pause: held.dueAt.remaining))
    }

    // MARK: What came of it

    private func finish(_ event: Event, of lane: UUID, _ answer: WebhookCaller.Answer) async {
        let before = queue.held(lane)?.attempts ?? 0
        callFailure.succeeded()
        limit.adapt(to: answer, slow: services.times.slow)
        guard !answer.isDelivered else {
            record(event, answer, number: before + 1)
            progress.hasSuccess = true
            progress.endsFailing = false
            failuresInARow = 0
            if down != nil {
                down = nil
                queue.allDue()
                progress.isBack = true
            }
            return done(lane, event)
        }
        progress.endsFailing = true
        failuresInARow += 1
        let isProbe = down?.lane == lane
        // While the receiver is down as a whole nothing is given up.
        let attempts = isProbe ? before : before + 1
        let rest = min(answer.retryAfter ?? .zero, services.times.retryAfterMax)
        if rest > .zero { restEnds = max(restEnds ?? .now(), .after(rest)) }
        if let pause = services.times.pause(afterFailures: max(1, attempts)) {
            let pause = max(pause, rest)
            record(event, answer, number: before + 1, nextAt: services.clock.now() + pause)
            queue.failed(lane, event, attempts: attempts, pause: pause)
            if let held = queue.held(lane) { keep(lane, held) }
        } else {
            record(event, answer, number: before + 1, isGivenUp: true)
            queue.done(lane, event)
            if let held = queue.held(lane) { keep(lane, held) }
        }
        if isProbe {
            let failures = (down?.failures ?? 0) + 1
            let pause = services.times.probePause(afterFailures: failures)
            down = Down(failures: failures, probeAt: .after(max(pause, rest)))
        } else if down == nil, queue.heldCount >= services.times.heldMin, failuresInARow >= Self.failuresMin {
            down = Down(probeAt: .after(max(services.times.probePause(afterFailures: 0), rest)))
        }
        noteUnwritten()
        wake.raise()
        if answer.isGone { await disable(.gone, answer.error ?? "") }
    }

    private func record(
        _ event: Event, _ answer: WebhookCaller.Answer, number: Int, nextAt: Timestamp? = nil, isGivenUp: Bool = false
    ) {
        services.metrics.attempts[answer.isDelivered ? "delivered" : isGivenUp ? "given-up" : "failed"].increment()
        progress.attempts.append(
            WebhookAttempt(
                of: event.id, request: event.request, kind: event.kind.rawValue, number: number, answer, nextAt: nextAt,
                note: isGivenUp ? "given up" : nil))
        noteUnwritten()
    }

    // MARK: Writing

    private func noteUnwritten() {
        hasUnwritten = true
        if progress.attempts.count >= Self.writeAtOnce || !isWriteDue { unwritten.raise() }
    }

    /// Writes what was done in groups.
    private func writeUntilFinished() async {
        var (failures, told) = (0, RepeatedFailure())
        while true {
            let seen = unwritten.value
            guard hasUnwritten else {
                if isFinished { return }
                isWriteDue = false
                _ = await unwritten.wait(after: seen)
                continue
            }
            isWriteDue = true
            if !isFinished, progress.attempts.count < Self.writeAtOnce {
                _ = await unwritten.wait(after: unwritten.value, deadline: .after(services.times.write))
            }
            do {
                try await write()
                failures = 0
                told.succeeded()
            } catch {
                failures += 1
                if told.isToBeTold() {
                    services.messages.warning(
                        "what was sent to a webhook is not written yet",
                        ["webhook": .string(id.description), "error": Log.text(of: error)])
                }
                if isFinished, failures >= Self.lastWritesMax { return }
                // Fails only when the loop ends: nobody cancels this task.
                try? await loop.sleep(for: services.times.pause)
            }
        }
    }

    private func write() async throws {
        progress.position = queue.position
        let written = progress
        progress = WebhookLeases.Progress(position: written.position)
        hasUnwritten = false
        let failing: Duration?
        do {
            failing = try await services.leases.write(written, of: id, fence: fence)
        } catch {
            restore(written)
            throw error
        }
        wake.raise()
        guard let failing else { return signals.lose() }
        if written.endsFailing, failing >= services.times.failingMax {
            await disable(.failing, written.attempts.last { $0.error != nil }?.error ?? "")
        }
    }

    private func restore(_ written: WebhookLeases.Progress) {
        let since = progress
        progress = written
        progress.attempts += since.attempts
        progress.lanes.merge(since.lanes) { $1 }
        progress.hasSuccess = written.hasSuccess || since.hasSuccess
        if since.hasSuccess || since.endsFailing { progress.endsFailing = since.endsFailing }
        progress.isBack = written.isBack || since.isBack
        hasUnwritten = true
    }

    /// Nothing is sent from here on. The webhook is let go of only then, so that nobody takes it up as it was.
    private func disable(_ reason: Webhook.Reason, _ outcome: String) async {
        guard !isLost, !isDisabling else { return }
        isDisabling = true
        defer { signals.lose() }
        do {
            if hasUnwritten { try await write() }
            try await services.disable(webhook, fence: fence, because: reason, outcome)
        } catch {
            // It is tried again by who takes it up next.
            services.messages.warning(
                "a webhook could not be disabled", ["webhook": .string(id.description), "error": Log.text(of: error)])
        }
    }
}

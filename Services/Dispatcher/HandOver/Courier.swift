import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service
import Synchronization

/// Delivers one incident: carries out the actions that its state machine finds due, until none is left or another
/// process holds the lease. Without the database it goes on calling: only a lease that is known to be lost stops it.
actor Courier {
    /// How long a call waits until its event is written; then the call goes out all the same.
    private static let writeMax = Duration.milliseconds(500)
    /// Longest sleep: hooks may be configured meanwhile.
    private static let sleepMax = Duration.seconds(5)

    nonisolated let id: UUID
    nonisolated let fence: Int64
    let loop: EventLoop
    let services: HandOverServices
    private(set) var clock: IncidentClock
    nonisolated let news = EventCounter()
    private nonisolated let lost = Atomic<Bool>(false)
    /// The newest revision that is known to exist.
    private nonisolated let announced: Atomic<Int64>

    var journal: IncidentJournal
    private var calls = CallSchedule()
    var person: IncidentDetails.Person?
    var hasCalled = false
    var bodies: [String: [UInt8]] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ record: IncidentRecord, on loop: EventLoop, services: HandOverServices) {
        id = record.id
        fence = record.fence
        announced = Atomic(record.revision)
        clock = record.clock
        journal = IncidentJournal(record)
        self.loop = loop
        self.services = services
        person = record.details?.person
    }

    // MARK: Told from outside

    /// Call when this revision of the incident is stored.
    nonisolated func announce(_ revision: Int64) {
        guard revision > announced.load(ordering: .acquiring) else { return }
        announced.store(revision, ordering: .releasing)
        news.raise()
    }

    /// Call after this process has changed the incident on disk.
    nonisolated func announceChange() { announce(announced.load(ordering: .acquiring) + 1) }

    /// Call when another process holds the lease.
    nonisolated func lose() {
        lost.store(true, ordering: .releasing)
        news.raise()
    }

    nonisolated var isLost: Bool { lost.load(ordering: .acquiring) }

    // MARK: Work

    var incident: Incident { journal.incident }
    /// Those that have not received what is due to them.
    var outstandingHooks: [String] { incident.handOvers.filter(\.isOutstanding).map(\.hook) }
    private var hooks: [String] { services.hooks.order(for: journal.written.details?.fixes.first?.coordinate) }

    func run() async {
        await withDiscardingTaskGroup { group in
            if incident.identity == .sought {
                group.addTask { await self.learnPerson() }
                await waitForPerson()
            }
            group.addTask { await self.write() }
            while !Task.isCancelled, !isLost, hasWork || isBehind {
                let seen = news.value
                await refresh()
                let due = incident.due(at: clock.age, hooks: hooks, times: services.times, calls: &calls)
                for action in due { await perform(action, &group) }
                guard due.isEmpty else { continue }
                _ = await news.wait(after: seen, deadline: .after(pause))
            }
            await finishWriting()
            group.cancelAll()
        }
    }

    private var hasWork: Bool {
        if incident.hasWork { return true }
        return incident.endsAt(services.times).map { clock.age >= $0 } ?? false
    }

    /// Whether a newer revision is stored.
    private var isBehind: Bool { announced.load(ordering: .acquiring) > journal.written.revision }

    private var pause: Duration {
        if isBehind { return .milliseconds(100) }
        guard let wakeAt = incident.wakeAt(hooks: hooks, times: services.times, calls: calls) else {
            return Self.sleepMax
        }
        return min(max(wakeAt - clock.age, .milliseconds(1)), Self.sleepMax)
    }

    private func perform(_ action: Incident.Action, _ group: inout DiscardingTaskGroup) async {
        switch action {
        case .begin(let hook): await begin(hook)
        case .call(let hook, let number):
            measureFirstCall()
            group.addTask { await self.call(hook, number) }
        case .alarmOperator(let alarm, let hook):
            services.metrics.alarms[alarm.rawValue].increment()
            services.log.error(
                "an incident needs the operator",
                ["incident": .string(id.description), "reason": .string(alarm.rawValue)])
            record(.operatorAlarmed(alarm, hook: hook))
        case .giveUpWithdrawal(let hook):
            services.log.error(
                "a cancellation was not received", ["incident": .string(id.description), "hook": .string(hook)])
            record(.withdrawalGivenUp(hook))
        case .end: await end()
        }
    }

    private var lease: IncidentStore.Lease { .init(id: id, fence: fence, revision: journal.written.revision) }

    /// Writes that the hook is called, before it is called, so that a false alarm afterwards knows whom to tell. When
    /// writing takes longer than `writeMax`, the call goes out all the same.
    private func begin(_ hook: String) async {
        do {
            let change = try await services.store.change(id, of: lease, deadline: .after(Self.writeMax)) { record in
                if record.incident.stage == .unaccepted { record.apply(.handOverBegun(hook)) }
            }
            guard let change else { return lose() }
            adopt(change.record)
        } catch {
            services.log.warning("a hand-over goes on without the database", ["error": Log.text(of: error)])
            record(.handOverBegun(hook))
        }
    }

    private func end() async {
        let (times, known) = (services.times, clock.age)
        do {
            let change = try await services.store.change(id, of: lease) { record in
                // The age by this process's clock counts as well: the database's clock may have been set back.
                let age = max(known, record.clock.age)
                if let end = record.incident.endsAt(times), age >= end { record.apply(.timeIsUp, at: age) }
            }
            guard let change else { return lose() }
            adopt(change.record)
        } catch {
            services.log.warning("an incident could not be ended yet", ["error": Log.text(of: error)])
            try? await loop.sleep(for: .seconds(1))
        }
    }

    // MARK: Disk

    /// Applies an event of this process and queues it for writing.
    func record(_ event: IncidentEvent) {
        journal.add(event, at: clock.age)
        news.raise()
    }

    func adopt(_ record: IncidentRecord) {
        guard journal.adopt(record) else { return }
        clock = clock.notBehind(incident)
        person = person ?? record.details?.person
        bodies = [:]
        announce(record.revision)
    }

    /// Reads the stored incident; after a failure it is tried again later.
    private func refresh() async {
        guard isBehind else { return }
        do {
            guard let fresh = try await services.store.record(id), fresh.fence == fence else { return lose() }
            adopt(fresh)
            // The change that was announced was rolled back.
            announced.store(fresh.revision, ordering: .releasing)
        } catch {
            services.log.warning("an incident could not be read again", ["error": Log.text(of: error)])
        }
    }

    /// Writes the events of this process in their order, until cancelled; also without the lease, because they have
    /// happened.
    private func write() async {
        var failures = 0
        while !Task.isCancelled {
            let seen = news.value
            let events = journal.unwritten
            guard !events.isEmpty else {
                _ = await news.wait(after: seen)
                continue
            }
            do {
                let change = try await services.store.change(id) { record in
                    for event in events { record.apply(event.event, at: event.age) }
                }
                journal.markWritten(events.count)
                failures = 0
                if let change { adopt(change.record) } else { lose() }
                news.raise()
            } catch {
                failures += 1
                services.log.warning("a step of a hand-over could not be written yet", ["error": Log.text(of: error)])
                do throws(IOError) {
                    try await loop.sleep(for: BackOff().delay(afterFailures: failures))
                } catch { return }
            }
        }
    }

    /// Writes the remaining events after the work is over: the history shows every call and every receipt. Gives up
    /// after `HandOverTimes.finishMax`.
    private func finishWriting() async {
        let deadline = Deadline.after(services.times.finishMax)
        while !Task.isCancelled {
            let seen = news.value
            guard !journal.unwritten.isEmpty else { return }
            guard !deadline.hasPassed else {
                return services.log.error(
                    "steps of a hand-over were never written", ["incident": .string(id.description)])
            }
            _ = await news.wait(after: seen, deadline: deadline)
        }
    }
}

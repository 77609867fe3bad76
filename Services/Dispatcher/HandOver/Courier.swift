import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service
import Synchronization

/// Delivers one incident, until nothing is left to do or another process has it: carries out what its state machine finds
/// due. When the database is away it goes on calling: only a lease that is known to be lost stops it.
actor Courier {
    /// For what has to be on disk before a call; then the call goes out all the same.
    private static let writeMax = Duration.milliseconds(500)
    /// The longest sleep: hooks may be configured meanwhile.
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

    /// The incident has this revision on disk now.
    nonisolated func announce(_ revision: Int64) {
        guard revision > announced.load(ordering: .acquiring) else { return }
        announced.store(revision, ordering: .releasing)
        news.raise()
    }

    /// Call after this process has changed the incident on disk.
    nonisolated func announceChange() { announce(announced.load(ordering: .acquiring) + 1) }

    /// Another process has it now.
    nonisolated func lose() {
        lost.store(true, ordering: .releasing)
        news.raise()
    }

    nonisolated var isLost: Bool { lost.load(ordering: .acquiring) }

    // MARK: Work

    var incident: Incident { journal.incident }
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

    /// There is a newer revision on disk.
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

    /// On disk before the call, so that a false alarm after it finds whom to tell. When that takes too long, the call goes out
    /// all the same.
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
                // This process's reckoning counts, too: the database's clock may have been set back.
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

    /// Takes up what has happened here; it is written as soon as that can be.
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

    /// Reads what has changed on disk; on a failure later again.
    private func refresh() async {
        guard isBehind else { return }
        do {
            guard let fresh = try await services.store.record(id), fresh.fence == fence else { return lose() }
            adopt(fresh)
            // It was announced because of a change that came to nothing.
            announced.store(fresh.revision, ordering: .releasing)
        } catch {
            services.log.warning("an incident could not be read again", ["error": Log.text(of: error)])
        }
    }

    /// Writes what has happened here, in its order, until cancelled. Facts, whoever has the lease by now.
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

    /// Whatever has become of the incident: who was called, and what was received, has to be known. What cannot be written
    /// is left after `HandOverTimes.finishMax`.
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

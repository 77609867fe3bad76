import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service
import Synchronization

/// Delivers one incident, until nothing is left to deliver or another process has it. Carries out what `HandOverPlan`
/// decides. When the database is away it goes on calling: only a lease that is known to be lost stops it.
actor Courier {
    /// For what has to be on disk before a call; then the call goes out all the same.
    private static let writeMax = Duration.milliseconds(500)
    private static let writePauseMin = Duration.milliseconds(50)
    private static let writePauseMax = Duration.seconds(2)
    /// The longest sleep: clocks may be set.
    private static let sleepMax = Duration.seconds(5)
    private static let profileMax = Duration.seconds(2)
    /// Failures noted in the history per hook.
    private static let failuresNotedMax = 32

    nonisolated let id: UUID
    nonisolated let fence: Int64
    private let loop: EventLoop
    private let services: HandOverServices
    private nonisolated let news = EventCounter()
    private nonisolated let lost = Atomic<Bool>(false)
    /// The newest revision that is known to exist.
    private nonisolated let announced: Atomic<Int64>

    private var record: IncidentRecord
    private var plan: HandOverPlan
    private var person: IncidentDetails.Person?
    private var hasCalled = false
    private var isOver = false
    /// What hooks have received according to this process, whether or not that is on disk yet.
    private var received: [String: (at: Timestamp, sequence: Int)] = [:]
    /// Hooks that were begun while the database was away, and when.
    private var unwritten: [String: Timestamp] = [:]
    /// Writes under way, and until when they are tried once the work is over.
    private var writing = 0
    private var writeUntil: Deadline?
    private var bodies: [String: [UInt8]] = [:]
    private var failuresNoted: [String: Int] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ record: IncidentRecord, on loop: EventLoop, services: HandOverServices) {
        id = record.id
        fence = record.fence
        announced = Atomic(record.state.revision)
        self.record = record
        self.loop = loop
        self.services = services
        person = record.details.person
        plan = HandOverPlan(
            record.state, hooks: services.hooks.order(for: record.details.fixes.first?.coordinate),
            times: services.times)
    }

    // MARK: Told from outside

    /// The incident has this revision now.
    nonisolated func announce(_ revision: Int64) {
        guard revision > announced.load(ordering: .acquiring) else { return }
        announced.store(revision, ordering: .releasing)
        news.raise()
    }

    /// Something was decided in this process.
    nonisolated func announceChange() { announce(announced.load(ordering: .acquiring) + 1) }

    /// Another process has it now.
    nonisolated func lose() {
        lost.store(true, ordering: .releasing)
        news.raise()
    }

    nonisolated var isLost: Bool { lost.load(ordering: .acquiring) }

    // MARK: Work

    func run() async {
        await withDiscardingTaskGroup { group in
            if person == nil {
                group.addTask { await self.learnPerson() }
                await waitForPerson()
            }
            while !Task.isCancelled, !isLost, !isOver {
                let seen = news.value
                await refresh()
                plan.hooks = services.hooks.order(for: record.details.fixes.first?.coordinate)
                let steps = plan.due(at: services.clock.now())
                for step in steps { await perform(step, &group) }
                guard steps.isEmpty else { continue }
                _ = await news.wait(after: seen, deadline: .after(pause))
            }
            await finishWriting()
            group.cancelAll()
        }
    }

    /// Whatever has become of the incident: who was called, and what was received, has to be known. What cannot be written,
    /// because the incident is gone, ends after `HandOverTimes.finishMax`.
    private func finishWriting() async {
        let deadline = Deadline.after(services.times.finishMax)
        writeUntil = deadline
        for (hook, time) in unwritten { await writeBegun(hook, at: time) }
        while !Task.isCancelled {
            let seen = news.value
            guard writing > 0 else { return }
            guard !deadline.hasPassed else {
                return services.log.error(
                    "steps of a hand-over were never written", ["incident": .string(id.description)])
            }
            _ = await news.wait(after: seen, deadline: deadline)
        }
    }

    private var pause: Duration {
        guard let wakeAt = plan.wakeAt else { return Self.sleepMax }
        return min(max(wakeAt - services.clock.now(), .milliseconds(1)), Self.sleepMax)
    }

    private func waitForPerson() async {
        let deadline = Deadline.after(services.times.personMax)
        var seen = news.value
        while person == nil, !deadline.hasPassed, !Task.isCancelled {
            seen = await news.wait(after: seen, deadline: deadline)
        }
    }

    private func perform(_ step: HandOverPlan.Step, _ group: inout DiscardingTaskGroup) async {
        let now = services.clock.now()
        switch step {
        case .begin(let hook): await begin(hook, at: now, &group)
        case .attempt(let hook, let sequence):
            noteFirstCall(at: now)
            group.addTask { await self.attempt(hook, sequence) }
        case .alarmOperator(let alarm):
            services.metrics.alarms[alarm.rawValue].increment()
            services.log.error(
                "an incident needs the operator",
                ["incident": .string(id.description), "reason": .string(alarm.rawValue)])
            let note = IncidentStep(.operatorAlarmed, at: now, hook: plan.state.legs.last?.hook, detail: alarm.rawValue)
            group.addTask { await self.write { try await self.services.store.note(note, of: self.id) } }
        case .giveUpCancellation(let hook):
            services.log.error(
                "a cancellation was not received", ["incident": .string(id.description), "hook": .string(hook)])
            let note = IncidentStep(.cancellationGivenUp, at: now, hook: hook)
            group.addTask { await self.write { try await self.services.store.note(note, of: self.id) } }
        case .finishExercise: await end { lease in try await self.services.store.finishExercise(lease, at: now) }
        case .settle: await end { lease in try await self.services.store.settle(lease) }
        }
    }

    private var lease: IncidentStore.Lease { .init(id: id, fence: fence, revision: plan.state.revision) }

    /// On disk before the call, so that a false alarm after it finds whom to tell.
    private func begin(_ hook: String, at now: Timestamp, _ group: inout DiscardingTaskGroup) async {
        do throws(PostgresError) {
            guard
                try await services.store.begin(
                    hook, of: lease, at: now, deadline: .after(Self.writeMax))
            else {
                return announceChange()
            }
        } catch {
            services.log.warning("a hand-over goes on without the database", ["error": Log.text(of: error)])
            unwritten[hook] = now
            group.addTask { await self.writeBegun(hook, at: now) }
        }
        plan.begun(hook, at: now)
    }

    private func writeBegun(_ hook: String, at time: Timestamp) async {
        await write {
            guard self.unwritten[hook] != nil else { return }
            if try await self.services.store.noteCalled(hook, of: self.id, at: time) { self.announceChange() }
            self.unwritten[hook] = nil
        }
    }

    private func end(_ write: (IncidentStore.Lease) async throws -> Bool) async {
        do {
            if try await write(lease) { isOver = true } else { announceChange() }
        } catch {
            services.log.warning("an incident could not be settled yet", ["error": Log.text(of: error)])
        }
        guard !isOver else { return }
        try? await loop.sleep(for: .milliseconds(100))
    }

    /// Reads what has changed on disk; on a failure later again.
    private func refresh() async {
        guard announced.load(ordering: .acquiring) > plan.state.revision else { return }
        do {
            guard let fresh = try await services.store.record(id), fresh.fence == fence else { return lose() }
            if fresh.details.findings.last != record.details.findings.last { plan.rearm() }
            record = fresh
            person = person ?? fresh.details.person
            bodies = [:]
            plan.state = fresh.state
            for (hook, time) in unwritten { plan.begun(hook, at: time) }
            announced.store(fresh.state.revision, ordering: .releasing)
            for (hook, receipt) in received { noteReceipt(hook, receipt.sequence, at: receipt.at) }
        } catch {
            services.log.warning("an incident could not be read again", ["error": Log.text(of: error)])
        }
    }

    // MARK: Calls

    private func attempt(_ name: String, _ sequence: Int) async {
        guard let hook = services.hooks[name] else { return await failed(name, "not-configured") }
        let isCancellation = plan.state.isCancellation(sequence)
        let body: [UInt8]
        do throws(JSONError) { body = try self.body(sequence, for: name) } catch {
            return services.log.error("an incident could not be written", ["error": .string(error.description)])
        }
        do throws(HookCaller.Failure) {
            try await services.caller.call(
                hook, id: "\(id):\(sequence)", body: body, deadline: .after(services.times.attemptMax))
        } catch {
            return await failed(name, error.description)
        }
        let now = services.clock.now()
        services.metrics.attempts[name, "received"].increment()
        guard received[name].map({ $0.sequence < sequence }) ?? true else { return }
        received[name] = (received[name]?.at ?? now, sequence)
        noteReceipt(name, sequence, at: now)
        news.raise()
        await write {
            try await self.services.store.received(
                sequence, by: name, of: self.id, isCancellation: isCancellation, at: now)
        }
    }

    private func body(_ sequence: Int, for hook: String) throws(JSONError) -> [UInt8] {
        let key = "\(sequence) \(hook)"
        if let known = bodies[key] { return known }
        var shown = record
        shown.details.person = person
        let message = IncidentMessage(
            shown, sequence: sequence, sent: record.sentAt(sequence), reply: services.reply(id, hook: hook))
        let body = try message.encoded()
        bodies[key] = body
        return body
    }

    private func noteReceipt(_ hook: String, _ sequence: Int, at time: Timestamp) {
        guard let index = plan.state.legs.firstIndex(where: { $0.hook == hook }) else { return }
        plan.state.legs[index].receivedAt = plan.state.legs[index].receivedAt ?? time
        plan.state.legs[index].receivedSequence = max(plan.state.legs[index].receivedSequence, sequence)
    }

    private func failed(_ hook: String, _ reason: String) async {
        services.metrics.attempts[hook, reason].increment()
        services.log.warning(
            "a call to a hook failed",
            ["incident": .string(id.description), "hook": .string(hook), "reason": .string(reason)])
        let noted = failuresNoted[hook, default: 0] + 1
        failuresNoted[hook] = noted
        guard noted <= Self.failuresNotedMax, !Task.isCancelled else { return }
        let note = IncidentStep(.attemptFailed, at: services.clock.now(), hook: hook, detail: reason)
        await write { try await self.services.store.note(note, of: self.id) }
    }

    private func noteFirstCall(at now: Timestamp) {
        guard !hasCalled else { return }
        hasCalled = true
        guard let finding = record.details.findings.first, record.state.legs.count <= 1 else { return }
        services.metrics.firstCall.observe((now - finding.receivedAt).seconds)
    }

    /// Writes until it is on disk or this courier ends, or gives up after its end.
    private func write(_ body: () async throws -> Void) async {
        writing += 1
        defer {
            writing -= 1
            if isOver || isLost { news.raise() }
        }
        var pause = Self.writePauseMin
        while !Task.isCancelled, writeUntil?.hasPassed != true {
            do { return try await body() } catch {
                services.log.warning("a step of a hand-over could not be written yet", ["error": Log.text(of: error)])
            }
            do throws(IOError) { try await loop.sleep(for: pause) } catch { return }
            pause = min(pause * 2, Self.writePauseMax)
        }
    }

    // MARK: The person

    /// Asks who it is until that is known. What was sent without it is followed by an update.
    private func learnPerson() async {
        while !Task.isCancelled, person == nil {
            do throws(RPCError) {
                let profile = try await services.accounts.call(
                    Accounts.Profile.self, .init(accountID: record.account, purpose: "incident"),
                    deadline: .after(Self.profileMax))
                guard let found = profile.person else { return }
                person = IncidentDetails.Person(found)
            } catch {
                if error.code == .notFound { return }
                do throws(IOError) { try await loop.sleep(for: services.times.personPause) } catch { return }
            }
        }
        let isNews = hasCalled
        news.raise()
        while !Task.isCancelled, !isLost, record.details.person == nil {
            var details = record.details
            details.person = person
            do {
                let isWritten = try await services.store.setPerson(
                    details, of: lease, isNews: isNews, at: services.clock.now())
                if isWritten {
                    record.details.person = person
                    if isNews { announceChange() }
                    return
                }
                announceChange()
            } catch {
                services.log.warning("a name could not be written yet", ["error": Log.text(of: error)])
            }
            do throws(IOError) { try await loop.sleep(for: .milliseconds(200)) } catch { return }
        }
    }
}

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
    /// Presses that may be unwritten; further ones are part of these.
    private static let pressesMax = 200
    /// With so many events unwritten, what a service says once more is not written again.
    private static let eventsMax = 1000
    /// The first of them is settled within 5 s after the database has come back.
    private static let pauses = BackOff(max: .seconds(1))
    /// Longest sleep: hooks may be configured meanwhile.
    private static let sleepMax = Duration.seconds(5)

    nonisolated let id: UUID
    nonisolated let account: UUID
    private nonisolated let fenceHeld: Atomic<Int64>
    /// Of the lease; 0 for an incident that the database has not taken yet.
    nonisolated var fence: Int64 { fenceHeld.load(ordering: .acquiring) }
    /// What this machine's disk has of an incident that the database has not.
    private var opening: JournalledIncident?
    private var isOpeningOnDisk: Bool
    private nonisolated let stored: Atomic<Bool>
    /// Whether the database has it.
    nonisolated var isStored: Bool { stored.load(ordering: .acquiring) }
    /// Writes that have failed since the last one that was successful.
    private var writeFailures = 0
    /// The same of reading what is stored.
    private var readFailures = 0
    let loop: EventLoop
    let services: HandOverServices
    private(set) var clock: IncidentClock
    nonisolated let news = EventCounter()
    private nonisolated let databaseNews = EventCounter()
    private nonisolated let lost = Atomic<Bool>(false)
    /// The newest revision that is known to exist.
    private nonisolated let announced: Atomic<Int64>

    var journal: IncidentJournal
    private var calls = CallSchedule()
    /// Acceptances that were answered here, by hook and call. One that was not, and is sent again, may have been refused elsewhere in
    /// between.
    private var answered: Set<String> = []
    var person: IncidentDetails.Person?
    var hasCalled = false
    var bodies: [String: [UInt8]] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// `journalled` is what happened to the incident and the record lacks, on this machine's disk unless that has failed; with its
    /// opening the database does not have the incident.
    init(
        _ record: IncidentRecord, journalled: JournalledIncident? = nil, isOnDisk: Bool = true, on loop: EventLoop,
        services: HandOverServices
    ) {
        id = record.id
        account = record.account
        let isStored = journalled?.openingID == nil
        opening = isStored ? nil : journalled
        isOpeningOnDisk = isOnDisk
        stored = Atomic(isStored)
        fenceHeld = Atomic(isStored ? record.fence : 0)
        announced = Atomic(record.revision)
        clock = record.clock
        journal = IncidentJournal(record, journalled: journalled?.events ?? [], isOnDisk: isOnDisk)
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

    /// Call when the database takes what is written again.
    nonisolated func writeNow() { databaseNews.raise() }

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
    private var hooks: [String] {
        DeadManSwitch.isSynthetic(journal.written.account)
            ? services.hooks.forExercises : services.hooks.order(for: journal.written.details?.fixes.first?.coordinate)
    }

    func run() async {
        // Something may come while the last of its tasks end.
        repeat { await deliver() } while isWanted
    }

    private func deliver() async {
        await withDiscardingTaskGroup { group in
            if incident.identity == .sought {
                group.addTask { await self.learnPerson() }
                await waitForPerson()
            }
            group.addTask { await self.write() }
            group.addTask { await self.secureAgain() }
            repeat {
                while isWanted {
                    let seen = news.value
                    await refresh()
                    let due = incident.due(at: clock.age, hooks: hooks, times: services.times, calls: &calls)
                    for action in due { await perform(action, &group) }
                    guard due.isEmpty else { continue }
                    _ = await news.wait(after: seen, deadline: .after(pause))
                }
                await finishWriting()
            } while isWanted
            group.cancelAll()
        }
    }

    /// Whether something is to be done for the incident, beyond writing what was done.
    private var isWanted: Bool { !Task.isCancelled && !isLost && (hasWork || isBehind) }

    private var hasWork: Bool {
        if incident.hasWork { return true }
        return incident.endsAt(services.times).map { clock.age >= $0 } ?? false
    }

    /// Whether a newer revision is stored.
    private var isBehind: Bool { announced.load(ordering: .acquiring) > journal.written.revision }

    private var pause: Duration {
        // What is written in the end brings what is stored with it.
        let longest =
            isBehind && writeFailures == 0 ? Self.pauses.delay(afterFailures: readFailures + 1) : Self.sleepMax
        guard let wakeAt = incident.wakeAt(hooks: hooks, times: services.times, calls: calls) else { return longest }
        return min(max(wakeAt - clock.age, .milliseconds(1)), longest)
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
            // Of a synthetic incident the switch itself tells.
            if !DeadManSwitch.isSynthetic(journal.written.account) {
                services.bell.ring(OperatorAlarm(alarm, of: id, hook: hook))
            }
            record(.operatorAlarmed(alarm, hook: hook))
        case .remind: await remind()
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
        // Who has not answered is not waited for again.
        guard isStored, writeFailures == 0 else {
            record(.handOverBegun(hook))
            return await secure()
        }
        let entry = UUID.random()
        do {
            let change = try await services.store.change(id, of: lease, within: Self.writeMax) { record in
                if record.incident.stage == .unaccepted { record.apply(.handOverBegun(hook), as: entry) }
            }
            guard let change else { return lose() }
            adopt(change.record)
        } catch {
            services.log.warning("a hand-over goes on without the database", ["error": Log.text(of: error)])
            record(.handOverBegun(hook), as: entry)
            await secure()
        }
    }

    /// Tells the services that have it, and have not answered, once more. Without the database the next round does.
    private func remind() async {
        let (times, known, hooks) = (services.times, clock.age, hooks)
        await changeSoon("services could not be reminded yet") { record in
            let age = max(known, record.clock.age)
            if record.incident.remindsAt(hooks: hooks, times).map({ age >= $0 }) ?? false {
                record.apply(.seen("reminder"), at: age)
            }
        }
    }

    private func end() async {
        let (times, known) = (services.times, clock.age)
        guard isStored else { return record(.timeIsUp) }
        await changeSoon("an incident could not be ended yet") { record in
            // The age by this process's clock counts as well: the database's clock may have been set back.
            let age = max(known, record.clock.age)
            if let end = record.incident.endsAt(times), age >= end { record.apply(.timeIsUp, at: age) }
        }
    }

    /// Changes the stored incident in a way that a later round asks for anew: what is due to others is not held up by it.
    private func changeSoon(
        _ failure: StaticString, _ body: @escaping @Sendable (inout IncidentRecord) -> Void
    ) async {
        let seen = news.value
        do {
            guard writeFailures == 0 else { throw PostgresError.closed }
            let change = try await services.store.change(id, of: lease, within: Self.writeMax) { body(&$0) }
            guard let change else { return lose() }
            adopt(change.record)
        } catch {
            services.log.warning(failure, ["error": Log.text(of: error)])
            _ = await news.wait(after: seen, deadline: .after(.seconds(1)))
        }
    }

    // MARK: Disk

    /// Applies an event of this process and queues it for writing.
    func record(_ event: IncidentEvent, as entry: UUID = .random()) {
        journal.add(event, as: entry, at: clock.age)
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
        // Who has not answered is not waited for again: what is written then is read with it.
        guard isBehind, isStored, writeFailures == 0 else { return }
        do {
            guard let fresh = try await services.store.record(id, deadline: .after(Self.writeMax)), fresh.fence == fence
            else { return lose() }
            adopt(fresh)
            // The change that was announced was rolled back.
            announced.store(fresh.revision, ordering: .releasing)
            readFailures = 0
        } catch {
            readFailures += 1
            services.log.warning("an incident could not be read again", ["error": Log.text(of: error)])
        }
    }

    /// Writes the events of this process in their order, until cancelled; also without the lease, because they have
    /// happened. What the database does not take in time goes to this machine's disk, and to the database later.
    private func write() async {
        while !Task.isCancelled {
            let (seen, tried) = (news.value, databaseNews.value)
            let events = journal.unwritten
            guard !events.isEmpty || !isStored else {
                _ = await news.wait(after: seen)
                continue
            }
            do {
                try await write(events, deadline: writeFailures == 0 ? .after(Self.writeMax) : nil)
                writeFailures = 0
                news.raise()
            } catch {
                writeFailures += 1
                news.raise()
                services.log.warning("a step of a hand-over could not be written yet", ["error": Log.text(of: error)])
                await secure()
                _ = await databaseNews.wait(
                    after: tried, deadline: .after(Self.pauses.delay(afterFailures: writeFailures)))
            }
        }
    }

    /// Writes now, if an emergency is not written yet, and waits until it is, or that fails.
    func writeEmergencies(by deadline: Deadline) async {
        let failures = writeFailures
        guard hasUnwrittenEmergency else { return }
        writeNow()
        while hasUnwrittenEmergency, writeFailures == failures || writeFailures == 0, !isLost {
            guard !Task.isCancelled, !deadline.hasPassed else { return }
            let seen = news.value
            _ = await news.wait(after: seen, deadline: deadline)
        }
    }

    private var hasUnwrittenEmergency: Bool { journal.unwritten.contains(where: \.event.isEmergency) }

    /// What was journalled counts once, however often this is tried.
    private func write(_ events: [IncidentJournal.Entry], deadline: Deadline?) async throws {
        // What is found or pressed may be beyond the incident's end by now.
        guard !isStored || events.contains(where: { $0.isJournalled || $0.event.isEmergency }) else {
            let change = try await services.store.change(id, deadline: deadline) { record in record.apply(events) }
            journal.markWritten(events.map(\.id))
            // Meanwhile they may have been put there.
            if services.local[id] != nil { services.local.settle(events.map(\.id), of: id) }
            if let change { return adopt(change.record) } else { return lose() }
        }
        var journalled = opening ?? JournalledIncident(id)
        journalled.events = events.map(\.journalled)
        let settlement = try await services.settle(journalled, seen: known, deadline: deadline)
        guard case .settled(let settled) = settlement else {
            guard isStored else { throw JournalFault.entry("the database does not take the incident") }
            return lose()
        }
        journal.markWritten(events.map(\.id))
        services.local.settle(journalled.entryIDs, of: id)
        guard !isStored else { return adopt(settled.record) }
        opening = nil
        fenceHeld.store(settled.record.fence, ordering: .releasing)
        stored.store(true, ordering: .releasing)
        // Its time may count from another beginning there.
        clock = settled.record.clock
        adopt(settled.record)
        if !settled.isHeld { lose() }
    }

    /// What is known of the person here, beyond what is stored.
    private var known: IncidentDetails? {
        guard var details = journal.written.details else { return nil }
        details.person = details.person ?? person
        return details
    }

    /// Puts on this machine's disk what the database has not taken; waits for it, within limits. Whatever comes of it, the
    /// hand-over goes on.
    func secure() async {
        let entries = unsecured
        guard !entries.isEmpty else { return }
        do throws(JournalFault) {
            try await services.local.add(entries)
            isOpeningOnDisk = true
            journal.markJournalled(entries.map(\.id))
            // The database may have answered meanwhile.
            services.local.settle(entries.map(\.id).filter(journal.stored.contains), of: id)
        } catch {
            services.log.error(
                "a step of a hand-over is neither in the database nor on disk",
                ["incident": .string(id.description), "error": .string(error.description)])
        }
    }

    /// What neither the database nor this machine's disk has.
    var unsecured: [JournalEntry] {
        var entries: [JournalEntry] = []
        if !isOpeningOnDisk, let entry = opening?.openingEntry { entries.append(entry) }
        entries += journal.unwritten.filter { !$0.isJournalled && $0.event.isJournalled }
            .map { .init(id: $0.id, incident: id, at: $0.at, .event($0.event, $0.basis)) }
        return entries
    }

    // MARK: Without the database

    /// Takes up a decision that the database has not taken, or has not said so; returns whether it counts, and whether it is on disk.
    func decide(_ event: IncidentEvent, as entry: UUID) async -> (verdict: IncidentVerdict, isSecured: Bool) {
        var after = incident
        let verdict = after.apply(event, at: clock.age).verdict
        let isAnew = incident.isSaidAnew(event) || isUnanswered(event)
        let told = event.apart(verdict, at: clock.age)
        guard !journal.unwritten.lazy.map(\.event).haveTooManyRefusals(with: told) else { return (verdict, false) }
        if event.countsApart(verdict) || verdict == .repeated && isAnew && journal.unwritten.count < Self.eventsMax {
            // The database may have taken the acceptance under that id.
            record(told, as: told.isAnyRefusal ? .random() : entry)
        }
        guard event.countsApart(verdict) || verdict == .repeated else { return (verdict, true) }
        await secure()
        guard !journal.unwritten.contains(where: { $0.event.isDecision && !$0.isJournalled }) else {
            return (verdict, false)
        }
        if case .accepted(let hook, let call?) = event, answered.count < Self.eventsMax {
            answered.insert("\(hook) \(call.id)")
        }
        return (verdict, true)
    }

    /// Whether it is an acceptance that was answered neither here nor by the database.
    private func isUnanswered(_ event: IncidentEvent) -> Bool {
        guard case .accepted(let hook, let call?) = event else { return false }
        return !answered.contains("\(hook) \(call.id)")
            && journal.written.incident.handOver(to: hook)?.acceptance != call.id
    }

    /// The incident as it stands here; `nil` when it is over, a test call, or another process's, or can be told to nobody.
    var open: IncidentRecord? {
        guard !isLost, !incident.isExercise, incident.stage != .closed, journal.written.details != nil else {
            return nil
        }
        return journal.current
    }

    /// Takes over what was seen of the person, and the events that follow from it.
    func follow(_ record: IncidentRecord) async { await follow(record.changes.events, record.details) }

    private func follow(_ events: [IncidentRecord.Applied], _ details: IncidentDetails?) async {
        if let details { journal.see(details) }
        bodies = [:]
        for applied in events { record(applied.event, as: applied.journalID()) }
        await secure()
    }

    /// The wearer has pressed the SOS button, of which the details tell; the same press counts once, and so do many within
    /// `Incident.pressLength`. False when it is no emergency, or over.
    func followPress(_ id: UUID, _ press: @Sendable (inout IncidentDetails) -> Void) async -> Bool {
        // Sent again, perhaps after its end.
        if journal.has(id) { return true }
        guard !isLost, !incident.isExercise, incident.stage != .closed, var details = journal.written.details else {
            return false
        }
        let waiting = journal.unwritten.count { $0.event == .calledByHand }
        guard !incident.isPressed(justBefore: clock.age), waiting < Self.pressesMax else { return true }
        details.press(isNews: incident.isPressNews(at: clock.age), press)
        await follow([.init(event: .calledByHand, entry: id)], details)
        return true
    }

    /// Waits until what was pressed outlives this process: it is stored, on this machine's disk, or with the service that comes.
    func keepsPress(by deadline: Deadline) async -> Bool {
        await secure()
        while true {
            let seen = news.value
            let isWritten = !journal.unwritten.contains { $0.event == .calledByHand && !$0.isJournalled }
            if isWritten && (isStored || isOpeningOnDisk) { return true }
            if incident.stage == .accepted, incident.isReportReceived { return true }
            guard !isLost, !Task.isCancelled, !deadline.hasPassed else { return false }
            _ = await news.wait(after: seen, deadline: deadline)
        }
    }

    /// Takes over what is on this machine's disk now: who read it before may have read what has been written since.
    func takeJournalled() {
        guard let known = services.local[id] else { return }
        // The disk may have been slower than the database.
        services.local.settle(known.entryIDs.filter(journal.stored.contains), of: id)
        journal.add(journalled: known.events)
        clock = clock.notBehind(incident)
        news.raise()
    }

    /// As the wearer sees it.
    var view: IncidentView { IncidentView(journal.written, as: incident) }

    /// Writes the remaining events after the work is over: the history shows every call and every receipt. Gives up
    /// after `HandOverTimes.finishMax`. Ends when there is work again.
    private func finishWriting() async {
        let deadline = Deadline.after(services.times.finishMax)
        while !Task.isCancelled, !isWanted {
            let seen = news.value
            guard !journal.unwritten.isEmpty || !isStored else { return }
            guard !deadline.hasPassed else {
                // What is on disk is written when the database is there.
                if isOpeningOnDisk, journal.unwritten.allSatisfy({ $0.isJournalled || !$0.event.isJournalled }) {
                    return
                }
                return services.log.error(
                    "steps of a hand-over were never written", ["incident": .string(id.description)])
            }
            _ = await news.wait(after: seen, deadline: deadline)
        }
    }
}

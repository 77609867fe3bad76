import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Telemetry

/// The SOS button (SOS-12a): what a press makes of the enrolment and of what the monitor has seen last, and how it is called off. It
/// works while monitoring is paused, too. There is no abort window: whoever presses wants to be helped, and can call it off.
///
/// While the database is away, or does not answer in time, it is made of what is in memory of the person, and goes through the
/// local journal; who is not followed by this process, or paused, is answered 503 then, and sends again with the same id. So is a
/// press that neither a disk nor an ambulance service has: this process may end before one of them does.
struct ManualCalls: Sendable {
    let keeper: any PressKeeper
    let hooks: Hooks
    let desk: HandOverDesk
    let people: WatchedPeople
    let calls: Counter

    /// The open emergency. Errors: 404 `not-enrolled`; the database's.
    func call(_ form: ManualCallForm, of account: UUID, by caller: ManualCall.Caller) async throws -> UUID {
        let (takenApart, asked) = (EventCounter(), Asked(at: people.standby.clock.now()))
        let stored = StartedWork { [self] in
            try await callStored(form, account, caller, asked, unless: takenApart)
        }
        do { return try await stored.outcome(by: .after(Self.storedMax)) } catch  where isDatabaseAway(error) {
            let apart = StartedWork { [self] in try await callApart(form, account, caller) }
            // Else it is nowhere but in the database, if that takes it.
            if let id = try await apart.outcome(by: .never), desk.hasTaken(id) {
                takenApart.raise()
                guard await desk.keepsPress(in: id, by: .after(Self.keptMax)) else { throw Self.notKept }
                return id
            }
            // Nobody else can be asked: it may only be slow.
            return try await stored.outcome(by: .after(Self.patience))
        }
    }

    /// When the button was pressed.
    private struct Asked: Sendable {
        /// By the database's clock, as far as this process knew it.
        let at: Timestamp
        let since = Deadline.now()

        /// The same by the clock of the database, which says `now`, and may have been set meanwhile. It said so before it had locked
        /// anything, so that this would be too early.
        func time(now: Timestamp) -> Timestamp { min(now, max(at, now - Deadline.now().since(since))) }
    }

    /// How long the database has: it knows of emergencies that others have opened, and a press is one emergency rather than soon.
    private static let storedMax = Duration.milliseconds(1500)
    /// How long a disk or an ambulance service has for a press that the database does not take.
    private static let keptMax = Duration.seconds(1)
    /// How much longer a person is waited for whom only the database knows: whoever sends again finds what was begun, or somebody who
    /// knows the person.
    private static let patience = Duration.milliseconds(1500)

    /// Changes nothing once it has been taken apart: the database may be back minutes later, and the wearer well by then.
    private func callStored(
        _ form: ManualCallForm, _ account: UUID, _ caller: ManualCall.Caller, _ asked: Asked,
        unless takenApart: EventCounter
    ) async throws -> UUID {
        guard let stored = try await keeper.enrolled(account, log: desk.log) else { throw Self.notEnrolled }
        let id = IncidentID.of(account, call: form.id)
        // What is in memory has seen more than what is stored.
        let live = people.standby.roster.live(account).flatMap { try? Monitor(packed: $0.monitor) }
        let monitor: @Sendable (Timestamp) -> Monitor? = { now in live ?? stored.monitor(now) }
        let here = form.fix(at: .now())?.coordinate ?? monitor(.now())?.fixes.first?.coordinate
        let order = hooks.order(for: here)
        let update: @Sendable (Timestamp, Timestamp, inout IncidentDetails) -> Void = { time, now, details in
            Self.press(&details, form, caller, monitor(now), at: time, now)
        }
        let press = IncidentStore.Press(
            make: { time, now, supersedes in
                var details = IncidentDetails(
                    findings: [], fixes: [], vitals: [], enrolment: stored.enrolment, supersedes: supersedes)
                update(time, now, &details)
                return Self.record(id, of: account, details, order, at: now)
            }, update: update, time: asked.time, isWanted: { takenApart.value == 0 })
        let opening = try await keeper.call(id, of: account, hooks: order, press)
        for changed in opening.changed { desk.changed(changed) }
        guard let record = opening.new else { return opening.id }
        desk.start(record)
        calls.increment()
        await tell(record, count: opening.countOfDay)
        return opening.id
    }

    /// False of one that is over, as only this machine may know, or on which nobody acts any more.
    private func isActed(on known: IncidentRecord) async -> Bool {
        guard await !desk.hasEnded(known.id) else { return false }
        return !known.incident.givesWay(
            isSameEpisode: false, hooks: [], times: people.incidents.times, at: known.clock.age)
    }

    /// `nil` when this process does not know the person.
    private func callApart(
        _ form: ManualCallForm, _ account: UUID, _ caller: ManualCall.Caller
    ) async throws -> UUID? {
        try await desk.opening(of: account) { try await callApartInTurn(form, account, caller) }
    }

    private func callApartInTurn(
        _ form: ManualCallForm, _ account: UUID, _ caller: ManualCall.Caller
    ) async throws -> UUID? {
        let (standby, id) = (people.standby, IncidentID.of(account, call: form.id))
        let now = standby.clock.now()
        // It may be waiting for the wearer to call it off. What is pressed again is told once.
        if desk.courier(of: id) != nil { return id }
        let told = await desk.followPress(of: account, as: id) {
            Self.press(&$0, form, caller, nil, at: now, now)
        }
        if let told { return told }
        if let known = await desk.openIncident(of: account, at: now) {
            if known.id != id {
                var open = known
                open.press(as: id) { Self.press(&$0, form, caller, nil, at: now, now) }
                await desk.follow(open, after: known)
            }
            return known.id
        }
        guard let entry = standby.roster[account],
            let key = try? await people.keys.keysAtHand(of: [account])[account]?.get()
        else { return nil }
        let person = try people.person(account, entry, key: key, at: now)
        if let known = entry.incident, known.details != nil, await isActed(on: known) {
            var open = known
            open.press(as: id) { Self.press(&$0, form, caller, person.monitor, at: now, now) }
            await desk.follow(open, after: known)
            return known.id
        }
        var details = IncidentDetails(
            findings: [], fixes: [], vitals: [], enrolment: person.enrolment, person: person.identity,
            supersedes: entry.incident?.id)
        Self.press(&details, form, caller, person.monitor, at: now, now)
        let order = hooks.order(for: details.fixes.first?.coordinate)
        var record = Self.record(id, of: account, details, order, at: now)
        if person.identity != nil { record.apply(.identified(isNews: false), at: .zero) }
        standby.noteOpened(id)
        desk.log.warning("an SOS is handed over without the database", ["incident": .string(id.description)])
        await desk.open(record, at: now)
        calls.increment()
        return id
    }

    /// What a press tells, with how the person stood last.
    private static func press(
        _ details: inout IncidentDetails, _ form: ManualCallForm, _ caller: ManualCall.Caller, _ monitor: Monitor?,
        at time: Timestamp, _ now: Timestamp
    ) {
        if details.isNewer(pressAt: time) { details.manual = ManualCall(at: time, by: caller) }
        if let monitor { details.follow(monitor) }
        guard let fix = form.fix(at: time) else { return }
        // By the clocks of devices some may be yet to come.
        let known = details.fixes.filter { $0.time <= now }
        let all = known.filter { $0.time > time } + [fix] + known.filter { $0.time <= time }
        details.fixes = Array(all.prefix(Monitor.fixesMax))
    }

    private static func record(
        _ id: UUID, of account: UUID, _ details: IncidentDetails, _ order: [String], at now: Timestamp
    ) -> IncidentRecord {
        var record = IncidentRecord(
            id: id, account: account, openedAt: now, incident: Incident(isPressed: true), details: details)
        if let press = details.manual { record.add(IncidentStep.opening(press, at: now)) }
        if let first = order.first { record.apply(.handOverBegun(first), at: .zero) }
        return record
    }

    /// The wearer's inbox, and the operator when it is often; after the call has begun, and without a say in it.
    private func tell(_ record: IncidentRecord, count: Int) async {
        if count >= IncidentStore.callsNotableMin {
            desk.log.error(
                "somebody calls for help again and again",
                ["account": .string(record.account.description), "calls": .integer(Int64(count))])
        }
        do { try await keeper.tellWearer(of: record) } catch {
            desk.log.warning("a wearer is not told that the SOS was taken", ["error": Log.text(of: error)])
        }
    }

    /// Calls an emergency or a test call off (SOS-08): the incident as it stands, where the database cannot show it. Errors: 404,
    /// 409 `incident-closed`; the database's.
    @discardableResult
    func callOff(_ id: UUID, of account: UUID, by caller: ManualCall.Caller) async throws -> IncidentView? {
        let event: IncidentEvent = caller == .device ? .calledOffByDevice : .calledOff
        switch try await desk.callOff(id, event, by: account, at: people.standby.clock.now()) {
        case .done(let view): return view
        case .closed: throw Problem(.conflict, code: "incident-closed", detail: "the incident is closed already")
        case nil: throw Problem.notFound
        }
    }

    private static let notKept = Problem(
        .serviceUnavailable, code: "not-kept-yet",
        detail: "ambulance services are being called, and nobody has answered yet: send the same again",
        retryAfter: .seconds(1))

    static let notEnrolled = Problem(
        .notFound, code: "not-enrolled",
        detail: "you are not enrolled in AutomatedSOS, and nobody is called from here: call 112")
}

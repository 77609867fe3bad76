import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// One person while a batch of events is applied: what is stored, and what has to be written.
struct WatchedPerson: Sendable {
    /// What all people of a batch share.
    struct Surroundings: Sendable {
        let incidents: IncidentStore
        let notices: NoticeOutbox
        let hooks: Hooks
        let bell: AlarmBell
        let standby: Standby
        let log: Log
        /// By the database's clock.
        let now: Timestamp
    }

    /// Where the monitor came from.
    struct Origin: Sendable {
        /// The stored one that it goes on from.
        var revision: Int64 = 0
        /// In the roster; `nil` when the person was not there.
        var changes: UInt32?
    }

    let wearer: Wearer
    let key: SubjectKey
    let enrolment: EnrolmentDetails
    /// Who it is; `nil` when accounts has not told yet.
    let identity: IncidentDetails.Person?
    private let enrolled: Roster.Enrolled
    let origin: Origin
    var monitor: Monitor
    private let phaseBefore: MonitorPhase
    /// The open incident, if any.
    var incident: IncidentRecord?
    /// Emergencies of the last days that are over (`PastEmergencies`).
    var over: Set<UUID> = []
    /// An incident that is over without the database's knowing.
    private var ended: UUID?
    /// An open incident of which not even the state can be read.
    var unreadable: UUID?
    /// Incidents that the new one replaces.
    private(set) var superseded: [IncidentRecord] = []
    private var supersededUnreadable: UUID?
    /// An incident that this batch opens.
    private(set) var new: IncidentRecord?
    private var notices: [Notice] = []
    /// Emergencies of incidents that are not open any more, whose samples are stored now.
    private var storedElsewhere: [Finding.Origin] = []
    var hasNotices: Bool { !notices.isEmpty }
    /// What the contacts are told of beside incidents.
    private(set) var contactEvents: [ContactEvent] = []
    var hasContactEvents: Bool { !contactEvents.isEmpty }
    /// Nobody: of the dead man's switch.
    private let isExercise: Bool

    init(
        wearer: Wearer, key: SubjectKey, enrolment: EnrolmentDetails, identity: IncidentDetails.Person?,
        enrolled: Roster.Enrolled, monitor: Monitor, origin: Origin = Origin(), isExercise: Bool = false
    ) {
        self.origin = origin
        self.isExercise = isExercise
        self.wearer = wearer
        self.key = key
        self.enrolment = enrolment
        self.identity = identity
        self.enrolled = enrolled
        self.monitor = monitor
        phaseBefore = monitor.phase
    }

    /// Whether the wearer is to be told something else than before (`WearerTeller`).
    var hasChangedPhase: Bool { monitor.phase != phaseBefore }

    /// Incidents that were there before and have changed.
    var changed: [UUID] {
        superseded.map(\.id) + (incident.map { $0.changes.isEmpty ? [] : [$0.id] } ?? [])
    }

    // MARK: Seeing

    mutating func observe(_ seen: Observation, in surroundings: Surroundings) {
        for action in monitor.observe(seen, of: wearer) { handle(action, surroundings) }
        followPerson(surroundings)
    }

    /// Call when everything received up to now has been read. True when the monitor has become blind.
    mutating func endSilence(in surroundings: Surroundings) -> Bool {
        let before = monitor.phase
        for action in monitor.endSilence(now: surroundings.now) { handle(action, surroundings) }
        return monitor.phase == .blind && before != .blind
    }

    /// Judges the events that were read late; with `isRead` all that came after them has been read.
    mutating func judgeBacklog(isRead: Bool, in surroundings: Surroundings) {
        let actions = monitor.judgeBacklog(now: surroundings.now, of: wearer, isRead: isRead)
        for action in actions { handle(action, surroundings) }
    }

    private mutating func handle(_ action: MonitorAction, _ surroundings: Surroundings) {
        switch action {
        case .dispatch(let finding): dispatch(finding, surroundings)
        case .report(let finding):
            // It was handed over without the database, which hears of it late.
            confirmStored(finding, surroundings)
            let id = IncidentID.of(wearer.account, finding.origin)
            guard !surroundings.standby.hasOpened(id), !isKnown(finding),
                incident?.incident.knows(emergency: id) != true, let late = news(of: finding)
            else { return }
            surroundings.log.error(
                "an alarm is too old to be handed over", ["account": .string(wearer.account.description)])
            notices.append(Notice("incident-late", of: wearer.account, late))
            contactEvents.append(.late(late, of: wearer.account))
            surroundings.bell.ring(
                OperatorAlarm(.lateAlarm, about: IncidentID.of(wearer.account, late.origin).description))
        case .tellContacts(let finding): tellContacts(finding, surroundings)
        case .blind(let since):
            notices.append(.sensorLost(wearer.account, since: since))
            contactEvents.append(.sensorLost(since: since, of: wearer.account))
        case .stored(let origin): markStored(origin, surroundings)
        case .alert, .calm, .sighted: break
        }
    }

    private mutating func dispatch(_ given: Finding, _ surroundings: Surroundings) {
        confirmStored(given, surroundings)
        // Read again after it was judged without the database; it may have become severe since.
        guard let finding = news(of: given) else { return }
        leaveOldIncident(for: finding, surroundings)
        if var known = new {
            known.change { details in
                details.add(finding)
                details.follow(monitor)
            }
            known.know(known.details?.emergencies(of: wearer.account, but: known.id) ?? [])
            known.openedBy(foundAt: finding.receivedAt)
            new = known
        } else if incident != nil {
            incident?.change { details in
                details.add(finding)
                details.follow(monitor)
            }
            if finding.isProvisional { incident?.add([.provisional(finding, at: surroundings.now)]) }
            incident?.apply(.emergency(finding, of: wearer.account))
        } else {
            new = opened(finding, surroundings)
            notices.append(openingNotice(finding, surroundings))
        }
    }

    /// Whether the open incident has it. Where that was told of it without what was found, the details are still to be had.
    private func isKnown(_ finding: Finding) -> Bool { incident?.details?.has(finding) ?? false }

    /// What of it was not found before, be that over or not: all, its severe part, or nothing.
    private func news(of finding: Finding) -> Finding? {
        finding.parts.first {
            !isKnown($0) && !over.contains(IncidentID.of(wearer.account, $0.origin))
        }
    }

    /// What concerns the contacts alone opens no incident and calls nobody else. The wearer is told; contacts are told by their own
    /// queue, which takes what `contactFindings` has when the batch is written (SOS-09c).
    private mutating func tellContacts(_ finding: Finding, _ surroundings: Surroundings) {
        contactEvents.append(.rule(finding, of: wearer.account, at: monitor.fixes.first.map(StoredFix.init)))
        notices.append(Notice("contacts-told", of: wearer.account, finding))
    }

    /// Ends the open incident when the finding is of another emergency; the same one, seen again, stays in its
    /// incident.
    private mutating func leaveOldIncident(for finding: Finding, _ surroundings: Surroundings) {
        let successor = IncidentID.of(wearer.account, finding.origin)
        if let unreadable {
            supersededUnreadable = unreadable
            self.unreadable = nil
        }
        guard var known = incident, known.id != successor else { return }
        if let details = known.details {
            let isOver = known.incident.givesWay(
                isSameEpisode: details.isSameEpisode(finding),
                hooks: surroundings.hooks.order(for: monitor.fixes.first?.coordinate),
                times: surroundings.incidents.times, at: known.clock.age)
            guard isOver else { return }
        }
        known.apply(.superseded(by: successor, isTold: known.details != nil))
        superseded.append(known)
        incident = nil
    }

    private func opened(_ finding: Finding, _ surroundings: Surroundings) -> IncidentRecord {
        let now = surroundings.now
        var details = IncidentDetails(
            findings: [finding], fixes: [], vitals: [], enrolment: enrolment,
            person: identity, supersedes: superseded.last?.id ?? supersededUnreadable ?? ended)
        details.follow(monitor)
        var record = IncidentRecord(
            id: IncidentID.of(wearer.account, finding.origin), account: wearer.account, openedAt: now,
            incident: Incident(isExercise: isExercise, abortWindow: .seconds(enrolment.abortWindowSeconds)),
            details: details)
        record.know(details.emergencies(of: wearer.account, but: record.id))
        record.add(IncidentStep.opening(finding, at: now))
        if identity != nil { record.apply(.identified(isNews: false), at: .zero) }
        if finding.isProvisional { record.add([.provisional(finding, at: now)]) }
        // The first hook is called at once, unless the wearer wants to be asked first.
        let hooks = surroundings.hooks
        let order = isExercise ? hooks.forExercises : hooks.order(for: details.fixes.first?.coordinate)
        if enrolment.abortWindowSeconds == 0, let first = order.first {
            record.apply(.handOverBegun(first), at: .zero)
        }
        return record
    }

    /// What is found in stored samples may be known already from provisional ones that this monitor has not judged: those that were
    /// judged without the database may come to it after those that the device has sent again.
    private mutating func confirmStored(_ finding: Finding, _ surroundings: Surroundings) {
        guard !finding.isProvisional else { return }
        for part in finding.parts {
            if over.contains(IncidentID.of(wearer.account, part.origin)) {
                storedElsewhere.append(part.origin)
            } else {
                _ = isMarkedOpen(stored: part.origin, surroundings)
            }
        }
    }

    /// The samples that the emergency rests on were provisional, and are stored now.
    private mutating func markStored(_ origin: Finding.Origin, _ surroundings: Surroundings) {
        if !isMarkedOpen(stored: origin, surroundings) { storedElsewhere.append(origin) }
    }

    /// Marks it in the incident that this batch opens, or the open one; false when neither has it as provisional.
    private mutating func isMarkedOpen(stored origin: Finding.Origin, _ surroundings: Surroundings) -> Bool {
        new?.mark(stored: origin, at: surroundings.now) == true
            || incident?.mark(stored: origin, at: surroundings.now) == true
    }

    /// Sends an update of position and vital signs to the services that have the incident.
    private mutating func followPerson(_ surroundings: Surroundings) {
        guard let record = incident, let details = record.details else { return }
        let seen = monitor.lastVitals.values.map(\.time).max()
        let told = details.vitals.map(\.time).max()
        let news = record.incident.news(
            movedBy: movedMetres(since: details), hasNewVitals: (seen ?? .distantPast) > (told ?? .distantPast),
            times: surroundings.incidents.times, at: record.clock.age)
        guard let news else { return }
        incident?.change { $0.follow(monitor) }
        incident?.apply(.seen(news))
    }

    private func movedMetres(since details: IncidentDetails) -> Double {
        guard let newest = monitor.fixes.first else { return 0 }
        guard let told = details.fixes.first else { return .infinity }
        return newest.time > told.time ? newest.coordinate.distance(to: told.coordinate) : 0
    }

    /// With an abort window when an ambulance service is called.
    private func openingNotice(_ finding: Finding, _ surroundings: Surroundings) -> Notice {
        let seconds = enrolment.abortWindowSeconds
        guard seconds > 0 else { return Notice("incident-opened", of: wearer.account, finding) }
        let callsAt = surroundings.now + .seconds(Int64(seconds))
        return Notice(
            "incident-countdown", of: wearer.account, finding,
            values: ["seconds": String(seconds), "calls_at": callsAt.description])
    }

    // MARK: Writing

    /// The statement that opens the new incident, and those that come before it: a person has one open at a time.
    func opening(_ surroundings: Surroundings) throws -> (before: [SQL], open: SQL)? {
        guard let new else { return nil }
        var before = try superseded.flatMap { try surroundings.incidents.save($0) }
        if let supersededUnreadable {
            before += try surroundings.incidents.close(
                unreadable: supersededUnreadable, for: new.id, at: surroundings.now)
        }
        return (before, try surroundings.incidents.open(new))
    }

    /// All other statements.
    func statements(_ surroundings: Surroundings) throws -> [SQL] {
        var statements = try incident.map { try surroundings.incidents.save($0) } ?? []
        statements.append(
            """
            update monitor set phase = \(monitor.phase), state = \(monitor.sealed(of: wearer.account, with: key)),
              last_vital_at = \(monitor.lastVitalAt), judge_by = \(monitor.judgeBy), revision = revision + 1
            where account = \(wearer.account)
            """)
        statements += storedElsewhere.map {
            surroundings.incidents.note(stored: $0, of: wearer.account, at: surroundings.now)
        }
        if !notices.isEmpty {
            statements.append(try surroundings.notices.insert(notices, at: surroundings.now))
        }
        if !contactEvents.isEmpty {
            statements.append(try ContactEvent.insert(contactEvents, surroundings.incidents.sealing.keys.cipher))
        }
        return statements
    }
}

// MARK: Without the database

extension WatchedPerson {
    var enrolledVersion: Int64 { enrolled.version }

    /// What is kept in memory once this is committed.
    var rosterEntry: Roster.Entry {
        var open = new ?? incident
        if let record = open { open?.markWritten(revision: record.revision + (record.changes.isEmpty ? 0 : 1)) }
        return Roster.Entry(
            enrolled: enrolled, monitor: monitor.packed, revision: origin.revision + 1, runs: wearer.runs,
            incident: open?.incident.stage == .closed ? nil : open)
    }

    /// These are over: what comes beside them is another emergency.
    mutating func leaveEnded(_ emergencies: Set<UUID>) {
        over.formUnion(emergencies)
        if let known = incident, emergencies.contains(known.id) { (ended, incident) = (known.id, nil) }
    }

    /// What was judged, and has to happen to incidents.
    struct Outcome: Sendable {
        var opened: IncidentRecord?
        /// Incidents that were there, with the events that are new.
        var changed: [IncidentRecord] = []
    }

    /// Takes out what happened since the last call. The person goes on with what has come of it.
    mutating func takeOutcome() -> Outcome {
        var outcome = Outcome(opened: new, changed: superseded)
        if let incident, !incident.changes.events.isEmpty { outcome.changed.append(incident) }
        incident = new ?? incident
        incident?.markWritten(revision: 0)
        (new, superseded, supersededUnreadable) = (nil, [], nil)
        (notices, contactEvents, storedElsewhere) = ([], [], [])
        return outcome
    }
}

extension Timestamp {
    static let distantPast = Timestamp(microseconds: .min)
}

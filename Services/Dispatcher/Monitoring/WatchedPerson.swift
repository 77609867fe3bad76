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
        let log: Log
        /// By the database's clock.
        let now: Timestamp
    }

    let wearer: Wearer
    let key: SubjectKey
    let enrolment: EnrolmentDetails
    var monitor: Monitor
    /// The open incident, if any.
    var incident: IncidentRecord?
    /// An open incident of which not even the state can be read.
    var unreadable: UUID?
    /// Incidents that the new one replaces.
    private(set) var superseded: [IncidentRecord] = []
    private var supersededUnreadable: UUID?
    /// An incident that this batch opens.
    private(set) var new: IncidentRecord?
    private var notices: [Notice] = []
    var hasNotices: Bool { !notices.isEmpty }

    init(wearer: Wearer, key: SubjectKey, enrolment: EnrolmentDetails, monitor: Monitor) {
        self.wearer = wearer
        self.key = key
        self.enrolment = enrolment
        self.monitor = monitor
    }

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
            surroundings.log.error(
                "an alarm is too old to be handed over", ["account": .string(wearer.account.description)])
            notices.append(notice("incident-late", finding))
        case .blind(let since):
            notices.append(.sensorLost(wearer.account, since: since))
        case .alert, .calm, .sighted: break
        }
    }

    private mutating func dispatch(_ finding: Finding, _ surroundings: Surroundings) {
        leaveOldIncident(for: finding, surroundings)
        if var known = new {
            known.change { details in
                details.add(finding)
                details.follow(monitor)
            }
            new = known
        } else if incident != nil {
            incident?.change { details in
                details.add(finding)
                details.follow(monitor)
            }
            incident?.apply(.emergency(cause: finding.type.name))
        } else {
            new = opened(finding, surroundings)
            notices.append(notice("incident-opened", finding))
        }
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
            supersedes: superseded.last?.id ?? supersededUnreadable)
        details.follow(monitor)
        var record = IncidentRecord(
            id: IncidentID.of(wearer.account, finding.origin), account: wearer.account, openedAt: now,
            incident: Incident(abortWindow: .seconds(enrolment.abortWindowSeconds)), details: details)
        record.add([
            IncidentStep(.firstCritical, at: finding.firstCriticalAt, detail: finding.type.name),
            IncidentStep(.confirmed, at: finding.confirmedAt, detail: finding.type.name),
            IncidentStep(.opened, at: now, detail: "\(finding.rules.rawValue)/\(finding.rulesVersion)"),
        ])
        // The first hook is called at once, unless the wearer wants to be asked first.
        if enrolment.abortWindowSeconds == 0,
            let first = surroundings.hooks.order(for: details.fixes.first?.coordinate).first
        {
            record.apply(.handOverBegun(first), at: .zero)
        }
        return record
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

    private func notice(_ template: String, _ finding: Finding) -> Notice {
        let (time, cause) = (finding.firstCriticalAt, finding.type.name)
        return Notice(
            id: .named(Array("\(template) \(finding.origin.time) \(cause)".utf8), in: wearer.account),
            to: wearer.account, template: template, values: ["time": time.description, "cause": cause],
            urgency: .urgent)
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
        let state = try PersonalColumn.monitor.seal(monitor, of: wearer.account, with: key)
        statements.append(
            """
            update monitor set phase = \(monitor.phase), state = \(state), last_vital_at = \(monitor.lastVitalAt),
              judge_by = \(monitor.judgeBy)
            where account = \(wearer.account)
            """)
        if !notices.isEmpty {
            statements.append(try surroundings.notices.insert(notices, at: surroundings.now))
        }
        return statements
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(microseconds: .min)
}

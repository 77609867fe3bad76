import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// One person within the handling of a batch of events: what is known, and what follows.
struct WatchedPerson: Sendable {
    let wearer: Wearer
    let enrolment: EnrolmentDetails
    var monitor: Monitor
    /// The open incident, if any.
    var incident: IncidentRecord?
    /// An open incident that cannot be read, and so neither be handed over nor changed.
    var unreadable: UUID?
    /// An open incident in whose place the new one comes.
    private(set) var superseded: UUID?
    private var isSupersededReadable = true
    /// An incident that this batch opens.
    private(set) var new: IncidentRecord?
    private(set) var isUpdated = false
    private var steps: [IncidentStep] = []
    private var notices: [Notice] = []
    var hasNotices: Bool { !notices.isEmpty }

    init(wearer: Wearer, enrolment: EnrolmentDetails, monitor: Monitor) {
        self.wearer = wearer
        self.enrolment = enrolment
        self.monitor = monitor
    }

    // MARK: Seeing

    mutating func observe(_ seen: Observation, by handler: LiveSamplesHandler) {
        let now = handler.clock.now()
        for action in monitor.observe(seen, of: wearer) { take(action, at: now, handler) }
        followPosition(at: now)
    }

    private mutating func take(_ action: MonitorAction, at now: Timestamp, _ handler: LiveSamplesHandler) {
        switch action {
        case .dispatch(let finding): dispatch(finding, at: now, handler)
        case .report(let finding):
            handler.log.error(
                "an alarm is too old to be handed over", ["account": .string(wearer.account.description)])
            notices.append(notice("incident-late", finding.firstCriticalAt, cause: finding.type))
        case .blind(let since):
            notices.append(.sensorLost(wearer.account, since: since))
        case .alert, .calm, .sighted: break
        }
    }

    private mutating func dispatch(_ finding: Finding, at now: Timestamp, _ handler: LiveSamplesHandler) {
        leaveUnanswered(for: finding, at: now, handler)
        if var known = new {
            known.details.add(finding)
            known.details.follow(monitor)
            new = known
        } else if incident != nil {
            incident?.details.add(finding)
            incident?.details.follow(monitor)
            isUpdated = true
            steps.append(IncidentStep(.updated, at: now, detail: finding.type.name))
        } else {
            new = opened(finding, at: now, handler)
            steps = [
                IncidentStep(.firstCritical, at: finding.firstCriticalAt, detail: finding.type.name),
                IncidentStep(.confirmed, at: finding.confirmedAt, detail: finding.type.name),
                IncidentStep(.opened, at: now, detail: "\(finding.rules.rawValue)/\(finding.rulesVersion)"),
            ]
            if let leg = new?.state.legs.first { steps.append(IncidentStep(.handOverBegun, at: now, hook: leg.hook)) }
            notices.append(notice("incident-opened", finding.firstCriticalAt, cause: finding.type))
        }
    }

    /// An incident on which nobody acts must not swallow an emergency. The same emergency, seen again, is the same incident.
    private mutating func leaveUnanswered(for finding: Finding, at now: Timestamp, _ handler: LiveSamplesHandler) {
        if let unreadable {
            superseded = unreadable
            isSupersededReadable = false
            self.unreadable = nil
        } else if let known = incident, known.id != IncidentID.of(wearer.account, finding.origin),
            known.state.isUnanswered(
                openedAt: known.openedAt, hooks: handler.hooks.order(for: monitor.fixes.first?.coordinate), at: now)
        {
            superseded = known.id
            incident = nil
            isUpdated = false
        }
    }

    private func opened(_ finding: Finding, at now: Timestamp, _ handler: LiveSamplesHandler) -> IncidentRecord {
        var details = IncidentDetails(findings: [finding], fixes: [], vitals: [], enrolment: enrolment)
        details.follow(monitor)
        return IncidentRecord(
            id: IncidentID.of(wearer.account, finding.origin), account: wearer.account, details: details, openedAt: now,
            alertAt: now, fence: 1,
            state: .opening(
                at: now, abortWindow: .seconds(enrolment.abortWindowSeconds),
                hooks: handler.hooks.order(for: details.fixes.first?.coordinate)))
    }

    /// Whoever is on the way wants to know where the person is now.
    private mutating func followPosition(at now: Timestamp) {
        guard let record = incident, !isUpdated, let newest = monitor.fixes.first,
            now - record.alertAt >= LiveSamplesHandler.updatePause
        else { return }
        if let told = record.details.fixes.first {
            guard newest.time > told.time,
                newest.coordinate.distance(to: told.coordinate) >= LiveSamplesHandler.movedMin
            else { return }
        }
        incident?.details.follow(monitor)
        isUpdated = true
        steps.append(IncidentStep(.updated, at: now, detail: "position"))
    }

    private func notice(_ template: String, _ time: Timestamp, cause: DataType) -> Notice {
        Notice(
            id: .named(Array("\(template) \(time) \(cause.name)".utf8), in: wearer.account), to: wearer.account,
            template: template, values: ["time": time.description, "cause": cause.name])
    }

    // MARK: Writing

    /// What comes before the new incident: a person has one open at a time.
    func closing(_ handler: LiveSamplesHandler) -> [SQL] {
        superseded.map {
            handler.incidents.supersede($0, isReadable: isSupersededReadable, at: handler.clock.now())
        } ?? []
    }

    /// First the new incident, if there is one.
    func statements(_ handler: LiveSamplesHandler) throws -> [SQL] {
        var statements: [SQL] = []
        if let new {
            statements.append(try handler.incidents.open(new, steps: steps))
        } else if isUpdated, let incident {
            statements += try handler.incidents.update(incident, steps: steps, at: handler.clock.now())
        }
        let state = try handler.columns.seal(monitor, .monitor, row: wearer.account)
        statements.append(
            """
            update monitor set phase = \(monitor.phase), state = \(state), heard_at = \(monitor.heardAt)
            where account = \(wearer.account)
            """)
        if !notices.isEmpty { statements.append(try handler.notices.insert(notices, at: handler.clock.now())) }
        return statements
    }
}

extension HandOverState {
    /// At the beginning: the first hook is called at once, unless the wearer wants to be asked first.
    static func opening(
        at now: Timestamp, abortWindow: Duration, hooks: [String], isExercise: Bool = false
    ) -> HandOverState {
        var state = HandOverState(isExercise: isExercise, notBefore: now + abortWindow)
        if abortWindow == .zero, let first = hooks.first { state.legs = [.init(hook: first, begunAt: now)] }
        return state
    }
}

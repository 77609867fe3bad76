import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Routes to enrol, and to read, change and end an enrolment (SOS-01), with the phase of the person's monitor (SOS-04,
/// SOS-08).
struct EnrolmentRoutes: Sendable {
    /// Time limit for learning from accounts who it is: the thresholds depend on the date of birth, and an ambulance service is
    /// told the rest.
    static let profileTime = Duration.seconds(2)

    let store: EnrolmentStore
    let conditions: WearerConditions
    /// `nil` where AutomatedSOS costs nothing.
    let subscriptions: Subscriptions?
    let notices: NoticeOutbox
    let accounts: any RPCCaller
    let roster: Roster
    let clock: any WallClock
    let log: Log

    func add(to routes: inout ServiceRoutes) {
        let (path, wearer) = ("/dispatcher/v1/enrolment", Access.account(.individual))
        routes.on(.put, path, access: wearer) { try await put($0, by: $1.account) }
        routes.on(.get, path, access: wearer) { _, caller in try await show(caller.account) }
        routes.on(.delete, path, access: wearer) { _, caller in try await end(caller.account) }
        routes.on(.get, "/dispatcher/v1/monitor", access: wearer) { _, caller in try await showMonitor(caller.account) }
    }

    private func put(_ request: HTTPRequest, by account: UUID) async throws -> HTTPResponse {
        let form = try request.json(EnrolmentForm.self)
        try form.check()
        let person = try await accounts.call(
            Accounts.Wearer.self, .init(accountID: account, purpose: "enrolment"), deadline: .after(Self.profileTime))
        let now = clock.now()
        let isEnrolled = try await store.isEnrolled(account)
        if !isEnrolled { try conditions.check(person, on: now.dateUTC) }
        let acceptance = try acceptance(of: form.acceptsPrice, by: account, isEnrolled: isEnrolled, at: now)
        let welcome = try notices.insert([Notice(to: account, template: "sos-enrolled", email: false)], at: now)
        let isNew = try await store.put(
            form, form.details(bornOn: person.identity.birthDate), IncidentDetails.Person(person.identity), of: account,
            welcome: welcome, acceptance: acceptance, at: now)
        roster.expire(account)
        notices.wake()
        guard let enrolment = try await store.find(account) else { throw Problem.notFound }
        let view = EnrolmentView(enrolment, watches: try await watches(enrolment))
        return try .json(view, status: isNew ? .created : .ok)
    }

    private func acceptance(
        of price: Price?, by account: UUID, isEnrolled: Bool, at now: Timestamp
    ) throws(Problem) -> SQL? {
        if let subscriptions {
            return try subscriptions.acceptance(of: price, by: account, isEnrolled: isEnrolled, at: now)
        }
        guard price == nil else {
            throw Problem(
                .unprocessableContent, code: "invalid-request", detail: "AutomatedSOS costs nothing here",
                errors: [.init(pointer: "/accepts_price", detail: "leave it out: nothing costs anything here")])
        }
        return nil
    }

    private func show(_ account: UUID) async throws -> HTTPResponse {
        guard let enrolment = try await store.find(account) else { throw Self.notEnrolled }
        return try .json(EnrolmentView(enrolment, watches: try await watches(enrolment)))
    }

    /// Which rules watch the person, by what the devices have given so far.
    private func watches(_ enrolment: Enrolment) async throws -> [WatchedSign]? {
        guard let monitor = try await monitor(of: enrolment.account) else { return nil }
        return WatchedSign.all(of: enrolment, as: monitor.state, at: clock.now())
    }

    private func monitor(of account: UUID) async throws -> (
        phase: MonitorPhase, lastVitalAt: Timestamp, state: Monitor
    )? {
        let row = try await store.database.queryOne(
            "select phase, last_vital_at, state from monitor where account = \(account)", as: MonitorPhase.self,
            Timestamp.self, [UInt8].self)
        guard let row, let key = try await store.keys.existingKey(of: account) else { return nil }
        return (row.0, row.1, Monitor.opened(row.2, of: account, with: key, at: row.1, log: log))
    }

    private func end(_ account: UUID) async throws -> HTTPResponse {
        let now = clock.now()
        let farewell = try notices.insert([Notice(to: account, template: "sos-ended", email: false)], at: now)
        guard try await store.end(account, farewell: farewell, at: now) else { throw Self.notEnrolled }
        roster.forget(account)
        notices.wake()
        return .noContent
    }

    private struct MonitorView: Encodable {
        var phase: MonitorPhase
        var lastVitalAt: Timestamp
        /// Whether a vital sign has come since the enrolment: before, nobody can be watched.
        var hasMeasured: Bool
        /// How often the device is to measure.
        var intervalMilliseconds: Int

        enum CodingKeys: String, CodingKey {
            case phase, lastVitalAt, hasMeasured
            case intervalMilliseconds = "measure_every_ms"
        }
    }

    private struct PausedMonitorView: Encodable {
        let phase = "paused"
        let pausedUntil: Timestamp
    }

    private func showMonitor(_ account: UUID) async throws -> HTTPResponse {
        if try await monitor(of: account) == nil, let until = try await store.pausedUntil(account) {
            return try .json(PausedMonitorView(pausedUntil: until))
        }
        guard let known = try await monitor(of: account) else { throw Self.notEnrolled }
        let isAlerted = known.phase == .alerted || known.phase == .confirmed
        return try .json(
            MonitorView(
                phase: known.phase, lastVitalAt: known.lastVitalAt, hasMeasured: !known.state.lastVitals.isEmpty,
                intervalMilliseconds: isAlerted ? 333 : 1000))
    }

    static let erased = Problem(.gone, code: "account-erased", detail: "nobody is watched for this account any more")
    static let notEnrolled = Problem(
        .notFound, code: "not-enrolled",
        detail: "you are not enrolled in AutomatedSOS: nobody watches you, and nobody is called from here")
}

extension MonitorPhase: PostgresCodable {}

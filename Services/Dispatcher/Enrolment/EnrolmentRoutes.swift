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
    /// Time limit for reading the profile from accounts; the thresholds depend on its date of birth.
    static let profileTime = Duration.seconds(2)

    let store: EnrolmentStore
    let notices: NoticeOutbox
    let accounts: any RPCCaller
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
            Accounts.BirthDate.self, .init(accountID: account, purpose: "enrolment"),
            deadline: .after(Self.profileTime))
        let now = clock.now()
        let welcome = try notices.insert([Notice(to: account, template: "sos-enrolled", email: false)], at: now)
        let isNew = try await store.put(
            form, form.details(bornOn: person.birthDate), of: account, welcome: welcome, at: now)
        notices.wake()
        guard let enrolment = try await store.find(account) else { throw Problem.notFound }
        return try .json(EnrolmentView(enrolment), status: isNew ? .created : .ok)
    }

    private func show(_ account: UUID) async throws -> HTTPResponse {
        guard let enrolment = try await store.find(account) else { throw Self.notEnrolled }
        return try .json(EnrolmentView(enrolment))
    }

    private func end(_ account: UUID) async throws -> HTTPResponse {
        let now = clock.now()
        let farewell = try notices.insert([Notice(to: account, template: "sos-ended", email: false)], at: now)
        guard try await store.end(account, farewell: farewell, at: now) else { throw Self.notEnrolled }
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

    private func showMonitor(_ account: UUID) async throws -> HTTPResponse {
        let row = try await store.database.queryOne(
            "select phase, last_vital_at, state from monitor where account = \(account)", as: MonitorPhase.self,
            Timestamp.self, [UInt8].self)
        guard let row, let key = try await store.keys.existingKey(of: account) else { throw Self.notEnrolled }
        let monitor = Monitor.opened(row.2, of: account, with: key, at: row.1, log: log)
        let isAlerted = row.0 == .alerted || row.0 == .confirmed
        return try .json(
            MonitorView(
                phase: row.0, lastVitalAt: row.1, hasMeasured: !monitor.lastVitals.isEmpty,
                intervalMilliseconds: isAlerted ? 333 : 1000))
    }

    static let erased = Problem(.gone, code: "account-erased", detail: "nobody is watched for this account any more")
    static let notEnrolled = Problem(.notFound, code: "not-enrolled", detail: "you are not enrolled in AutomatedSOS")
}

extension MonitorPhase: PostgresCodable {}

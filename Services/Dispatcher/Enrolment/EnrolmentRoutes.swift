import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Enrolling, looking, changing, ending (SOS-01), and how the monitor sees the person at the moment (SOS-04, SOS-08).
struct EnrolmentRoutes: Sendable {
    /// For the profile, whose date of birth the thresholds depend on.
    static let profileTime = Duration.seconds(2)

    let store: EnrolmentStore
    let notices: NoticeOutbox
    let authenticator: Authenticator
    let accounts: any RPCCaller
    let clock: any WallClock

    func add(to routes: inout ServiceRoutes) {
        routes.on(.put, "/dispatcher/v1/enrolment") { try await put($0) }
        routes.on(.get, "/dispatcher/v1/enrolment") { try await show($0) }
        routes.on(.delete, "/dispatcher/v1/enrolment") { try await end($0) }
        routes.on(.get, "/dispatcher/v1/monitor") { try await showMonitor($0) }
    }

    private func put(_ request: HTTPRequest) async throws -> HTTPResponse {
        let account = try await authenticator.require(request, kinds: [.individual]).account
        let form = try request.json(EnrolmentForm.self)
        try form.check()
        let profile = try await accounts.call(
            Accounts.Profile.self, .init(accountID: account, purpose: "enrolment"), deadline: .after(Self.profileTime))
        guard let person = profile.person else {
            throw Problem(.forbidden, code: "forbidden", detail: "only individuals can enrol")
        }
        let now = clock.now()
        let welcome = try notices.insert([Notice(to: account, template: "sos-enrolled", email: false)], at: now)
        let isNew = try await store.put(
            form, form.details(bornOn: person.birthDate), of: account, welcome: welcome, at: now)
        notices.wake()
        guard let enrolment = try await store.find(account) else { throw Problem.notFound }
        return try .json(EnrolmentView(enrolment: enrolment), status: isNew ? .created : .ok)
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let account = try await authenticator.require(request, kinds: [.individual]).account
        guard let enrolment = try await store.find(account) else { throw Self.notEnrolled }
        return try .json(EnrolmentView(enrolment: enrolment))
    }

    private func end(_ request: HTTPRequest) async throws -> HTTPResponse {
        let account = try await authenticator.require(request, kinds: [.individual]).account
        let now = clock.now()
        let farewell = try notices.insert([Notice(to: account, template: "sos-ended", email: false)], at: now)
        guard try await store.end(account, farewell: farewell, at: now) else { throw Self.notEnrolled }
        notices.wake()
        return .noContent
    }

    private struct MonitorView: Encodable {
        var phase: MonitorPhase
        var heardAt: Timestamp?
        /// How often the device is to measure.
        var intervalMilliseconds: Int

        enum CodingKeys: String, CodingKey {
            case phase, heardAt
            case intervalMilliseconds = "measure_every_ms"
        }
    }

    private func showMonitor(_ request: HTTPRequest) async throws -> HTTPResponse {
        let account = try await authenticator.require(request, kinds: [.individual]).account
        let row = try await store.database.queryOne(
            "select phase, heard_at from monitor where account = \(account)", as: MonitorPhase.self, Timestamp?.self)
        guard let row else { throw Self.notEnrolled }
        let isAlerted = row.0 == .alerted || row.0 == .confirmed
        return try .json(
            MonitorView(phase: row.0, heardAt: row.1, intervalMilliseconds: isAlerted ? 333 : 1000))
    }

    static let notEnrolled = Problem(.notFound, code: "not-enrolled", detail: "you are not enrolled in AutomatedSOS")
}

extension MonitorPhase: PostgresCodable {}

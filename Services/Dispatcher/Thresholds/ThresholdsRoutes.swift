import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Security
import Service

/// Routes to read and set own limits, and to have some proposed from the own history (SOS-03b).
struct ThresholdsRoutes: Sendable {
    /// A proposal of so little ago is given again: it costs ingestion a dozen reads.
    static let proposalKept = Duration.seconds(3600)

    let store: ThresholdsStore
    let enrolments: EnrolmentStore
    let history: HistoryReader
    let notices: NoticeOutbox
    let roster: Roster
    let clock: any WallClock

    func add(to routes: inout ServiceRoutes) {
        let (path, wearer) = ("/dispatcher/v1/me/thresholds", Access.account(.individual))
        routes.on(.get, path, access: wearer) { _, caller in try await show(caller.account) }
        routes.on(.put, path, access: wearer) { try await put($0, by: $1.account) }
        routes.on(.delete, path, access: wearer) { _, caller in try await remove(caller.account) }
        routes.on(.post, path + "/proposal", access: wearer) { _, caller in try await propose(caller.account) }
    }

    private func enrolment(of account: UUID) async throws -> Enrolment {
        guard let known = try await enrolments.find(account) else { throw EnrolmentRoutes.notEnrolled }
        return known
    }

    private func show(_ account: UUID) async throws -> HTTPResponse {
        let enrolment = try await enrolment(of: account)
        return try .json(ThresholdsView(try await store.find(account), enrolment, at: clock.now()))
    }

    private func put(_ request: HTTPRequest, by account: UUID) async throws -> HTTPResponse {
        let form = try request.json(ThresholdsForm.self)
        let (enrolment, now) = (try await enrolment(of: account), clock.now())
        let known = try await store.find(account)
        let own = try form.checked(
            ageMonths: enrolment.wearer.ageMonths(on: now.dateUTC), proposal: known.proposal?.thresholds)
        try await set(own, of: account, at: now)
        return try .json(ThresholdsView(try await store.find(account), enrolment, at: now))
    }

    private func remove(_ account: UUID) async throws -> HTTPResponse {
        try await set(nil, of: account, at: clock.now())
        return .noContent
    }

    /// The person is told: whoever has got hold of the account must not quietly widen limits.
    private func set(_ own: PersonalThresholds?, of account: UUID, at now: Timestamp) async throws {
        let template = own == nil ? "sos-thresholds-removed" : "sos-thresholds-set"
        let notice = try notices.insert([Notice(to: account, template: template)], at: now)
        guard try await store.set(own, of: account, notice: notice, at: now) else { throw EnrolmentRoutes.notEnrolled }
        roster.expire(account)
        notices.wake()
    }

    private func propose(_ account: UUID) async throws -> HTTPResponse {
        let (enrolment, now) = (try await enrolment(of: account), clock.now())
        let wearer = enrolment.wearer
        guard wearer.ageMonths(on: now.dateUTC) >= SafeLimits.ageMonthsMin else { throw Self.tooLittle }
        let known = try await store.find(account)
        // One from the future was made before the clock was set back.
        if let at = known.proposedAt, at <= now, now - at < Self.proposalKept {
            return try .json(ThresholdsView(known, enrolment, at: now))
        }
        guard let history = try await history.read(account, at: now) else { throw Self.busy }
        guard let proposal = history.proposal() else { throw Self.tooLittle }
        guard try await store.propose(proposal, of: account, at: now) else { throw EnrolmentRoutes.notEnrolled }
        return try .json(ThresholdsView(try await store.find(account), enrolment, at: now))
    }

    private static let busy = Problem(
        .serviceUnavailable, code: "overloaded", detail: "others' histories are being read: try again in some seconds",
        retryAfter: .seconds(5))
    private static let tooLittle = Problem(
        .conflict, code: "too-little-history",
        detail:
            "for a proposal there have to be readings of \(ReadingHistory.daysMin) days since you enrolled, at 16 or more"
    )
}

extension Enrolment {
    var wearer: Wearer { Wearer(account: account, birthDate: details.birthDate, rules: rules) }
}

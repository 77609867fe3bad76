import HTTP
import Primitives
import Security
import Service

/// Routes to pause monitoring, and to go on with it before the pause is over (SOS-01f).
struct PauseRoutes: Sendable {
    let store: EnrolmentStore
    let notices: NoticeOutbox
    /// `nil` where AutomatedSOS costs nothing.
    let subscriptions: Subscriptions?
    let clock: any WallClock

    /// How long: no clock but the database's says when it is over.
    private struct Form: Decodable {
        var minutes: Int
    }

    private struct Answer: Encodable {
        var pausedUntil: Timestamp
    }

    func add(to routes: inout ServiceRoutes) {
        let (path, wearer) = ("/dispatcher/v1/enrolment/pause", Access.account(.individual))
        routes.on(.put, path, access: wearer) { try await pause($0, $1.account) }
        routes.on(.delete, path, access: wearer) { _, caller in try await resume(caller.account) }
    }

    private func pause(_ request: HTTPRequest, _ account: UUID) async throws -> HTTPResponse {
        let minutes = try request.json(Form.self).minutes
        let minutesMax = Int(EnrolmentStore.pauseMax.components.seconds / 60)
        guard (1...minutesMax).contains(minutes) else {
            let detail = "a pause has an end: 1 to \(minutesMax) minutes; it can be made longer later"
            throw Problem(
                .unprocessableContent, code: "invalid-request", detail: detail,
                errors: [.init(pointer: "/minutes", detail: detail)])
        }
        let (now, time) = (clock.now(), Duration.seconds(60 * Int64(minutes)))
        let told = try notices.insert(
            [Notice(to: account, template: "sos-paused", values: ["until": (now + time).description], email: false)],
            at: now)
        guard let until = try await store.pause(account, for: time, notice: told, at: now) else {
            throw EnrolmentRoutes.notEnrolled
        }
        notices.wake()
        return try .json(Answer(pausedUntil: until))
    }

    /// Without effect for who is not paused. Errors: 402 for whom watching is paused since an invoice is not paid.
    private func resume(_ account: UUID) async throws -> HTTPResponse {
        guard try await store.isEnrolled(account) else { throw EnrolmentRoutes.notEnrolled }
        try await subscriptions?.requirePaid(account)
        let now = clock.now()
        let told = try notices.insert([Notice(to: account, template: "sos-resumed", email: false)], at: now)
        if try await store.resume(account, notice: told, at: now) { notices.wake() }
        return .noContent
    }
}

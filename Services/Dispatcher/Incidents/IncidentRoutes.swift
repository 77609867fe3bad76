import HTTP
import Postgres
import Primitives
import Security
import Service

/// A wearer's incidents, false alarms and test calls (SOS-08, SOS-12, SOS-14).
struct IncidentRoutes: Sendable {
    let store: IncidentStore
    let enrolments: EnrolmentStore
    let hooks: Hooks
    let desk: HandOverDesk
    let clock: any WallClock

    func add(to routes: inout ServiceRoutes) {
        routes.on(.get, "/dispatcher/v1/incidents", access: .account(.individual)) {
            try await list($0, of: $1.account)
        }
        routes.on(.get, "/dispatcher/v1/incidents/:id", access: .account(.individual)) {
            try await show($0, of: $1.account)
        }
        routes.on(.post, "/dispatcher/v1/incidents/:id/false-alarm", access: .account(.individual)) {
            try await callOff($0, of: $1.account)
        }
        routes.on(.post, "/dispatcher/v1/exercise", access: .account(.individual)) { _, caller in
            try await exercise(by: caller.account)
        }
    }

    private struct Cursor: Codable {
        var openedAt: Timestamp
        var id: UUID
    }

    private func list(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        let cursor = try request.query()["cursor"].map { text throws(Problem) in
            try HTTPCursor.decode(text, as: Cursor.self)
        }
        let incidents = try await store.list(of: account, after: cursor.map { ($0.openedAt, $0.id) })
        var next: String?
        if incidents.count == IncidentStore.pageMax, let last = incidents.last {
            next = try HTTPCursor.encode(Cursor(openedAt: last.openedAt, id: last.id))
        }
        return try .json(IncidentList(incidents: incidents, next: next))
    }

    private func show(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        return try await answer(try request.parameter("id", as: UUID.self), of: account)
    }

    private func answer(_ id: UUID, of account: UUID, status: HTTPStatus = .ok) async throws -> HTTPResponse {
        guard let view = try await store.view(id, of: account) else { throw Problem.notFound }
        return try .json(view, status: status)
    }

    private func callOff(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        let id = try request.parameter("id", as: UUID.self)
        switch try await store.callOff(id, of: account, at: clock.now()).0 {
        case .unknown: throw Problem.notFound
        case .done, .repeated:
            desk.changed(id)
            return try await answer(id, of: account)
        case .calledOff, .acceptedByAnother:
            throw Problem(.conflict, code: "incident-closed", detail: "the incident is closed already")
        }
    }

    /// A test call, marked as an exercise: it goes the way of an emergency, and ends when it is received.
    private func exercise(by account: UUID) async throws -> HTTPResponse {
        guard let enrolment = try await enrolments.find(account) else { throw EnrolmentRoutes.notEnrolled }
        let now = clock.now()
        var details = IncidentDetails(findings: [], fixes: [], vitals: [], enrolment: enrolment.details)
        let state = try await store.database.queryOne(
            "select state from monitor where account = \(account)", as: [UInt8].self)
        if let state {
            details.follow(store.columns.openMonitor(state, of: account, at: now, log: desk.log))
        }
        let record = IncidentRecord(
            id: .random(), account: account, details: details, openedAt: now, alertAt: now, fence: 1,
            state: .opening(
                at: now, abortWindow: .zero, hooks: hooks.order(for: details.fixes.first?.coordinate), isExercise: true)
        )
        var steps = [IncidentStep(.opened, at: now, detail: "exercise")]
        if let leg = record.state.legs.first { steps.append(IncidentStep(.handOverBegun, at: now, hook: leg.hook)) }
        guard try await store.database.execute(store.open(record, steps: steps)) > 0 else {
            throw Problem(.conflict, code: "exercise-under-way", detail: "a test call of yours is under way")
        }
        desk.start(record)
        return try await answer(record.id, of: account, status: .created)
    }
}

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
    let calls: ManualCalls

    func add(to routes: inout ServiceRoutes) {
        let (prefix, wearer) = ("/dispatcher/v1", Access.account(.individual))
        routes.on(.get, "\(prefix)/incidents", access: wearer, query: .read) { try await list($0, of: $1.account) }
        routes.on(.get, "\(prefix)/incidents/:id", access: wearer) { try await show($0, of: $1.account) }
        routes.on(.post, "\(prefix)/incidents/:id/false-alarm", access: wearer) {
            try await callOff($0, of: $1.account)
        }
        routes.on(.post, "\(prefix)/exercise", access: wearer) { _, caller in try await exercise(by: caller.account) }
    }

    private struct Cursor: Codable {
        var openedAt: Timestamp
        var id: UUID
    }

    private func list(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        let cursor = try request.parameters { (query) throws(Problem) in query.cursor(as: Cursor.self) }
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
        if let view = try await calls.callOff(id, of: account, by: .person) { return try .json(view) }
        return try await answer(id, of: account)
    }

    /// A test call, marked as an exercise: it goes the way of an emergency, and ends when it is received. People answer it
    /// at the other end, hence the limit.
    private func exercise(by account: UUID) async throws -> HTTPResponse {
        guard let enrolment = try await enrolments.find(account) else { throw EnrolmentRoutes.notEnrolled }
        let row = try await store.database.queryOne(
            """
            select clock_timestamp(), m.state from (select \(account)::uuid as account) a
            left join monitor m on m.account = a.account
            """, as: Timestamp.self, [UInt8]?.self)
        guard let (now, state) = row else { throw EnrolmentRoutes.notEnrolled }
        var details = IncidentDetails(findings: [], fixes: [], vitals: [], enrolment: enrolment.details)
        if let state, let key = try await enrolments.keys.existingKey(of: account) {
            details.follow(Monitor.opened(state, of: account, with: key, at: now, log: desk.log))
        }
        var record = IncidentRecord(
            id: .random(), account: account, openedAt: now, incident: Incident(isExercise: true), details: details)
        record.add([IncidentStep(.opened, at: now, detail: "exercise")])
        if let first = hooks.order(for: details.fixes.first?.coordinate).first {
            record.apply(.handOverBegun(first), at: .zero)
        }
        switch try await store.openExercise(record) {
        case .opened: break
        case .underWay:
            throw Problem(.conflict, code: "exercise-under-way", detail: "a test call of yours is under way")
        case .tooMany(let pause):
            throw Problem.tooManyRequests(
                RateLimit(
                    policy: "test-calls", quota: IncidentStore.exercisesMax,
                    windowSeconds: Int(IncidentStore.exerciseWindow.milliseconds / 1000), remaining: 0,
                    resetSeconds: Int(pause.milliseconds / 1000) + 1))
        }
        desk.start(record)
        return try await answer(record.id, of: account, status: .created)
    }
}

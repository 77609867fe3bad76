import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Service

/// Creates, edits and cancels runs (RUN-01 to RUN-04).
struct RunPlanning: Sendable {
    let store: Store
    let runs: RunStore
    let watches: WatchPublisher
    let accounts: any RPCCaller
    let settings: Track4RunSettings
    let neighbours: RunNeighbours

    /// Rounds of comparing a plan with others while more are made, and of drawing codes.
    static let roundsMax = 10

    /// Creates a run. Errors: 422 for a draft with faults, 409 `same-place-and-time`, `shared-path`,
    /// `too-many-runs-near`, `too-many-runs`; 503 `overloaded`.
    func create(_ draft: RunDraft, by organiser: Identity) async throws -> Run {
        let now = store.clock.now()
        try draft.check(isWhole: true)
        // `check` has made sure of these.
        guard let start = draft.start, let end = draft.end, let deadline = draft.enrolmentDeadline,
            let line = draft.path, let name = draft.name, let place = draft.place, let capacity = draft.participantsMax
        else { throw Problem.internalError }
        try RunDraft.checkTimes(start: start, end: end, deadline: deadline, now: now)
        let path = try CourseRules.path(line)
        try CourseRules.check(path, seconds: Double((end - start).microseconds) / 1e6)
        let course = Course(
            path: path, checkpoints: try CourseRules.checkpoints(try draft.drawnCheckpoints(), on: path))
        let profile = try await accounts.call(
            Accounts.Name.self, .init(accountID: organiser.account, purpose: "run"))
        let run = Run(
            id: .timeOrdered(at: now), code: RunCode.random(), organiser: organiser.account,
            organiserKind: profile.kind, organiserName: profile.name, name: name,
            description: draft.description ?? "", place: place, clauses: draft.clauses ?? "", length: path.length,
            startPoint: path.points[0], start: start, end: end, enrolmentDeadline: deadline, participantsMax: capacity,
            participants: 0,
            state: .open, version: 1, plan: 1, hasStarted: false)
        return try await insert(run, course, at: now)
    }

    /// Inserts the run when it was compared with all others near it; draws codes until one is free.
    private func insert(_ draft: Run, _ course: Course, at now: Timestamp) async throws -> Run {
        var run = draft
        var compared: Set<RunNeighbours.Compared> = []
        try await checkCount(of: run.organiser, in: store.database)
        for _ in 0..<Self.roundsMax {
            compared.formUnion(try await neighbours.compare(run, course.path, known: compared))
            do {
                if try await insertOnce(run, course, compared, at: now) { return run }
            } catch let error as PostgresError where error.constraint == "run_code" {
                run.code = RunCode.random()
            }
        }
        throw Self.busy
    }

    /// `false` when a run near it has come since they were compared.
    private func insertOnce(
        _ run: Run, _ course: Course, _ compared: Set<RunNeighbours.Compared>, at now: Timestamp
    ) async throws -> Bool {
        let isInserted = try await store.transaction { transaction in
            guard try await neighbours.isCompared(run, course.path, with: compared, in: transaction) else {
                return false
            }
            try await checkCount(of: run.organiser, in: transaction)
            try await runs.insert(run, course, at: now, in: transaction)
            try await store.notices.add([.created(run)], at: now, in: transaction)
            return true
        }
        if isInserted { store.notices.wake() }
        return isInserted
    }

    /// Errors: 409 `too-many-runs`.
    private func checkCount(of organiser: UUID, in session: some SQLSession) async throws {
        let count = try await session.queryOne(
            "select count(*) from run where organiser_id = \(organiser) and state = 'open'", as: Int.self)
        guard count ?? 0 < settings.runsMax else {
            throw Problem(
                .conflict, code: "too-many-runs",
                detail: "an organiser has at most \(settings.runsMax) runs that are not over")
        }
    }

    /// Cancels the run and its enrolments: everybody is notified, and no more samples come to this service. Errors:
    /// 403, 409 `not-open`.
    func cancel(_ id: UUID, by organiser: Identity) async throws {
        let now = store.clock.now()
        try await store.transaction { transaction in
            let run = try await locked(id, for: organiser, in: transaction)
            guard run.state == .open else { throw Self.notOpen }
            try await cancel(run, telling: [run.organiser], at: now, in: transaction)
        }
        store.notices.wake()
    }

    /// Cancels an open run that is locked, and tells its participants and others.
    func cancel(_ run: Run, telling others: [UUID], at now: Timestamp, in transaction: Transaction) async throws {
        let told = try await participants(of: run.id, in: transaction) + others
        try await watches.endAll(of: run, in: transaction)
        try await transaction.batch([
            """
            update enrolment set state = 'out', left_at = null, missed_at = null
            where run_id = \(run.id) and state in ('enrolled', 'checked-in', 'left')
            """,
            "delete from progress where run_id = \(run.id)",
            """
            update run set state = 'cancelled', closed_at = \(now), participants = 0, version = version + 1
            where id = \(run.id)
            """,
        ])
        try await store.notices.add(told.map { .cancelled(run, $0) }, at: now, in: transaction)
    }

    func locked(_ id: UUID, for organiser: Identity, in transaction: Transaction) async throws -> Run {
        guard let run = try await runs.lock(id, in: transaction) else { throw Problem.notFound }
        guard run.organiser == organiser.account else { throw Self.notTheOrganiser }
        return run
    }

    func participants(of id: UUID, in transaction: Transaction) async throws -> [UUID] {
        try await transaction.query(
            """
            select runner_id from enrolment
            where run_id = \(id) and state in ('enrolled', 'checked-in', 'left') order by bib
            """, as: UUID.self)
    }

    static let busy = Problem(
        .serviceUnavailable, code: "overloaded", detail: "too many runs are being planned here",
        retryAfter: .seconds(1))
    static let notTheOrganiser = Problem(
        .forbidden, code: "not-the-organiser", detail: "this is for the organiser of the run")
    static let notOpen = Problem(
        .conflict, code: "not-open", detail: "the run is over or was cancelled")
}

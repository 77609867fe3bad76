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

    private static let codeTriesMax = 5

    /// Creates a run. Errors: 422 for a draft with faults, 409 `same-place-and-time` and `shared-path`.
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
            Accounts.Profile.self, .init(accountID: organiser.account, purpose: "run"))
        let run = Run(
            id: .timeOrdered(at: now), code: RunCode.random(), organiser: organiser.account,
            organiserKind: profile.kind, organiserName: Self.name(of: profile), name: name,
            description: draft.description ?? "", place: place, clauses: draft.clauses ?? "", length: path.length,
            start: start, end: end, enrolmentDeadline: deadline, participantsMax: capacity, participants: 0,
            state: .open, version: 1, hasStarted: false)
        return try await insert(run, course, at: now)
    }

    /// Inserts the run; draws codes until one is free.
    private func insert(_ draft: Run, _ course: Course, at now: Timestamp) async throws -> Run {
        var run = draft
        for _ in 1..<Self.codeTriesMax {
            do {
                try await insertOnce(run, course, at: now)
                return run
            } catch let error as PostgresError where error.constraint == "run_code" {
                run.code = RunCode.random()
            }
        }
        try await insertOnce(run, course, at: now)
        return run
    }

    private func insertOnce(_ run: Run, _ course: Course, at now: Timestamp) async throws {
        try await store.transaction { transaction in
            try await checkNeighbours(run, course.path, in: transaction)
            try await runs.insert(run, course, at: now, in: transaction)
            try await store.notices.add([.created(run)], at: now, in: transaction)
        }
        store.notices.wake()
    }

    /// Changes the members that the draft holds. When only the path changes the checkpoints stay where they are, and
    /// have to lie on the new path. Participants and organiser are notified. Errors: as for creating; 403 for anybody
    /// but the organiser, 409 `check-in-begun`, `not-open`, `capacity-taken`.
    func edit(_ id: UUID, _ draft: RunDraft, by organiser: Identity) async throws -> Run {
        let now = store.clock.now()
        try draft.check(isWhole: false)
        let path = try draft.path.map { line throws(Problem) in try CourseRules.path(line) }
        let drawn = try draft.drawnCheckpoints()
        let edited = try await store.transaction { transaction in
            var run = try await locked(id, for: organiser, in: transaction)
            guard run.state == .open else { throw Self.notOpen }
            guard now < run.start - settings.checkInBefore else {
                throw Problem(
                    .conflict, code: "check-in-begun", detail: "the check-in has begun; the run can only be cancelled")
            }
            if let capacity = draft.participantsMax, capacity < run.participants {
                throw Problem(
                    .conflict, code: "capacity-taken", detail: "\(run.participants) runners are enrolled already")
            }
            Self.apply(draft, to: &run)
            run.version += 1
            try RunDraft.checkTimes(
                start: run.start, end: run.end, deadline: run.enrolmentDeadline, now: now,
                deadlineMayBePast: draft.enrolmentDeadline == nil)
            guard let before = try await runs.course(of: id, in: transaction) else { throw Problem.notFound }
            let chosen = path ?? before.path
            try CourseRules.check(chosen, seconds: Double((run.end - run.start).microseconds) / 1e6)
            run.length = chosen.length
            try await checkNeighbours(run, chosen, in: transaction)
            var course: Course?
            if draft.checkpoints != nil {
                course = Course(path: chosen, checkpoints: try CourseRules.checkpoints(drawn, on: chosen))
            } else if path != nil {
                course = Course(path: chosen, checkpoints: try CourseRules.kept(before, on: chosen))
            }
            try await runs.update(run, course: course, in: transaction)
            let told = try await participants(of: id, in: transaction) + [run.organiser]
            try await store.notices.add(told.map { .changed(run, $0) }, at: now, in: transaction)
            return run
        }
        store.notices.wake()
        return edited
    }

    private static func apply(_ draft: RunDraft, to run: inout Run) {
        run.name = draft.name ?? run.name
        run.description = draft.description ?? run.description
        run.place = draft.place ?? run.place
        run.clauses = draft.clauses ?? run.clauses
        run.start = draft.start ?? run.start
        run.end = draft.end ?? run.end
        run.enrolmentDeadline = draft.enrolmentDeadline ?? run.enrolmentDeadline
        run.participantsMax = draft.participantsMax ?? run.participantsMax
    }

    /// Cancels the run and its enrolments: everybody is notified, and no more samples come to this service. Errors:
    /// 403, 409 `not-open`.
    func cancel(_ id: UUID, by organiser: Identity) async throws {
        let now = store.clock.now()
        try await store.transaction { transaction in
            let run = try await locked(id, for: organiser, in: transaction)
            guard run.state == .open else { throw Self.notOpen }
            let told = try await participants(of: id, in: transaction) + [run.organiser]
            try await watches.endAll(of: run, in: transaction)
            try await transaction.batch([
                """
                update enrolment set state = 'out', left_at = null, missed_at = null
                where run_id = \(id) and state in ('enrolled', 'checked-in', 'left')
                """,
                "delete from progress where run_id = \(id)",
                """
                update run set state = 'cancelled', closed_at = \(now), participants = 0, version = version + 1
                where id = \(id)
                """,
            ])
            try await store.notices.add(told.map { .cancelled(run, $0) }, at: now, in: transaction)
        }
        store.notices.wake()
    }

    private func locked(_ id: UUID, for organiser: Identity, in transaction: Transaction) async throws -> Run {
        guard let run = try await runs.lock(id, in: transaction) else { throw Problem.notFound }
        guard run.organiser == organiser.account else { throw Self.notTheOrganiser }
        return run
    }

    private func participants(of id: UUID, in transaction: Transaction) async throws -> [UUID] {
        try await transaction.query(
            """
            select runner_id from enrolment
            where run_id = \(id) and state in ('enrolled', 'checked-in', 'left') order by bib
            """, as: UUID.self)
    }

    // MARK: Other runs (RUN-03)

    /// Metres between the starts of runs that count as at one place.
    private static let placeRadius = 150.0

    /// Refuses a run at the same place and time as another, or with the same path on the same date. One plan is checked
    /// at a time.
    private func checkNeighbours(_ run: Run, _ path: Polyline, in transaction: Transaction) async throws {
        try await transaction.execute("select from planning for update")
        let box = try StoredPath(Course(path: path))
        let near = 0.005
        let others = try await transaction.query(
            """
            select id, starts_at < \(run.end) and ends_at > \(run.start),
              (starts_at at time zone \(settings.timeZone))::date = (\(run.start) at time zone \(settings.timeZone))::date
            from run
            where state = 'open' and id <> \(run.id)
              and (starts_at < \(run.end) and ends_at > \(run.start)
                or (starts_at at time zone \(settings.timeZone))::date
                  = (\(run.start) at time zone \(settings.timeZone))::date)
              and south <= \(box.north + near) and north >= \(box.south - near)
              and west <= \(box.east + near) and east >= \(box.west - near)
            order by starts_at limit \(settings.neighboursMax)
            """, as: UUID.self, Bool.self, Bool.self)
        guard !others.isEmpty else { return }
        let shared = SharedPath(path)
        for (id, isSameTime, isSameDate) in others {
            guard let other = try await runs.course(of: id, in: transaction)?.path else { continue }
            if isSameTime, path.points[0].distance(to: other.points[0]) <= Self.placeRadius {
                throw Problem(
                    .conflict, code: "same-place-and-time", detail: "another run starts here and is under way then")
            }
            if isSameDate, shared.share(on: other) >= SharedPath.shareMax {
                throw Problem(
                    .conflict, code: "shared-path",
                    detail: "80% or more of the path are shared with another run on this date")
            }
        }
    }

    static let notTheOrganiser = Problem(
        .forbidden, code: "not-the-organiser", detail: "this is for the organiser of the run")
    private static let notOpen = Problem(
        .conflict, code: "not-open", detail: "the run is over or was cancelled")

    /// The name that participants and spectators see as the organiser's.
    static func name(of profile: Accounts.Profile.Result) -> String {
        profile.company?.name ?? profile.person.map { "\($0.name) \($0.surname)" } ?? ""
    }
}

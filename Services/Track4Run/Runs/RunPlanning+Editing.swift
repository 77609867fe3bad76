import Domain
import HTTP
import Postgres
import Primitives
import Security
import Service

/// Changes of runs (RUN-04).
extension RunPlanning {
    /// A change, with what is checked of it before the run is locked.
    private struct Change: Sendable {
        let draft: RunDraft
        let organiser: Identity
        let now: Timestamp
        /// The run's `plan` that the change was made for.
        let plan: Int32
        let path: Polyline
        /// The new course, if it changes.
        let course: Course?

        var movesTimes: Bool { draft.start != nil || draft.end != nil }
    }

    /// Changes the members that the draft holds. When only the path changes the checkpoints stay where they are, and
    /// have to lie on the new path. Participants and organiser are notified; new clauses have to be accepted anew, and
    /// when the times move into those of a runner's other run, the enrolment in this one ends (RUN-06). Errors: as for
    /// creating; 403 for anybody but the organiser, 409 `check-in-begun`, `not-open`, `capacity-taken`.
    func edit(_ id: UUID, _ draft: RunDraft, by organiser: Identity) async throws -> Run {
        let now = store.clock.now()
        try draft.check(isWhole: false)
        let path = try draft.path.map { line throws(Problem) in try CourseRules.path(line) }
        let drawn = try draft.drawnCheckpoints()
        var compared: Set<RunNeighbours.Compared> = []
        for _ in 0..<Self.roundsMax {
            guard let before = try await runs.run(id, in: store.database),
                let known = try await runs.course(of: id, in: store.database)
            else { throw Problem.notFound }
            let run = try changed(before, by: draft, of: organiser, at: now)
            let chosen = path ?? known.path
            try CourseRules.check(chosen, seconds: Double((run.end - run.start).microseconds) / 1e6)
            var course: Course?
            if draft.checkpoints != nil {
                course = Course(path: chosen, checkpoints: try CourseRules.checkpoints(drawn, on: chosen))
            } else if path != nil {
                course = Course(path: chosen, checkpoints: try CourseRules.kept(known, on: chosen))
            }
            compared.formUnion(try await neighbours.compare(run, chosen, known: compared))
            let change = Change(
                draft: draft, organiser: organiser, now: now, plan: before.plan, path: chosen, course: course)
            if let edited = try await save(change, of: id, compared) {
                store.notices.wake()
                return edited
            }
        }
        throw Self.busy
    }

    /// Checks the change and applies it, as far as it does not concern the path.
    private func changed(
        _ stored: Run, by draft: RunDraft, of organiser: Identity, at now: Timestamp
    ) throws(Problem) -> Run {
        guard stored.organiser == organiser.account else { throw Self.notTheOrganiser }
        guard stored.state == .open else { throw Self.notOpen }
        guard now < stored.start - settings.checkInBefore else {
            throw Problem(
                .conflict, code: "check-in-begun", detail: "the check-in has begun; the run can only be cancelled")
        }
        if let capacity = draft.participantsMax, capacity < stored.participants {
            throw Problem(
                .conflict, code: "capacity-taken", detail: "\(stored.participants) runners are enrolled already")
        }
        var run = stored
        run.name = draft.name ?? run.name
        run.description = draft.description ?? run.description
        run.place = draft.place ?? run.place
        run.clauses = draft.clauses ?? run.clauses
        run.start = draft.start ?? run.start
        run.end = draft.end ?? run.end
        run.enrolmentDeadline = draft.enrolmentDeadline ?? run.enrolmentDeadline
        run.participantsMax = draft.participantsMax ?? run.participantsMax
        run.version += 1
        run.plan += 1
        try RunDraft.checkTimes(
            start: run.start, end: run.end, deadline: run.enrolmentDeadline, now: now,
            deadlineMayBePast: draft.enrolmentDeadline == nil)
        return run
    }

    /// Stores the change; `nil` when the run, its runners or the runs near it have changed since it was checked.
    private func save(
        _ change: Change, of id: UUID, _ compared: Set<RunNeighbours.Compared>
    ) async throws -> Run? {
        try await store.transaction { transaction in
            // As who enrols does: runners first, then the run.
            let held = change.movesTimes ? try await lockRunners(of: id, in: transaction) : []
            let stored = try await locked(id, for: change.organiser, in: transaction)
            guard stored.plan == change.plan else { return nil }
            var run = try changed(stored, by: change.draft, of: change.organiser, at: change.now)
            run.length = change.path.length
            run.startPoint = change.path.points[0]
            let runners = try await participants(of: id, in: transaction)
            guard !change.movesTimes || held.isSuperset(of: runners),
                try await neighbours.isCompared(run, change.path, with: compared, in: transaction)
            else { return nil }
            try await runs.update(run, course: change.course, in: transaction)
            let elsewhere = change.movesTimes ? try await release(from: &run, in: transaction) : []
            let hasNewClauses = run.clauses != stored.clauses
            if hasNewClauses {
                try await transaction.execute("update enrolment set clauses_accepted = false where run_id = \(id)")
            }
            let notices = runners.map { runner in
                if elsewhere.contains(runner) { return Notice.moved(run, runner) }
                return hasNewClauses ? Notice.clausesChanged(run, runner) : Notice.changed(run, runner)
            }
            try await store.notices.add(notices + [.changed(run, run.organiser)], at: change.now, in: transaction)
            return run
        }
    }

    /// Keeps the runners from enrolling in other runs, as they do themselves while they enrol.
    private func lockRunners(of id: UUID, in transaction: Transaction) async throws -> Set<UUID> {
        Set(
            try await transaction.query(
                """
                select account_id from runner
                where account_id in (
                  select runner_id from enrolment
                  where run_id = \(id) and state in ('enrolled', 'checked-in', 'left'))
                order by account_id for update
                """, as: UUID.self))
    }

    /// Ends the enrolments of those who are in another run at the time of this one: nobody runs in two. Returns them.
    private func release(from run: inout Run, in transaction: Transaction) async throws -> Set<UUID> {
        let elsewhere = try await transaction.query(
            """
            delete from enrolment e
            where e.run_id = \(run.id) and e.state = 'enrolled' and exists (
              select from enrolment o join run r on r.id = o.run_id
              where o.runner_id = e.runner_id and o.run_id <> e.run_id and o.state in ('enrolled', 'checked-in')
                and r.state = 'open' and r.starts_at < \(run.end) and r.ends_at > \(run.start))
            returning e.runner_id
            """, as: UUID.self)
        guard !elsewhere.isEmpty else { return [] }
        run.participants -= elsewhere.count
        try await transaction.execute(
            "update run set participants = participants - \(Int32(elsewhere.count)) where id = \(run.id)")
        return Set(elsewhere)
    }
}

import Feed
import JSON
import Postgres
import Primitives
import Service

/// The stored progress of runners: sealed, one row per runner, so that after a restart it fits the feed's cursor.
struct ProgressStore: Sendable {
    struct Stored: Sendable {
        let run: UUID
        let runner: UUID
        let progress: RunnerProgress
    }

    let keys: SubjectKeys
    let log: Log

    /// The statement that stores progresses; `nil` for none. It leaves out runners who no longer take part, and does
    /// not overwrite a progress that was recomputed meanwhile, from samples that may end before these: that runner's
    /// are noted as missed. Who is erased, or whose key is lost, is left out.
    func save(_ progresses: [Stored]) async throws -> SQL? {
        let held = try await keys.keySet(of: progresses.map(\.runner))
        let progresses = progresses.filter { held.contains($0.runner) }
        guard !progresses.isEmpty else { return nil }
        let contents = try progresses.map { stored in
            try PersonalColumn.progress.seal(
                encoding: stored.progress, row: [stored.run, stored.runner], with: held.key(of: stored.runner))
        }
        return """
            with given as (
              select p.run_id, p.runner_id, p.content, p.generation
              from unnest(\(progresses.map(\.run)), \(progresses.map(\.runner)), \(contents),
                \(progresses.map { Int32($0.progress.generation) })) as p (run_id, runner_id, content, generation)
              where exists (
                select from enrolment e
                where e.run_id = p.run_id and e.runner_id = p.runner_id and e.state in ('checked-in', 'left'))),
            stored as (
              insert into progress as known (run_id, runner_id, content, generation)
              select run_id, runner_id, content, generation from given
              on conflict on constraint progress_key do update
              set content = excluded.content, generation = excluded.generation, moved_at = now()
              where known.generation <= excluded.generation
              returning run_id, runner_id)
            update enrolment e set missed_at = coalesce(e.missed_at, now()), missed_count = e.missed_count + 1
            from given g
            where e.run_id = g.run_id and e.runner_id = g.runner_id
              and not exists (select from stored s where s.run_id = g.run_id and s.runner_id = g.runner_id)
            """
    }

    /// The progresses of one run, of runners in these parts of the feed, those written since `time`. A runner whose
    /// progress cannot be read starts with an empty one.
    func load(
        _ run: UUID, of parts: FeedParts = .all, since time: Timestamp? = nil, in session: some SQLSession
    ) async throws -> [Stored] {
        let isNew: SQL = time.map { "moved_at >= \($0)" } ?? "true"
        let rows = try await session.query(
            """
            select runner_id, content from progress
            where run_id = \(run) and \(sql: parts.contains(column: "runner_id")) and \(sql: isNew)
            """, as: UUID.self, [UInt8].self)
        let held = try await keys.keySet(of: rows.map(\.0))
        return rows.compactMap { runner, content in
            reporting("a runner's progress cannot be read", of: runner, to: log) {
                Stored(
                    run: run, runner: runner,
                    progress: try PersonalColumn.progress.open(
                        content, row: [run, runner], with: held.key(of: runner)))
            }
        }
    }

    /// Deletes progress of runners who withdrew while it was written, or whose run was cancelled.
    static let tidy: SQL = """
        delete from progress p where not exists (
          select from enrolment e join run r on r.id = e.run_id
          where e.run_id = p.run_id and e.runner_id = p.runner_id and e.state in ('checked-in', 'left')
            and r.state = 'open')
        """
}

import JSON
import Postgres
import Primitives

/// How far runners are, on disk: sealed, one row per runner, so that a restart goes on where the feed's cursor stands.
struct ProgressStore: Sendable {
    struct Stored: Sendable {
        let run: UUID
        let runner: UUID
        let progress: RunnerProgress
    }

    let columns: PersonalColumns

    /// The statement that stores them; `nil` for none. Who is no longer checked in is left out.
    func save(_ progresses: [Stored]) throws(JSONError) -> SQL? {
        guard !progresses.isEmpty else { return nil }
        let contents = try progresses.map { stored throws(JSONError) in
            try columns.seal(encoding: stored.progress, .progress, row: [stored.run, stored.runner])
        }
        return """
            insert into progress (run_id, runner_id, content)
            select p.run_id, p.runner_id, p.content
            from unnest(\(progresses.map(\.run)), \(progresses.map(\.runner)), \(contents)) as p (run_id, runner_id, content)
            where exists (
              select from enrolment e
              where e.run_id = p.run_id and e.runner_id = p.runner_id and e.state = 'checked-in')
            on conflict on constraint progress_key do update set content = excluded.content, moved_at = now()
            """
    }

    /// Of one run, what was written since `time`.
    func load(_ run: UUID, since time: Timestamp? = nil, in session: some SQLSession) async throws -> [Stored] {
        let condition: SQL = time.map { "and moved_at >= \($0)" } ?? ""
        let rows = try await session.query(
            "select runner_id, content, moved_at from progress where run_id = \(run) \(sql: condition)",
            as: UUID.self, [UInt8].self, Timestamp.self)
        return try rows.map { runner, content, _ in
            Stored(
                run: run, runner: runner, progress: try columns.open(content, .progress, row: [run, runner]))
        }
    }
}

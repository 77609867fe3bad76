import Contracts
import Feed
import JSON
import Postgres
import Primitives
import Service

/// Makes and reads the official ranking of runs that are over (RUN-11). Before it, the ranking is provisional: late
/// samples still change it.
struct Ranking: Sendable {
    let store: Store
    let runs: RunStore
    let watches: WatchPublisher
    let live: LiveRuns
    let following = FeedFollowing()
    let settings: Track4RunSettings

    private static let batchMax: Int64 = 20

    /// Runs that could not be closed.
    let retries = Retries<UUID>()

    /// A result as it is stored.
    struct Stored: Codable, Sendable {
        let placing: Placing
        let evidence: Evidence
    }

    /// The official ranking of a run, in order.
    static func stored(_ run: UUID, _ keys: SubjectKeys, in session: some SQLSession) async throws -> [Placing] {
        let rows = try await session.query(
            "select runner_id, content from result where run_id = \(run) order by rank", as: UUID.self, [UInt8].self)
        let held = try await keys.keySet(of: rows.map(\.0))
        return try rows.map { runner, content in
            try PersonalColumn.result.open(
                content, as: Stored.self, row: [run, runner], with: held.key(of: runner)
            ).placing
        }
    }

    /// A runner's official results, by run.
    static func placings(
        of runner: UUID, in runs: [UUID], _ keys: SubjectKeys, session: some SQLSession
    ) async throws -> [UUID: Placing] {
        guard !runs.isEmpty else { return [:] }
        let rows = try await session.query(
            "select run_id, content from result where run_id = any(\(runs)) and runner_id = \(runner)",
            as: UUID.self, [UInt8].self)
        let held = try await keys.keySet(of: [runner])
        let placings = try rows.map { run, content in
            let key = try held.key(of: runner)
            return (
                run, try PersonalColumn.result.open(content, as: Stored.self, row: [run, runner], with: key).placing
            )
        }
        return Dictionary(placings) { first, _ in first }
    }

    /// Closes runs that are over, and those that all runners have finished, when the live feed was followed without a
    /// break for the time of late data after the end. Returns the number tried.
    @discardableResult
    func closeDue(_ progress: FeedProgress, at now: Timestamp) async throws -> Int {
        guard let settled = following.settled(progress, lateData: settings.lateData) else { return 0 }
        let resting = retries.resting
        let over = try await store.database.query(
            """
            select id from run r where state = 'open' and started_at is not null and ends_at <= \(settled)
              and id <> all(\(resting))
              and not exists (select from enrolment e where e.run_id = r.id and e.missed_at is not null)
            order by id = any(\(retries.failing)), ends_at limit \(Self.batchMax)
            """, as: UUID.self)
        let arrived = live.all
            .filter { run in
                guard let last = run.allFinishedAt, run.particulars.hasBegun(at: now) else { return false }
                return last <= settled && !resting.contains(run.id)
            }
            .map(\.id)
        let due = Set(over).union(arrived)
        for id in due {
            retries.begin(id)
            let isDone: Void? = try await reporting("a run cannot be closed", of: id, to: store.log) {
                try await close(id, settled: settled, at: now)
            }
            if isDone != nil { retries.succeeded(id) }
        }
        return due.count
    }

    /// Stores the ranking, ends the watches, notifies runners and organiser, and deletes the progress of the runners.
    private func close(_ id: UUID, settled: Timestamp, at now: Timestamp) async throws {
        let isClosed = try await store.transaction { transaction in
            guard let run = try await runs.lock(id, in: transaction), run.state == .open, run.hasStarted,
                try await !hasMissedSamples(id, in: transaction),
                let course = try await runs.course(of: id, in: transaction)
            else { return false }
            var state = RunState(course: course, start: run.start, end: run.end, rules: settings.rules)
            for runner in try await live.runners(of: run, in: transaction) { state.add(runner) }
            for stored in try await ProgressStore(keys: store.keys, log: store.log).load(id, in: transaction) {
                state.replace(stored.runner, stored.progress)
            }
            // Late acceptances may have come after all had finished.
            guard run.end <= settled || state.allFinishedAt.map({ $0 <= settled }) ?? false else { return false }
            let order = state.order()
            let placings = state.placings(order: order, isFinal: true)
            let results = zip(order, placings).map { runner, placing in
                Stored(
                    placing: placing,
                    evidence: (state.progress(of: runner) ?? RunnerProgress(start: run.start)).evidence)
            }
            try await save(results, order, run, in: transaction)
            try await watches.endAll(of: run, in: transaction)
            try await transaction.batch([
                "delete from progress where run_id = \(id)",
                "update run set state = 'final', closed_at = \(now), version = version + 1 where id = \(id)",
            ])
            let notices = zip(order, placings).map { Notice.finished(run, $0, result: Self.words($1)) }
            try await store.notices.add(notices, at: now, in: transaction)
            return true
        }
        guard isClosed else { return }
        try await live.load(id)
        store.notices.wake()
    }

    private func hasMissedSamples(_ run: UUID, in transaction: Transaction) async throws -> Bool {
        try await transaction.queryOne(
            "select exists (select from enrolment where run_id = \(run) and missed_at is not null)", as: Bool.self)
            ?? false
    }

    private func save(_ results: [Stored], _ order: [UUID], _ run: Run, in transaction: Transaction) async throws {
        let held = try await store.keys.madeKeySet(of: order, in: transaction)
        let contents = try zip(order, results).map { runner, result in
            try PersonalColumn.result.seal(encoding: result, row: [run.id, runner], with: held.key(of: runner))
        }
        try await transaction.execute(
            """
            insert into result (run_id, runner_id, rank, content)
            select \(run.id), runner_id, rank::integer, content
            from unnest(\(order), \(contents)) with ordinality as r (runner_id, content, rank)
            """)
    }

    /// The result for a message, in words that need no translation.
    private static func words(_ placing: Placing) -> String {
        guard placing.state == .finished, let place = placing.place, let time = placing.time else {
            return placing.state == .didNotFinish ? "DNF" : "DNS"
        }
        let seconds = Int(time)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(place). – \(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}

import Contracts
import JSON
import Postgres
import Primitives
import Service

/// Makes the final ranking of runs that are over, and reads it (RUN-11).
struct Ranking: Sendable {
    let store: Store
    let runs: RunStore
    let watches: WatchPublisher
    let live: LiveRuns
    let settings: Track4RunSettings

    private static let batchMax: Int64 = 20

    /// The stored ranking of a run, in order.
    static func stored(_ run: UUID, _ columns: PersonalColumns, in session: some SQLSession) async throws -> [Placing] {
        let rows = try await session.query(
            "select runner_id, content from result where run_id = \(run) order by rank", as: UUID.self, [UInt8].self)
        return try rows.map { runner, content in try columns.open(content, .result, row: [run, runner]) }
    }

    /// Closes the runs whose time, and the time for late data, is over, and those that everybody has finished; the
    /// number closed.
    @discardableResult
    func closeDue(at now: Timestamp) async throws -> Int {
        let over = try await store.database.query(
            """
            select id from run where state = 'open' and started_at is not null and ends_at <= \(now - settings.lateData)
            order by ends_at limit \(Self.batchMax)
            """, as: UUID.self)
        let arrived = live.all
            .filter { $0.particulars.isUnderWay(at: now) && $0.haveAllFinished }.map(\.id)
        let due = Set(over).union(arrived)
        for id in due {
            _ = try await reporting("a run cannot be closed", of: id, to: store.log) { try await close(id, at: now) }
        }
        return due.count
    }

    /// Stores the ranking, ends the watching, and tells the runners and the organiser; the ways that led there are
    /// deleted.
    private func close(_ id: UUID, at now: Timestamp) async throws {
        let isClosed = try await store.transaction { transaction in
            guard let run = try await runs.lock(id, in: transaction), run.state == .open, run.hasStarted,
                let course = try await runs.course(of: id, in: transaction)
            else { return false }
            var state = RunState(course: course, start: run.start, end: run.end, rules: settings.rules)
            for runner in try await live.runners(of: run, in: transaction) { state.add(runner) }
            for stored in try await ProgressStore(columns: store.columns, log: store.log).load(id, in: transaction) {
                state.replace(stored.runner, stored.progress)
            }
            // Late acceptances may have come in since everybody had finished.
            guard state.haveAllFinished || run.end <= now - settings.lateData else { return false }
            let order = state.order()
            let placings = state.placings(order: order, isFinal: true)
            try await save(placings, order, run, in: transaction)
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

    private func save(_ placings: [Placing], _ order: [UUID], _ run: Run, in transaction: Transaction) async throws {
        let contents = try zip(order, placings).map { runner, placing throws(JSONError) in
            try store.columns.seal(encoding: placing, .result, row: [run.id, runner])
        }
        try await transaction.execute(
            """
            insert into result (run_id, runner_id, rank, content)
            select \(run.id), runner_id, rank::integer, content
            from unnest(\(order), \(contents)) with ordinality as r (runner_id, content, rank)
            """)
    }

    /// For a message, in words that need no translation.
    private static func words(_ placing: Placing) -> String {
        guard placing.state == .finished, let place = placing.place, let time = placing.time else {
            return placing.state == .didNotFinish ? "DNF" : "DNS"
        }
        let seconds = Int(time)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(place). – \(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}

import Feed
import Postgres
import Primitives
import Reactor
import ReactorTesting
import ServiceTesting
import Synchronization
import Testing

@testable import Track4Run

/// A run that is read while its runners move, here or in another replica.
@Suite struct LoadingTests {
    let path = Paths.path([(90, 2000)])

    /// A process that has no run in memory yet.
    private func fresh(_ service: Track4RunTest) -> (LiveRuns, LiveSamplesHandler) {
        let log = service.parts.store.log
        let live = LiveRuns(
            database: service.database, keys: service.parts.store.keys, rules: RunnerRules(), log: log)
        return (
            live,
            LiveSamplesHandler(
                live: live, progresses: service.parts.samples.progresses, clock: service.clock, log: log)
        )
    }

    /// Holds the table while `body` runs; `waiting` returns once so many sessions wait for it.
    private func holding(
        _ table: String, _ service: Track4RunTest,
        _ body: @Sendable (_ waiting: (Int) async throws -> Void) async throws -> Void
    ) async throws {
        try await service.database.transaction { transaction in
            try await transaction.execute("lock table \(identifier: table) in access exclusive mode")
            try await body { count in
                let deadline = Deadline.after(.patience)
                while try await transaction.queryOne(
                    """
                    select count(distinct pid) from pg_locks
                    where not granted and relation = \(table)::text::regclass
                    """, as: Int.self) != count
                {
                    try #require(!deadline.hasPassed)
                    try await service.loops.loops[0].sleep(for: .milliseconds(2))
                }
            }
        }
    }

    @Test("RUN-09 NFR-04: samples that come while the run is being read count")
    func meanwhile() async throws {
        try await Track4RunTest.with { service in
            let (_, accounts, start) = try await service.begun(path: path)
            let (live, handler) = fresh(service)
            service.clock.advance(by: .seconds(100))
            let loop = service.loops.loops[0]
            let tasks = Mutex<[Task<Void, any Error>]>([])
            try await holding("progress", service) { waiting in
                let reading = loop.throwingTask { try await live.refresh(at: service.clock.now()) }
                try await waiting(1)
                let applying = loop.throwingTask {
                    try await service.send(
                        Samples.running(accounts[0], path, from: start, speed: 3, seconds: 100), to: handler)
                }
                try await waiting(2)
                tasks.withLock { $0 = [reading, applying] }
            }
            for task in tasks.withLock({ $0 }) { try await task.value }
            #expect(abs(try #require(live.all.first).placings()[0].distance - 300) < 10)
        }
    }

    @Test("RUN-09 NFR-04: samples of a run that cannot be read now are read later")
    func unreadable() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(2, path: path)
            try await service.database.execute("update run set path = 'x' where id = \(run)")
            let (_, handler) = fresh(service)
            // The second time it is not even tried.
            for account in accounts {
                try await service.send(Samples.running(account, path, from: start, speed: 3, seconds: 60), to: handler)
            }
            let missed = try await service.database.query(
                "select runner_id from enrolment where run_id = \(run) and missed_at is not null", as: UUID.self)
            #expect(Set(missed) == Set(accounts))
        }
    }

    @Test("RUN-09 NFR-02: a run that is read while its runners are taken over begins with what was stored last")
    func takenOver() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(path: path)
            service.clock.advance(by: .seconds(200))
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 100))
            let shown = try #require(try await service.parts.live.run(run))
            let (live, handler) = fresh(service)
            let key = try await service.parts.store.key(of: accounts[0])
            let task = Mutex<Task<Void, any Error>?>(nil)
            // It has read the progress, and not yet the runners.
            try await holding("enrolment", service) { waiting in
                let reading = service.loops.loops[0].throwingTask { try await live.refresh(at: service.clock.now()) }
                task.withLock { $0 = reading }
                try await waiting(1)
                let more = Samples.running(accounts[0], path, from: start, since: 100, speed: 3, seconds: 150)
                let progress = try #require(shown.apply(more)).progress
                let content = try PersonalColumn.progress.seal(encoding: progress, row: [run, accounts[0]], with: key)
                try await service.database.execute(
                    "update progress set content = \(content), moved_at = now() where runner_id = \(accounts[0])")
                try await handler.follow(.all, ofShard: 0)
            }
            try await task.withLock { $0 }?.value
            #expect(abs(try #require(live.all.first).placings()[0].distance - 450) < 10)
        }
    }

    @Test("RUN-10 NFR-02: samples whose progress was recomputed elsewhere meanwhile are read again")
    func recomputed() async throws {
        try await Track4RunTest.with { service in
            let (run, accounts, start) = try await service.begun(path: path)
            service.clock.advance(by: .seconds(200))
            try await service.send(Samples.running(accounts[0], path, from: start, speed: 3, seconds: 100))
            try await service.database.execute("update progress set generation = 1")
            try await service.send(
                Samples.running(accounts[0], path, from: start, since: 100, speed: 3, seconds: 150))
            let missed = try await service.database.query(
                "select runner_id from enrolment where run_id = \(run) and missed_at is not null", as: UUID.self)
            #expect(missed == accounts)
        }
    }
}

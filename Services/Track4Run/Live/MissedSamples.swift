import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// Samples of runners that the live feed did not bring in order: it had a gap (`feed.gone`), or a device sent samples
/// that belong between earlier ones. They are read from ingestion, and all of the runner's fixes are applied again in
/// order (RUN-10). No ranking becomes official before that.
struct MissedSamples: Sendable {
    /// Runners in one round.
    private static let batchMax: Int64 = 50
    /// Samples of one runner in memory; beyond it the progress stays as it is.
    private static let samplesMax = 1_000_000
    /// Rounds of reading one runner while the feed brings more.
    private static let roundsMax = 20
    /// After so many failures, over about half an hour, a runner's progress stays as it is.
    private static let failuresMax = 12

    struct Runner: Hashable, Sendable {
        let run: UUID
        let account: UUID
    }

    /// Why a runner's samples cannot be applied again.
    enum Failure: Error {
        case tooMany
        case feedIsFaster
        /// The run has not been loaded since the runner checked in, or cannot be.
        case notInMemory
    }

    let store: Store
    let live: LiveRuns
    let progresses: ProgressStore
    let ingestion: any RPCCaller
    let retries = Retries<Runner>(backOff: BackOff(base: .seconds(2), max: .seconds(240)))

    // MARK: Noting

    static func note(of runner: UUID, in run: UUID) -> SQL {
        """
        update enrolment set missed_at = coalesce(missed_at, now()), missed_count = missed_count + 1
        where run_id = \(run) and runner_id = \(runner)
        """
    }

    /// Marks all runners of these parts of the feed.
    static func noteAll(_ parts: FeedParts, at now: Timestamp) -> SQL {
        """
        update enrolment e set missed_at = coalesce(e.missed_at, now()), missed_count = e.missed_count + 1 from run r
        where r.id = e.run_id and r.state = 'open' and r.starts_at <= \(now) and e.state in ('checked-in', 'left')
          and \(sql: parts.contains(column: "e.runner_id"))
        """
    }

    // MARK: Reading

    /// Reads the missed samples of some runners; returns their number.
    @discardableResult
    func recover() async throws -> Int {
        let (resting, failing) = (retries.resting, retries.failing)
        let missed = try await store.database.query(
            """
            select e.run_id, e.runner_id, e.missed_count from enrolment e join run r on r.id = e.run_id
            where e.missed_at is not null and r.state = 'open' and e.state in ('checked-in', 'left')
              and \(sql: Self.isAmong(resting)) is false
            order by \(sql: Self.isAmong(failing)), e.missed_at limit \(Self.batchMax)
            """, as: UUID.self, UUID.self, Int64.self)
        for (run, account, count) in missed {
            let runner = Runner(run: run, account: account)
            retries.begin(runner)
            let outcome = try await reporting("missed samples cannot be read", of: account, to: store.log) {
                try await tried(runner, count)
            }
            switch outcome {
            case .read(let pause): retries.succeeded(runner, pause: pause)
            case .nobodyAnswers:
                retries.succeeded(runner)
                return missed.count
            case nil where retries.failures(of: runner) >= Self.failuresMax:
                store.log.error("missed samples are given up", ["runner": .string(account.description)])
                try await settle(runner, count, nil)
                retries.succeeded(runner)
            case nil: continue
            }
        }
        return missed.count
    }

    private static func isAmong(_ runners: [Runner]) -> SQL {
        """
        exists (
          select from unnest(\(runners.map(\.run)), \(runners.map(\.account))) as x (run_id, runner_id)
          where x.run_id = e.run_id and x.runner_id = e.runner_id)
        """
    }

    private enum Outcome {
        /// Samples that come out of order again are read after the pause.
        case read(pause: Duration)
        case nobodyAnswers
    }

    /// Two devices that send in turn are always out of order: the more often a runner's samples were read, the longer
    /// the pause. After the run it is short: few more come, and the ranking waits for them.
    private func pause(generation: Int, end: Timestamp) -> Duration {
        store.clock.now() > end ? .seconds(1) : .seconds(min(600, 30 * generation))
    }

    /// While ingestion cannot be reached nothing is given up, and one call at a time checks whether it is back.
    private func tried(_ runner: Runner, _ count: Int64) async throws -> Outcome {
        do {
            return .read(pause: try await recover(runner, count))
        } catch let error as RPCError where error.isRetryable {
            return .nobodyAnswers
        }
    }

    /// Reads and stores; returns the pause before the next time.
    private func recover(_ runner: Runner, _ count: Int64) async throws -> Duration {
        guard let run = try await live.run(runner.run), var trace = run.trace(of: runner.account) else {
            throw Failure.notInMemory
        }
        let particulars = run.particulars
        var next = Ingestion.ReadCursor.beginning
        for _ in 0..<Self.roundsMax {
            while true {
                let page = try await ingestion.call(
                    Ingestion.ReadGap.self,
                    .init(
                        accountID: runner.account, types: [.position, .heartRate], receivedFrom: particulars.start,
                        receivedTo: particulars.end + WatchPublisher.lateArrivals, after: next))
                for upload in page.uploads { trace.add(upload.samples) }
                guard trace.count <= Self.samplesMax else { throw Failure.tooMany }
                next = page.next
                guard page.hasMore else { break }
            }
            // Samples that the feed brought meanwhile are stored already, and are read in the next round.
            if let progress = run.rebuild(runner.account, from: &trace) {
                try await settle(runner, count, progress)
                return pause(generation: progress.generation, end: particulars.end)
            }
        }
        throw Failure.feedIsFaster
    }

    /// Stores the outcome; the mark is kept when the runner was marked again since it was read.
    private func settle(_ runner: Runner, _ count: Int64, _ progress: RunnerProgress?) async throws {
        var statements: [SQL] = []
        if let progress {
            statements +=
                try await progresses.save([.init(run: runner.run, runner: runner.account, progress: progress)])
                .map { [$0] } ?? []
        }
        statements.append(
            """
            update enrolment set missed_at = null
            where run_id = \(runner.run) and runner_id = \(runner.account) and missed_count = \(count)
            """)
        // Makes replicas that have the run in memory read it again.
        statements.append("update run set version = version + 1 where id = \(runner.run)")
        try await store.database.batch(statements)
    }
}

import Contracts
import Domain
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// Samples of runners that the live feed has not brought in order: it was gone (`feed.gone`), or a device has sent what
/// belongs between what it had sent before. They are read from ingestion, and the runner's fixes are gone through from the
/// first on (RUN-10). A run is not official before that.
struct MissedSamples: Sendable {
    /// Runners in one round.
    private static let batchMax: Int64 = 50
    /// Of one runner in memory; who measures more in a run keeps what is known.
    private static let samplesMax = 1_000_000
    /// Rounds of reading while the feed brings more.
    private static let roundsMax = 20
    /// After so many failures, over about half an hour, a runner keeps what is known.
    private static let failuresMax = 12

    struct Runner: Hashable, Sendable {
        let run: UUID
        let account: UUID
    }

    /// Why somebody's samples cannot be gone through.
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
        update enrolment set missed_at = now() where run_id = \(run) and runner_id = \(runner) and missed_at is null
        """
    }

    /// Everybody who runs.
    static func noteAll(at now: Timestamp) -> SQL {
        """
        update enrolment e set missed_at = now() from run r
        where r.id = e.run_id and r.state = 'open' and r.starts_at <= \(now) and e.state in ('checked-in', 'left')
          and e.missed_at is null
        """
    }

    // MARK: Reading

    /// Reads what is missing of some runners; their number.
    @discardableResult
    func recover() async throws -> Int {
        let (resting, failing) = (retries.resting, retries.failing)
        let missed = try await store.database.query(
            """
            select e.run_id, e.runner_id, e.missed_at from enrolment e join run r on r.id = e.run_id
            where e.missed_at is not null and r.state = 'open' and e.state in ('checked-in', 'left')
              and \(sql: Self.isAmong(resting)) is false
            order by \(sql: Self.isAmong(failing)), e.missed_at limit \(Self.batchMax)
            """, as: UUID.self, UUID.self, Timestamp.self)
        for (run, account, missedAt) in missed {
            let runner = Runner(run: run, account: account)
            retries.begin(runner)
            let outcome = try await reporting("missed samples cannot be read", of: account, to: store.log) {
                try await tried(runner, missedAt: missedAt)
            }
            switch outcome {
            case .read(let pause): retries.succeeded(runner, pause: pause)
            case .nobodyAnswers:
                retries.succeeded(runner)
                return missed.count
            case nil where retries.failures(of: runner) >= Self.failuresMax:
                store.log.error("missed samples are given up", ["runner": .string(account.description)])
                try await settle(runner, missedAt: missedAt, nil)
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
        /// What comes out of order next is read after the pause.
        case read(pause: Duration)
        case nobodyAnswers
    }

    /// Two devices that send turn by turn are always out of order: the more often somebody's samples were read, the longer
    /// the pause. After the run little more comes, and its ranking waits for it.
    private func pause(generation: Int, end: Timestamp) -> Duration {
        store.clock.now() > end ? .seconds(1) : .seconds(min(600, 30 * generation))
    }

    /// While ingestion is away nothing is given up, and one call at a time looks whether it is back.
    private func tried(_ runner: Runner, missedAt: Timestamp) async throws -> Outcome {
        do {
            return .read(pause: try await recover(runner, missedAt: missedAt))
        } catch let error as RPCError where error.isRetryable {
            return .nobodyAnswers
        }
    }

    /// Reads and stores; the pause before the next time.
    private func recover(_ runner: Runner, missedAt: Timestamp) async throws -> Duration {
        guard let run = try await live.run(runner.run), var trace = run.trace(of: runner.account) else {
            throw Failure.notInMemory
        }
        let particulars = run.particulars
        var next: Int64 = 0
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
            // What the feed has brought meanwhile is stored already; it is read in the next round.
            if let progress = run.rebuild(runner.account, from: &trace) {
                try await settle(runner, missedAt: missedAt, progress)
                return pause(generation: progress.generation, end: particulars.end)
            }
        }
        throw Failure.feedIsFaster
    }

    /// Stores the outcome, unless more has been missed since.
    private func settle(_ runner: Runner, missedAt: Timestamp, _ progress: RunnerProgress?) async throws {
        var statements: [SQL] = []
        if let progress {
            statements +=
                try progresses.save([.init(run: runner.run, runner: runner.account, progress: progress)])
                .map { [$0] } ?? []
        }
        statements.append(
            """
            update enrolment set missed_at = null
            where run_id = \(runner.run) and runner_id = \(runner.account) and missed_at = \(missedAt)
            """)
        // For the replicas that have the run in memory.
        statements.append("update run set version = version + 1 where id = \(runner.run)")
        try await store.database.batch(statements)
    }
}

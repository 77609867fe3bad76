import Contracts
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization

/// The runs that this process has in memory: those about to begin or under way, and those with spectators. Their state
/// is a copy of the database's.
final class LiveRuns: Sendable {
    /// Runs in memory.
    static let runsMax = 10_000
    /// A run is loaded this long before its start, and kept until its ranking is official.
    static let lead = Duration.seconds(1800)
    private struct State {
        var runs: [UUID: LiveRun] = [:]
        /// The parts of the feed that this process follows, by ingestion's shard.
        var followed: [Int: FeedParts] = [:]
        var mergedUntil: Timestamp?

        /// Those whose runners may move in other replicas. In which shard a runner's samples are is not known here.
        var others: FeedParts {
            let common = followed.values.reduce(nil as FeedParts?) { common, parts in
                common?.common(with: parts) ?? parts
            }
            return common?.others ?? .all
        }
    }

    private let database: Database
    private let keys: SubjectKeys
    private let runs: RunStore
    private let progresses: ProgressStore
    private let rules: RunnerRules
    private let log: Log
    private let state = Mutex(State())
    /// Runs that cannot be read.
    private let retries = Retries<UUID>(backOff: BackOff(base: .seconds(1), max: .seconds(60)))

    init(database: Database, keys: SubjectKeys, rules: RunnerRules, log: Log) {
        self.database = database
        self.keys = keys
        runs = RunStore(keys: keys)
        progresses = ProgressStore(keys: keys, log: log)
        self.rules = rules
        self.log = log
    }

    var all: [LiveRun] { state.withLock { Array($0.runs.values) } }
    var spectatorCount: Int { all.reduce(0) { $0 + $1.spectatorCount } }

    /// The run, loaded when it is not in memory. `nil`: there is none.
    func run(_ id: UUID) async throws -> LiveRun? {
        if let known = state.withLock({ $0.runs[id] }) { return known }
        return try await load(id)
    }

    func leave(_ account: UUID, run: UUID, at time: Timestamp) {
        state.withLock { $0.runs[run] }?.leave(account, at: time)
    }

    func remove(_ account: UUID, from run: UUID) {
        state.withLock { $0.runs[run] }?.remove(account)
    }

    /// The runs under way of these accounts; those not in memory are loaded. `unread`: those that cannot be read now.
    func runs(of accounts: Set<UUID>, at now: Timestamp) async throws -> (live: [LiveRun], unread: [UUID]) {
        let open = all.filter { $0.particulars.state == .open }
        var live = open.filter { run in accounts.contains { run.contains($0) } }
        let unknown = accounts.filter { account in !open.contains { $0.contains(account) } }
        guard !unknown.isEmpty else { return (live, []) }
        // Somebody may have checked in a moment ago, and after a start nothing is in memory.
        let fresh = try await database.query(
            """
            select distinct e.run_id from enrolment e join run r on r.id = e.run_id
            where e.runner_id = any(\(Array(unknown))) and e.state in ('checked-in', 'left') and r.state = 'open'
              and r.starts_at <= \(now)
            """, as: UUID.self)
        var unread: [UUID] = []
        let resting = Set(retries.resting)
        for id in fresh {
            if let run = try await loadIfReadable(id, resting: resting) { live.append(run) } else { unread.append(id) }
        }
        return (live, unread)
    }

    /// Loads a run. One that cannot be read is reported, does not affect the others, and is tried again later.
    private func loadIfReadable(_ id: UUID, resting: Set<UUID>) async throws -> LiveRun? {
        guard !resting.contains(id) else { return nil }
        let loaded = try await reporting("a run cannot be loaded", of: id, to: log) { try await load(id) }
        // Only after the try: a run is not unreadable while somebody else reads it.
        if loaded == nil { retries.begin(id) } else { retries.succeeded(id) }
        return loaded ?? nil
    }

    /// Loads runs that have changed or are about to begin, and drops those that are over and have no spectators. Call
    /// about once a second.
    func refresh(at now: Timestamp) async throws {
        let held = all
        let watched = held.filter { $0.spectatorCount > 0 }.map(\.id)
        let rows = try await database.query(
            """
            select id, version from run
            where state = 'open' and starts_at <= \(now + Self.lead) or id = any(\(watched))
            order by ends_at desc limit \(Int64(Self.runsMax))
            """, as: UUID.self, Int64.self)
        let versions = Dictionary(held.map { ($0.id, $0.particulars.version) }) { first, _ in first }
        let resting = Set(retries.resting)
        for (id, version) in rows where versions[id] != version { _ = try await loadIfReadable(id, resting: resting) }
        let wanted = Set(rows.map(\.0))
        state.withLock { state in
            state.runs = state.runs.filter { wanted.contains($0.key) || $0.value.spectatorCount > 0 }
        }
        try await mergeOthers(at: now)
    }

    /// Takes over what other replicas have stored of the runners whose part of the feed they follow.
    private func mergeOthers(at now: Timestamp) async throws {
        let (others, since) = state.withLock { state in
            defer { state.mergedUntil = now }
            return (state.others, (state.mergedUntil ?? now) - .seconds(5))
        }
        guard !others.numbers.isEmpty else { return }
        for run in all where run.particulars.hasBegun(at: now) {
            run.merge(try await progresses.load(run.id, of: others, since: since, in: database))
        }
    }

    /// Before this process applies samples of these parts: takes over what others have stored of their runners.
    func follow(_ parts: FeedParts, ofShard shard: Int, at now: Timestamp) async throws {
        for run in all where run.particulars.hasBegun(at: now) && !parts.numbers.isEmpty {
            run.merge(try await progresses.load(run.id, of: parts, in: database))
        }
        state.withLock { $0.followed[shard] = parts }
    }

    /// Sends changes to all spectators. Call at most twice a second.
    func broadcast(at now: Timestamp) {
        for run in all { _ = reporting("a run cannot be shown", of: run.id, to: log) { try run.broadcast(at: now) } }
    }

    // MARK: Loading

    @discardableResult
    func load(_ id: UUID) async throws -> LiveRun? {
        guard let run = try await runs.run(id, in: database), let course = try await runs.course(of: id, in: database)
        else { return nil }
        let particulars = LiveRun.Particulars(
            id: id, version: run.version, state: run.state, start: run.start, end: run.end)
        let isFinal = run.state == .final
        let stored = isFinal ? [] : try await progresses.load(id, in: database)
        let runners = isFinal ? [] : try await self.runners(of: run, in: database)
        let ranking = isFinal ? try await Ranking.stored(id, keys, in: database) : nil
        let (live, isNew) = state.withLock { state in
            if let known = state.runs[id] { return (known, false) }
            let live = LiveRun(
                particulars, RunState(course: course, start: run.start, end: run.end, rules: rules),
                finalRanking: ranking)
            // A run beyond the limit is used once, but not kept.
            if state.runs.count < Self.runsMax { state.runs[id] = live }
            return (live, !isFinal)
        }
        live.update(particulars, course: course, runners: runners, progresses: stored, finalRanking: ranking)
        // What another replica stored after the first look, and before this process followed its parts of the feed: that
        // was merged into the runs in memory, among which this one was not.
        if isNew { live.merge(try await progresses.load(id, in: database)) }
        return live
    }

    /// Runners who have checked in, including those who have left under way.
    func runners(of run: Run, in session: some SQLSession) async throws -> [RunState.Runner] {
        let rows = try await session.rows(
            """
            select runner_id, bib, name, shares_heart_rate, left_at from enrolment
            where run_id = \(run.id) and state in ('checked-in', 'left')
            """)
        var accounts: [UUID] = []
        for row in rows { accounts.append(try row["runner_id"]) }
        let held = try await keys.keySet(of: accounts)
        return try rows.map { row in
            let (account, bib): (UUID, Int) = (try row["runner_id"], try row["bib"])
            let (name, sharesHeartRate): ([UInt8], Bool) = (try row["name"], try row["shares_heart_rate"])
            let readable = reporting("a runner's name cannot be read", of: account, to: log) {
                try PersonalColumn.runnerName.open(name, row: [run.id, account], with: held.key(of: account))
            }
            return RunState.Runner(
                account: account, bib: bib, name: readable ?? "#\(bib)",
                showsHeartRate: sharesHeartRate && run.isOfCompany, leftAt: try row["left_at"])
        }
    }
}

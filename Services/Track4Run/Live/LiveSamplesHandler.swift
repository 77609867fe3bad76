import Contracts
import Feed
import JSON
import Postgres
import Primitives
import Service

/// Follows `ingestion.live`: applies the samples of runners' devices to their progress. The progress is stored in the
/// transaction that moves the feed's cursor, so that a restart loses and repeats nothing; in memory a repeat has no
/// effect. Samples that ingestion withholds, and those of a run that cannot be read now, are read from its storage later.
struct LiveSamplesHandler: FeedHandler {
    let live: LiveRuns
    let progresses: ProgressStore
    let clock: any WallClock
    let log: Log

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        let samples = records.filter { $0.kind == Ingestion.liveSamplesKind }.compactMap { record in
            reporting("live samples cannot be read", of: record.entity, to: log) {
                try record.decode(Ingestion.LiveSamples.self)
            }
        }
        let withheld = Set(records.filter { $0.kind == Ingestion.liveWithheldKind }.map(\.entity))
        guard !samples.isEmpty || !withheld.isEmpty else { return .none }
        let accounts = withheld.union(samples.map(\.accountID))
        let (runs, unread) = try await live.runs(of: accounts, at: clock.now())
        guard !runs.isEmpty || !unread.isEmpty else { return .none }
        var moved: [[UUID]: ProgressStore.Stored] = [:]
        var missed: [[UUID]: SQL] = [:]
        for part in samples {
            for run in runs {
                guard let (change, progress) = run.apply(part) else { continue }
                let key = [run.id, part.accountID]
                moved[key] = .init(run: run.id, runner: part.accountID, progress: progress)
                if change.isOutOfOrder { missed[key] = MissedSamples.note(of: part.accountID, in: run.id) }
            }
        }
        for account in withheld {
            for run in runs { missed[[run.id, account]] = MissedSamples.note(of: account, in: run.id) }
        }
        for run in unread {
            for account in accounts { missed[[run, account]] = MissedSamples.note(of: account, in: run) }
        }
        let saving = try await progresses.save(Array(moved.values))
        return .statements((saving.map { [$0] } ?? []) + missed.values)
    }

    func follow(_ parts: FeedParts, ofShard shard: Int) async throws {
        try await live.follow(parts, ofShard: shard, at: clock.now())
    }

    // Live samples have no snapshot: the samples of a gap are read from ingestion, for each runner.
    func beginSnapshot() async throws -> FeedEffect { .none }
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
    func endSnapshot() async throws -> FeedEffect { try await endSnapshot(of: .all) }
    func endSnapshot(of parts: FeedParts) async throws -> FeedEffect {
        .statements([MissedSamples.noteAll(parts, at: clock.now())])
    }
}

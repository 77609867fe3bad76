import Contracts
import Feed
import JSON
import Primitives
import Service

/// Follows `ingestion.live`: what devices of runners send moves them along their course. What was moved is stored
/// with the feed's cursor, so that a restart neither loses nor repeats anything; in memory a repeat changes nothing.
struct LiveSamplesHandler: FeedHandler {
    let live: LiveRuns
    let progresses: ProgressStore
    let clock: any WallClock
    let log: Log

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        let samples = records.filter { $0.kind == "samples" }.compactMap { record in
            reporting("live samples cannot be read", of: record.entity, to: log) {
                try record.decode(Ingestion.LiveSamples.self)
            }
        }
        guard !samples.isEmpty else { return .none }
        let runs = try await live.runs(of: Set(samples.map(\.accountID)), at: clock.now())
        guard !runs.isEmpty else { return .none }
        var moved: [[UUID]: ProgressStore.Stored] = [:]
        for part in samples {
            for run in runs {
                guard let progress = run.apply(part) else { continue }
                moved[[run.id, part.accountID]] = .init(run: run.id, runner: part.accountID, progress: progress)
            }
        }
        if !moved.isEmpty { live.noteApplied() }
        return .statements(try progresses.save(Array(moved.values)).map { [$0] } ?? [])
    }

    // Live samples have no snapshot: what was missed while the feed was gone is missing on the way, not in the state.
    func beginSnapshot() async throws -> FeedEffect { .none }
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
    func endSnapshot() async throws -> FeedEffect { .none }
}

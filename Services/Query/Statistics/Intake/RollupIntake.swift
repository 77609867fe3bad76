import Contracts
import Domain
import Feed
import Postgres
import Primitives

/// Takes the feed `ingestion.rollups` into the columns. There is no snapshot to take: closed days are sent once.
struct RollupIntake: FeedHandler {
    let clock: any WallClock

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        var columns: [ColumnKey: (subjects: [Int32], cells: [ValueCell])] = [:]
        for record in records where record.kind == "day" {
            let rollups = try record.decode(Ingestion.DayRollups.self)
            guard rollups.subjects.count == rollups.values.count else { throw ColumnError.malformed }
            // Types without group statistics are passed over.
            guard let bounds = rollups.type.groupBounds else { continue }
            let key = ColumnKey.values(rollups.type, rollups.day)
            columns[key, default: ([], [])].subjects += rollups.subjects
            columns[key, default: ([], [])].cells += rollups.values.map {
                ValueCell(contribution: bounds.contribution($0))
            }
        }
        let now = clock.now()
        return .statements(
            try columns.sorted { ($0.key.series, $0.key.day) < ($1.key.series, $1.key.day) }.flatMap {
                try ColumnStore.adding($0.value.cells, of: $0.value.subjects, to: $0.key, at: now)
            })
    }

    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
    func beginSnapshot() async throws -> FeedEffect { .none }
    func endSnapshot() async throws -> FeedEffect { .none }
}

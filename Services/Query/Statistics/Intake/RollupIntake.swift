import Contracts
import Domain
import Feed
import Postgres
import Primitives

/// Reads the feed `ingestion.rollups` into the columns, and records which days are complete. A snapshot only lists the
/// closed days: incomplete ones are asked for (`LackingDays`).
struct RollupIntake: FeedHandler {
    let clock: any WallClock

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        let now = clock.now()
        var columns: [ColumnKey: (subjects: [Int32], cells: [ValueCell])] = [:]
        var days: [SQL] = []
        for record in records {
            switch record.kind {
            case "day":
                let rollups = try record.decode(Ingestion.DayRollups.self)
                guard rollups.subjects.count == rollups.values.count else { throw ColumnError.malformed }
                // Also of types that are not known here: the day is complete only with them.
                days += RollupDays.noteBatch(of: rollups.publication, rollups.day, at: now)
                // Types without group statistics are ignored.
                guard let bounds = rollups.type.groupBounds else { continue }
                let key = ColumnKey.values(rollups.type, rollups.day)
                columns[key, default: ([], [])].subjects += rollups.subjects
                columns[key, default: ([], [])].cells += rollups.values.map {
                    ValueCell(contribution: bounds.contribution($0))
                }
            case "day-complete": days += RollupDays.noteEnd(try record.decode(Ingestion.DayComplete.self), at: now)
            default: continue
            }
        }
        let arrivals = try columns.sorted { ($0.key.series, $0.key.day) < ($1.key.series, $1.key.day) }.flatMap {
            try ColumnStore.adding($0.value.cells, of: $0.value.subjects, to: $0.key, at: now)
        }
        return .statements(arrivals + days)
    }

    func beginSnapshot() async throws -> FeedEffect { .none }

    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        .statements(
            try entities.filter { $0.kind == "closed" }.map {
                RollupDays.list(try $0.decode(Ingestion.ClosedDay.self).day)
            })
    }

    /// Days that the snapshot does not list stay: decided releases stand.
    func endSnapshot() async throws -> FeedEffect { .none }
}

import Domain
import Postgres
import Primitives
import Reactor

extension PersonSamples {
    /// The summaries of one data type of the blocks of UTC days.
    func summaries(
        of account: UUID, _ type: DataType, days: ClosedRange<CalendarDate>, _ person: PersonContext? = nil
    ) async throws -> [CalendarDate: DaySummary] {
        try await summaries(of: account, types: type.bit, days: days, person)[type] ?? [:]
    }

    /// The summaries of some data types of the blocks of UTC days. Those of days of which something is in no block yet are computed from
    /// their samples. `person`, where it is known, need not be looked up. Errors: `TooMuch` beside the database's and the
    /// keys'.
    func summaries(
        of account: UUID, types: Int64, days: ClosedRange<CalendarDate>, _ person: PersonContext? = nil
    ) async throws -> [DataType: [CalendarDate: DaySummary]] {
        // Where something is deleted between two statements, both are read anew: once more than people can have asked for.
        for _ in 0...DeletionStore.unfinishedMax {
            let statement = Self.summaryStatement(of: account, types: types, days: days)
            guard let all = try await find(statement, of: account, person) else { return [:] }
            let opened = try await threads.computing { try Self.opened(all, types, days) }
            // What arrived since may repeat what is in the blocks of these days, which are opened.
            if let late = try await merging(opened.late, all.work, all.deletions, { DaySummary($0) }) {
                var found = opened.found
                for summary in late { found[summary.type, default: [:]][summary.day] = summary }
                return found
            }
            try Task.checkCancellation()
        }
        throw IOError.limit("deletions while samples are read: \(DeletionStore.unfinishedMax)")
    }

    /// The summaries, with what arrivals add to those of days whose samples had to go; and what they add to other blocks.
    private static func opened(
        _ all: Found, _ types: Int64, _ days: ClosedRange<CalendarDate>
    ) throws -> (found: [DataType: [CalendarDate: DaySummary]], late: [BlockKey: BlockSamples]) {
        var found: [DataType: [CalendarDate: DaySummary]] = [:]
        var closed = Set<BlockKey>()
        for case .block(let key, let sealed?, let hasSamples) in all.rows {
            found[key.type, default: [:]][key.day] = try all.work.openSummary(key, sealed)
            if !hasSamples { closed.insert(key) }
        }
        var late = try late(all, types: types).filter { days.contains($0.key.day) }
        for (key, samples) in late {
            if found[key.type]?[key.day] == nil {
                found[key.type, default: [:]][key.day] = DaySummary(samples)
            } else if closed.contains(key) {
                _ = found[key.type]?[key.day]?.fill(from: samples)
            } else {
                continue
            }
            late[key] = nil
        }
        return (found, late)
    }

    private static func summaryStatement(of account: UUID, types: Int64, days: ClosedRange<CalendarDate>) -> SQL {
        let numbers = DataType.types(in: types).map { Int16($0.rawValue) }
        return """
            with p as materialized (select number, sealed_through, deletions from person where account_id = \(account))
            select true as is_block, b.type, b.day, 0 as arrival, 0::smallint as source, b.summary as sealed, b.has_samples,
              p.deletions
            from p, unnest(\(numbers)) as t (type) cross join lateral (
              select type, day, summary, samples is not null as has_samples from block
              where person = p.number and type = t.type and day between \(days.lowerBound) and \(days.upperBound)
              offset 0) b
            union all
            \(sql: unsealed)
            """
    }
}

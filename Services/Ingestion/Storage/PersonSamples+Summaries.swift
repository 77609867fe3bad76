import Domain
import Postgres
import Primitives
import Reactor

extension PersonSamples {
    /// The summaries of one data type on local days.
    func summaries(
        of account: UUID, _ type: DataType, days: ClosedRange<CalendarDate>, _ person: PersonContext? = nil
    ) async throws -> [CalendarDate: DaySummary] {
        try await summaries(of: account, types: type.bit, days: days, person)[type] ?? [:]
    }

    /// The summaries of some data types on local days. Those of days of which something is in no block yet are computed from
    /// their samples. `person`, where it is known, need not be looked up. Errors: `TooMuch` beside the database's and the
    /// keys'.
    func summaries(
        of account: UUID, types: Int64, days: ClosedRange<CalendarDate>, _ person: PersonContext? = nil
    ) async throws -> [DataType: [CalendarDate: DaySummary]] {
        // Where something is deleted between two statements, both are read anew: once more than people can have asked for.
        for _ in 0...DeletionStore.unfinishedMax {
            let statement = Self.summaryStatement(of: account, types: types, days: days)
            guard let all = try await find(statement, of: account, person) else { return [:] }
            let (summaries, late) = try await threads.computing { try Self.opened(all, types, days) }
            if let found = try await adding(late, to: summaries, all, person) { return found }
            try Task.checkCancellation()
        }
        throw IOError.limit("deletions while samples are read: \(DeletionStore.unfinishedMax)")
    }

    /// `nil` when something was deleted since the others were read.
    private func adding(
        _ late: Set<BlockKey>, to summaries: [DataType: [CalendarDate: DaySummary]], _ all: Found,
        _ person: PersonContext?
    ) async throws -> [DataType: [CalendarDate: DaySummary]]? {
        var found = summaries
        // What arrived since may repeat what is in the block.
        for part in Self.parts(of: late.map(\.day)) {
            let here = late.filter { part.contains($0.day) }
            let types = DataType.mask(here.map(\.type))
            let account = all.work.account
            let statement = Self.statement(of: account, types: types, days: part)
            guard let again = try await find(statement, of: account, person), again.deletions == all.deletions else {
                return nil
            }
            let blocks = try await merged(again, types: types, days: part)
            let computed = try await threads.computing {
                blocks.filter { here.contains(BlockKey(type: $0.type, day: $0.day)) }.map { DaySummary($0) }
            }
            for summary in computed { found[summary.type, default: [:]][summary.day] = summary }
        }
        return found
    }

    /// The summaries, and the types and days that arrivals change.
    private static func opened(
        _ all: Found, _ types: Int64, _ days: ClosedRange<CalendarDate>
    ) throws -> (found: [DataType: [CalendarDate: DaySummary]], late: Set<BlockKey>) {
        var found: [DataType: [CalendarDate: DaySummary]] = [:]
        var (arrivals, closed) = ([StoredArrival](), Set<BlockKey>())
        for row in all.rows {
            switch row {
            case .block(let key, let sealed, let hasSamples):
                found[key.type, default: [:]][key.day] = try all.work.openSummary(key, sealed)
                // Nothing is added to a day whose samples had to go.
                if !hasSamples { closed.insert(key) }
            case .arrival(let arrival): arrivals.append(arrival)
            }
        }
        let late = try all.work.split(arrivals, types: types).map { BlockKey(type: $0.type, day: $0.day) }
        return (found, Set(late.filter { days.contains($0.day) }).subtracting(closed))
    }

    /// Days in few spans without large gaps.
    private static func parts(of days: [CalendarDate]) -> [ClosedRange<CalendarDate>] {
        var parts: [ClosedRange<CalendarDate>] = []
        for day in days.sorted() {
            if let last = parts.last, day <= last.upperBound.adding(days: 3) {
                parts[parts.count - 1] = last.lowerBound...day
            } else {
                parts.append(day...day)
            }
        }
        return parts
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

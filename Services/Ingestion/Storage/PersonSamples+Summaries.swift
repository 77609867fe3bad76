import Domain
import Postgres
import Primitives

extension PersonSamples {
    private enum SummaryRow {
        case summary(BlockKey, [UInt8], hasSamples: Bool)
        case arrival(StoredArrival)
    }

    /// The summaries of one data type on local days.
    func summaries(
        of account: UUID, _ type: DataType, days: ClosedRange<CalendarDate>
    ) async throws -> [CalendarDate: DaySummary] {
        try await summaries(of: account, types: type.bit, days: days)[type] ?? [:]
    }

    /// The summaries of some data types on local days. Those of days of which something is in no block yet are computed from
    /// their samples. Errors: `TooMuch` beside the database's and the keys'.
    func summaries(
        of account: UUID, types: Int64, days: ClosedRange<CalendarDate>
    ) async throws -> [DataType: [CalendarDate: DaySummary]] {
        let answers = try await database.runBatch([
            Self.details(of: account), Self.summaryStatement(of: account, types: types, days: days),
        ])
        let rows = try answers[1].rows.map { row throws(PostgresError) in
            try row["is_block"]
                ? SummaryRow.summary(try BlockStore.key(row), try row["sealed"], hasSamples: try row["has_samples"])
                : .arrival(try StoredArrival(row: row))
        }
        guard !rows.isEmpty, let work = try await work(of: account, details: answers[0]) else { return [:] }
        var (found, late) = try await threads.computing { try Self.opened(rows, work, types, days) }
        // What arrived since may repeat what is in the block.
        for part in Self.parts(of: late.map(\.day)) {
            let here = late.filter { part.contains($0.day) }
            let blocks = try await blocks(of: account, types: DataType.mask(here.map(\.type)), days: part)
            let computed = try await threads.computing {
                blocks.filter { here.contains(BlockKey(type: $0.type, day: $0.day)) }.map { DaySummary($0) }
            }
            for summary in computed { found[summary.type, default: [:]][summary.day] = summary }
        }
        return found
    }

    /// The summaries, and the types and days that arrivals change.
    private static func opened(
        _ rows: [SummaryRow], _ work: SealWork, _ types: Int64, _ days: ClosedRange<CalendarDate>
    ) throws -> (found: [DataType: [CalendarDate: DaySummary]], late: Set<BlockKey>) {
        var found: [DataType: [CalendarDate: DaySummary]] = [:]
        var (arrivals, closed) = ([StoredArrival](), Set<BlockKey>())
        for row in rows {
            switch row {
            case .summary(let key, let sealed, let hasSamples):
                found[key.type, default: [:]][key.day] = try work.openSummary(key, sealed)
                // Nothing is added to a day whose samples had to go.
                if !hasSamples { closed.insert(key) }
            case .arrival(let arrival): arrivals.append(arrival)
            }
        }
        let late = try work.split(arrivals, types: types).map { BlockKey(type: $0.type, day: $0.day) }
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
            with p as materialized (select number, sealed_through from person where account_id = \(account))
            select true as is_block, b.type, b.day, 0 as arrival, 0::smallint as source, b.summary as sealed, b.has_samples
            from p, unnest(\(numbers)) as t (type) cross join lateral (
              select type, day, summary, samples is not null as has_samples from block
              where person = p.number and type = t.type and day between \(days.lowerBound) and \(days.upperBound)
              offset 0) b
            union all
            \(sql: unsealed)
            """
    }
}

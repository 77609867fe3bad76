import Domain
import Postgres
import Primitives

extension PersonSamples {
    private enum SummaryRow {
        case summary(BlockKey, [UInt8], hasSamples: Bool)
        case arrival(StoredArrival)
    }

    /// The summaries of one data type on local days. Those of days of which something is in no block yet are computed from
    /// their samples. Errors: `TooMuch` beside the database's and the keys'.
    func summaries(
        of account: UUID, _ type: DataType, days: ClosedRange<CalendarDate>
    ) async throws -> [CalendarDate: DaySummary] {
        let answers = try await database.runBatch([
            "select details from person where account_id = \(account)", Self.summaries(of: account, type, days),
        ])
        let rows = try answers[1].rows.map { row throws(PostgresError) in
            try row["is_block"]
                ? SummaryRow.summary(try BlockStore.key(row), try row["sealed"], hasSamples: try row["has_samples"])
                : .arrival(try StoredArrival(row: row))
        }
        guard !rows.isEmpty, let key = try await keys.existingKeys(of: [account])[account] else { return [:] }
        let work = SealWork(
            account: account, key: key, details: try answers[0].decodeOne(as: [UInt8]?.self) ?? nil)
        var (found, late) = try await threads.computing { try Self.opened(rows, work, type, days) }
        // What arrived since may repeat what is in the block.
        for part in Self.parts(of: late) {
            let blocks = try await blocks(of: account, types: type.bit, days: part)
            let computed = try await threads.computing { blocks.map { ($0.day, DaySummary($0)) } }
            found.merge(computed) { $1 }
        }
        return found
    }

    /// The summaries, and the days that arrivals change.
    private static func opened(
        _ rows: [SummaryRow], _ work: SealWork, _ type: DataType, _ days: ClosedRange<CalendarDate>
    ) throws -> (found: [CalendarDate: DaySummary], late: [CalendarDate]) {
        var found: [CalendarDate: DaySummary] = [:]
        var (arrivals, closed) = ([StoredArrival](), Set<CalendarDate>())
        for row in rows {
            switch row {
            case .summary(let key, let sealed, let hasSamples):
                found[key.day] = try work.openSummary(key, sealed)
                // Nothing is added to a day whose samples had to go.
                if !hasSamples { closed.insert(key.day) }
            case .arrival(let arrival): arrivals.append(arrival)
            }
        }
        let late = try work.split(arrivals, types: type.bit).map(\.day).filter {
            days.contains($0) && !closed.contains($0)
        }
        return (found, late)
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

    private static func summaries(
        of account: UUID, _ type: DataType, _ days: ClosedRange<CalendarDate>
    ) -> SQL {
        """
        with p as materialized (select number, sealed_through from person where account_id = \(account))
        select true as is_block, b.type, b.day, 0 as arrival, 0::smallint as source, b.summary as sealed, b.has_samples
        from p cross join lateral (
          select type, day, summary, samples is not null as has_samples from block
          where person = p.number and type = \(Int16(type.rawValue)) and day between \(days.lowerBound) and \(days.upperBound)
          offset 0) b
        union all
        select false, null, null, a.arrival, a.source, a.sealed, null
        from p cross join lateral (
          select arrival, source, sealed from arrival where person = p.number and arrival > p.sealed_through offset 0) a
        """
    }
}

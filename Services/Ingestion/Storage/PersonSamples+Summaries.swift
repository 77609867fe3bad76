import Domain
import Postgres
import Primitives
import Reactor

extension PersonSamples {
    /// Blocks that are opened together.
    private static let lateMax = 200

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
            let opened = try await threads.computing { try Self.opened(all, types, days) }
            if let found = try await adding(opened.late, to: opened.found, all) { return found }
            try Task.checkCancellation()
        }
        throw IOError.limit("deletions while samples are read: \(DeletionStore.unfinishedMax)")
    }

    /// What arrived since may repeat what is in the blocks of these days, which are opened. `nil` when something was deleted since
    /// the others were read.
    private func adding(
        _ late: [BlockKey: BlockSamples], to summaries: [DataType: [CalendarDate: DaySummary]], _ all: Found
    ) async throws -> [DataType: [CalendarDate: DaySummary]]? {
        var found = summaries
        let places = late.keys.sorted { ($0.day, $0.type.rawValue) < ($1.day, $1.type.rawValue) }
        for start in stride(from: 0, to: places.count, by: Self.lateMax) {
            let page = places[start..<min(start + Self.lateMax, places.count)]
            let statement = Self.blockStatement(page, of: all.work.account)
            let rows = try await database.query(statement, as: LateBlock.self)
            guard rows.first?.deletions == all.deletions else { return nil }
            let computed = try await threads.computing {
                let blocks = Dictionary(
                    uniqueKeysWithValues: rows.compactMap { row in row.block.map { ($0, row.sealed) } })
                return try page.compactMap { key in
                    // One that is not there any more: its samples had to go since.
                    try blocks[key].map { DaySummary(try all.work.open(key, $0, with: late[key])) }
                }
            }
            for summary in computed { found[summary.type, default: [:]][summary.day] = summary }
        }
        return found
    }

    /// A block that arrivals add to; none in the only row where none is there.
    private struct LateBlock: PostgresRowDecodable {
        let block: BlockKey?
        let sealed: [UInt8]
        let deletions: Int32

        init(row: PostgresRow) throws(PostgresError) {
            deletions = try row["deletions"]
            let found: [UInt8]? = try row["sealed"]
            block = found == nil ? nil : try BlockStore.key(row)
            sealed = found ?? []
        }
    }

    /// The summaries, and what arrivals add to blocks whose samples did not have to go.
    private static func opened(
        _ all: Found, _ types: Int64, _ days: ClosedRange<CalendarDate>
    ) throws -> (found: [DataType: [CalendarDate: DaySummary]], late: [BlockKey: BlockSamples]) {
        var found: [DataType: [CalendarDate: DaySummary]] = [:]
        var closed = Set<BlockKey>()
        for case .block(let key, let sealed?, let hasSamples) in all.rows {
            found[key.type, default: [:]][key.day] = try all.work.openSummary(key, sealed)
            // Nothing is added to a day whose samples had to go.
            if !hasSamples { closed.insert(key) }
        }
        var late = try late(all, types: types).filter { days.contains($0.key.day) && !closed.contains($0.key) }
        for (key, samples) in late where found[key.type]?[key.day] == nil {
            found[key.type, default: [:]][key.day] = DaySummary(samples)
            late[key] = nil
        }
        return (found, late)
    }

    /// The samples of some blocks, with how many spans the person has deleted; one row without a block where there is none.
    private static func blockStatement(_ keys: ArraySlice<BlockKey>, of account: UUID) -> SQL {
        """
        select b.type, b.day, b.samples as sealed, p.deletions
        from (select number, deletions from person where account_id = \(account) offset 0) p left join lateral (
          select r.type, r.day, r.samples from unnest(\(keys.map { Int16($0.type.rawValue) }), \(keys.map(\.day))) as k (type, day)
          cross join lateral (
            select type, day, samples from block
            where person = p.number and type = k.type and day = k.day and samples is not null limit 1) r) b on true
        """
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

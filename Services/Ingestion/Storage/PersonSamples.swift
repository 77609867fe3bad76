import Domain
import Postgres
import Primitives
import Reactor
import Security

/// Reads one person's samples, wherever they are: blocks, and what arrived since, of one moment (one statement, one
/// snapshot). What takes computing is done on worker threads.
struct PersonSamples: Sendable {
    /// Bytes of blocks in one answer; a longer span has to be asked for in parts.
    static let bytesMax = 64 << 20

    /// The span holds more than fits into memory.
    struct TooMuch: Error {}

    let database: Database
    let keys: SubjectKeys
    let threads: BlockingPool

    private enum Row {
        case block(BlockKey, [UInt8])
        case arrival(StoredArrival)
    }

    /// The samples of some data types on local days, by type and day, in the order of days. A day's block has the samples
    /// of all sources, in order, without exact repeats. Errors: `TooMuch` beside the database's and the keys'.
    func blocks(
        of account: UUID, types: Int64, days: ClosedRange<CalendarDate>
    ) async throws -> [BlockSamples] {
        try await read(account, types: types, Self.statement(of: account, types: types, days: days)) { work, rows in
            try Self.merged(rows, work, types: types, days: days)
        }
    }

    /// The same for samples that begin in a span of time; of sleep, too, which lies on the day it ends.
    func blocks(of account: UUID, _ type: DataType, from: Timestamp, to: Timestamp) async throws -> [BlockSamples] {
        try await blocks(of: account, types: type.bit, days: Self.days(from: from, to: to))
    }

    /// Of each data type the day with the newest sample, and the one before where it may hold a newer one. Of what is in no
    /// block yet they hold what came together with the newest samples only.
    func newest(of account: UUID) async throws -> [BlockSamples] {
        try await read(account, types: .max, Self.newestStatement(of: account)) { work, rows in
            try Self.newest(rows, work)
        }
    }

    /// The local days, in any zone, of what begins in a span.
    static func days(from: Timestamp, to: Timestamp) -> ClosedRange<CalendarDate> {
        let first = from.dateUTC.adding(days: -1)
        return first...max(first, to.dateUTC.adding(days: 3))
    }

    private func read(
        _ account: UUID, types: Int64, _ statement: SQL,
        _ compute: @escaping @Sendable (SealWork, [Row]) throws -> [BlockSamples]
    ) async throws -> [BlockSamples] {
        let answers = try await database.runBatch([Self.details(of: account), statement])
        let rows = try answers[1].rows.map { row throws(PostgresError) in
            try row["is_block"]
                ? Row.block(try BlockStore.key(row), try row["sealed"]) : .arrival(try StoredArrival(row: row))
        }
        guard !rows.isEmpty, let work = try await work(of: account, details: answers[0]) else { return [] }
        let bytes = rows.reduce(0) { bytes, row in
            switch row {
            case .block(_, let sealed): bytes + sealed.count
            case .arrival(let arrival): bytes + arrival.sealed.count
            }
        }
        guard bytes <= Self.bytesMax else { throw TooMuch() }
        return try await threads.computing { try compute(work, rows) }
    }

    static func details(of account: UUID) -> SQL { "select details from person where account_id = \(account)" }

    /// What opens a person's samples, with the answer to `details`; `nil` for a person without a key.
    func work(of account: UUID, details: ResultSet) async throws -> SealWork? {
        guard let key = try await keys.existingKeys(of: [account])[account] else { return nil }
        return SealWork(account: account, key: key, details: try details.decodeOne(as: [UInt8]?.self) ?? nil)
    }

    private static func merged(
        _ rows: [Row], _ work: SealWork, types: Int64, days: ClosedRange<CalendarDate>
    ) throws -> [BlockSamples] {
        var found: [BlockKey: BlockSamples] = [:]
        var arrivals: [StoredArrival] = []
        for row in rows {
            switch row {
            case .block(let key, let sealed): found[key] = try work.open(key, sealed)
            case .arrival(let arrival): arrivals.append(arrival)
            }
        }
        for samples in try work.split(arrivals, types: types) where days.contains(samples.day) {
            _ = found[
                BlockKey(type: samples.type, day: samples.day),
                default: BlockSamples(type: samples.type, day: samples.day)
            ].merge(samples)
        }
        return ordered(found)
    }

    private static func ordered(_ blocks: [BlockKey: BlockSamples]) -> [BlockSamples] {
        blocks.values.sorted { ($0.day, $0.type.rawValue) < ($1.day, $1.type.rawValue) }
    }

    private static func newest(_ rows: [Row], _ work: SealWork) throws -> [BlockSamples] {
        var arrivals: [StoredArrival] = []
        var blocks: [(BlockKey, [UInt8])] = []
        for row in rows {
            switch row {
            case .block(let key, let sealed): blocks.append((key, sealed))
            case .arrival(let arrival): arrivals.append(arrival)
            }
        }
        var found: [BlockKey: BlockSamples] = [:]
        var newest: [DataType: Int64] = [:]
        for samples in try work.split(try work.withNewest(arrivals)) {
            found[BlockKey(type: samples.type, day: samples.day)] = samples
            newest[samples.type] = max(newest[samples.type] ?? .min, samples.lastTime)
        }
        // The newer of the two first: mostly it need not be opened, and then the other one neither.
        for (key, sealed) in blocks.sorted(by: { $0.0.day > $1.0.day }) {
            // The day ends at this time where it ends last.
            let end = key.day.adding(days: 1).startUTC.milliseconds + Int64(ZoneOffset.minutesMax) * 60_000
            if let last = newest[key.type], last >= end { continue }
            guard var samples = try work.open(key, sealed, ifLaterThan: newest[key.type] ?? .min) else { continue }
            newest[key.type] = samples.lastTime
            if let late = found[key] { _ = samples.merge(late) }
            found[key] = samples
        }
        return ordered(found)
    }

    /// Blocks (`is_block`, with `type`, `day` and `sealed`), and the arrivals that are in none.
    private static func statement(of account: UUID, types: Int64, days: ClosedRange<CalendarDate>) -> SQL {
        let numbers = DataType.types(in: types).map { Int16($0.rawValue) }
        return """
            with p as materialized (select number, sealed_through from person where account_id = \(account))
            select true as is_block, b.type, b.day, 0 as arrival, 0::smallint as source, b.samples as sealed,
              true as has_samples
            from p, unnest(\(numbers)) as t (type) cross join lateral (
              select type, day, samples from block where person = p.number and type = t.type
                and day between \(days.lowerBound) and \(days.upperBound) and samples is not null offset 0) b
            union all
            \(sql: unsealed)
            """
    }

    private static func newestStatement(of account: UUID) -> SQL {
        let numbers = DataType.allCases.map { Int16($0.rawValue) }
        return """
            with p as materialized (select number, sealed_through from person where account_id = \(account))
            select true as is_block, b.type, b.day, 0 as arrival, 0::smallint as source, b.samples as sealed,
              true as has_samples
            from p, unnest(\(numbers)) as t (type) cross join lateral (
              select type, day, samples from block where person = p.number and type = t.type and samples is not null
              order by day desc limit 2) b
            union all
            \(sql: unsealed)
            """
    }

    /// The arrivals of `p` that are in no block, with the columns of blocks.
    static let unsealed: SQL = """
        select false, null, null, a.arrival, a.source, a.sealed, null
        from p cross join lateral (
          select arrival, source, sealed from arrival where person = p.number and arrival > p.sealed_through offset 0) a
        """
}

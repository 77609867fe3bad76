import Domain
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Reads one person's samples, wherever they are: blocks, and what arrived since, of one moment (one statement, one
/// snapshot). What takes computing is done on worker threads.
struct PersonSamples: Sendable {
    /// Bytes of blocks in one answer; a longer span has to be asked for in parts.
    static let bytesMax = 64 << 20
    /// Samples in memory for one answer, and of arrivals that are in no block: about 24 bytes each.
    static let samplesMax = 2_000_000

    /// The span holds more than fits into memory.
    struct TooMuch: Error {}

    let database: Database
    let keys: SubjectKeys
    let threads: BlockingPool

    enum Row: Sendable {
        /// Its samples or its summary; `nil` for samples that had to go (ING-10).
        case block(BlockKey, [UInt8]?, hasSamples: Bool)
        case arrival(StoredArrival)
    }

    /// What one statement has found.
    struct Found: Sendable {
        let rows: [Row]
        let work: SealWork
        /// How many spans the person has deleted: two statements with another number do not belong together.
        let deletions: Int32
    }

    /// Goes through the samples of one data type that begin in a span of time, and the others of its blocks: one UTC day after
    /// the other, each with the samples of all sources, in order, without exact repeats. Of days whose samples had to go there
    /// are none; `add` hears of them (`nil`). One day is in memory at a time, beside what is in no block yet. All of it, and `finish`,
    /// is one piece of work for the worker threads. `person`, where it is known, need not be looked up. Errors: `TooMuch` beside
    /// those of the database, of the keys, of `add` and of `finish`.
    func reduce<State: Sendable, Result: Sendable>(
        of account: UUID, _ type: DataType, from: Timestamp, to: Timestamp, _ person: PersonContext? = nil,
        into initial: State, _ add: @escaping @Sendable (inout State, CalendarDate, BlockSamples?) throws -> Void,
        then finish: @escaping @Sendable (State) throws -> Result
    ) async throws -> Result {
        let days = Self.days(of: type.bit, from: from, to: to)
        let statement = Self.statement(of: account, type, days: days)
        guard let found = try await find(statement, of: account, person) else { return try finish(initial) }
        try Self.checkSize(found)
        return try await threads.computing {
            var state = initial
            var blocks: [CalendarDate: [UInt8]?] = [:]
            for case .block(let key, let sealed, _) in found.rows { blocks.updateValue(sealed, forKey: key.day) }
            let late = try Self.late(found, types: type.bit)
            for day in Set(blocks.keys).union(late.keys.map(\.day)).sorted() where days.contains(day) {
                let key = BlockKey(type: type, day: day)
                var samples = late[key]
                if let stored = blocks[day] {
                    // Nothing is added to a day whose samples had to go.
                    samples = try stored.map { try found.work.open(key, $0, with: late[key]) }
                }
                try add(&state, day, samples)
            }
            return try finish(state)
        }
    }

    /// The samples that are in no block.
    static func late(_ found: Found, types: Int64) throws -> [BlockKey: BlockSamples] {
        var arrivals: [StoredArrival] = []
        for case .arrival(let arrival) in found.rows { arrivals.append(arrival) }
        return try late(arrivals, found.work, types: types)
    }

    /// The samples of some arrivals.
    static func late(
        _ arrivals: [StoredArrival], _ work: SealWork, types: Int64
    ) throws -> [BlockKey: BlockSamples] {
        let split = try work.split(arrivals, types: types, samplesMax: samplesMax)
        guard split.arrivals == arrivals.count else { throw TooMuch() }
        return Dictionary(uniqueKeysWithValues: split.samples.map { (BlockKey(type: $0.type, day: $0.day), $0) })
    }

    /// Of each data type the day with the newest sample, and the one before where it may hold a newer one. Of what is in no
    /// block yet they hold what came together with the newest samples only.
    func newest(of account: UUID) async throws -> [BlockSamples] {
        guard let found = try await find(Self.newestStatement(of: account), of: account, nil) else { return [] }
        try Self.checkSize(found)
        return try await threads.computing { try Self.newest(found) }
    }

    /// The days of the blocks of what begins in a span, for some types (a mask): sleep lies on the day on which it ends.
    static func days(of types: Int64, from: Timestamp, to: Timestamp) -> ClosedRange<CalendarDate> {
        let first = from.dateUTC
        let last = (to - .milliseconds(1)).dateUTC.adding(days: types & DataType.sleep.bit == 0 ? 0 : 2)
        return first...max(first, last)
    }

    /// `nil` when nothing is there, or the person has no key.
    func find(_ statement: SQL, of account: UUID, _ person: PersonContext?) async throws -> Found? {
        let answers = try await database.runBatch(person == nil ? [Self.details(of: account), statement] : [statement])
        guard let result = answers.last, let first = result.rows.first else { return nil }
        let rows = try result.rows.map { row throws(PostgresError) in
            try row["is_block"]
                ? Row.block(try BlockStore.key(row), try row["sealed"], hasSamples: try row["has_samples"])
                : .arrival(try StoredArrival(row: row))
        }
        guard let key = try await keys.existingKeys(of: [account])[account] else { return nil }
        let details = person == nil ? try answers[0].decodeOne(as: [UInt8]?.self) ?? nil : nil
        return Found(
            rows: rows, work: SealWork(account: account, key: key, details: details, zone: person?.zone),
            deletions: try first["deletions"])
    }

    static func details(of account: UUID) -> SQL { "select details from person where account_id = \(account)" }

    /// Of the samples that one answer has in memory.
    static func checkCount(_ samples: Int) throws(TooMuch) {
        guard samples <= samplesMax else { throw TooMuch() }
    }

    private static func checkSize(_ found: Found) throws(TooMuch) {
        let bytes = found.rows.reduce(0) { bytes, row in
            switch row {
            case .block(_, let sealed, _): bytes + (sealed?.count ?? 0)
            case .arrival(let arrival): bytes + arrival.sealed.count
            }
        }
        guard bytes <= bytesMax else { throw TooMuch() }
    }

    private static func ordered(_ blocks: [BlockKey: BlockSamples]) -> [BlockSamples] {
        blocks.values.sorted { ($0.day, $0.type.rawValue) < ($1.day, $1.type.rawValue) }
    }

    private static func newest(_ all: Found) throws -> [BlockSamples] {
        let work = all.work
        var arrivals: [StoredArrival] = []
        var blocks: [(BlockKey, [UInt8])] = []
        for row in all.rows {
            switch row {
            case .block(let key, let sealed?, _): blocks.append((key, sealed))
            case .block: break
            case .arrival(let arrival): arrivals.append(arrival)
            }
        }
        var found: [BlockKey: BlockSamples] = [:]
        var newest: [DataType: Int64] = [:]
        for samples in try work.split(try work.withNewest(arrivals), samplesMax: samplesMax).samples {
            found[BlockKey(type: samples.type, day: samples.day)] = samples
            newest[samples.type] = max(newest[samples.type] ?? .min, samples.lastTime)
        }
        // The newer of the two first: mostly it need not be opened, and then the other one neither.
        for (key, sealed) in blocks.sorted(by: { $0.0.day > $1.0.day }) {
            if let last = newest[key.type], last >= key.day.adding(days: 1).startUTC.milliseconds { continue }
            guard var samples = try work.open(key, sealed, ifLaterThan: newest[key.type] ?? .min) else { continue }
            newest[key.type] = samples.lastTime
            if let late = found[key] { _ = samples.merge(late) }
            found[key] = samples
        }
        return ordered(found)
    }

    /// Blocks (`is_block`, with `type`, `day` and `sealed`), and the arrivals that are in none.
    static func statement(of account: UUID, _ type: DataType, days: ClosedRange<CalendarDate>) -> SQL {
        """
        with p as materialized (select number, sealed_through, deletions from person where account_id = \(account))
        select true as is_block, b.type, b.day, 0 as arrival, 0::smallint as source, b.samples as sealed,
          b.samples is not null as has_samples, p.deletions
        from p cross join lateral (
          select type, day, samples from block where person = p.number and type = \(Int16(type.rawValue))
            and day between \(days.lowerBound) and \(days.upperBound) offset 0) b
        union all
        \(sql: unsealed)
        """
    }

    private static func newestStatement(of account: UUID) -> SQL {
        let numbers = DataType.allCases.map { Int16($0.rawValue) }
        return """
            with p as materialized (select number, sealed_through, deletions from person where account_id = \(account))
            select true as is_block, b.type, b.day, 0 as arrival, 0::smallint as source, b.samples as sealed,
              true as has_samples, p.deletions
            from p, unnest(\(numbers)) as t (type) cross join lateral (
              select type, day, samples from block where person = p.number and type = t.type and samples is not null
              order by day desc limit 2) b
            union all
            \(sql: unsealed)
            """
    }

    /// The arrivals of `p` that are in no block, with the columns of blocks.
    static let unsealed: SQL = """
        select false, null, null, a.arrival, a.source, a.sealed, null, p.deletions
        from p cross join lateral (
          select arrival, source, sealed from arrival where person = p.number and arrival > p.sealed_through offset 0) a
        """
}

import Domain
import Postgres
import Primitives
import Reactor
import Security

/// What is in blocks already of the samples of a file. An app's newer export holds its whole past again; those who follow the
/// person would get that once more (SUB-02).
struct EarlierExports: Sendable {
    /// A source of which there was something before the file.
    struct Source: Sendable, PostgresRowDecodable {
        let person: Int32
        let number: Int16
        /// Sealed; of table `person`.
        let details: [UInt8]?

        init(row: PostgresRow) throws(PostgresError) {
            person = try row["person"]
            number = try row["number"]
            details = try row["details"]
        }
    }

    let database: Database
    /// Makes the identities of sources of their names.
    let sourceNames: BlindIndex
    /// Where computing is done.
    let pool: BlockingPool

    /// The source that a file calls `name`; `nil` when the person's samples never came from there.
    func source(named name: String, of account: UUID) async throws -> Source? {
        let identity = NewArrival.identity(ofImport: name, of: account, sourceNames)
        return try await database.queryOne(
            """
            select p.number as person, s.number, p.details
            from (select number, details from person where account_id = \(account) limit 1) p
            join lateral (
              select number from source where person = p.number and identity = \(identity) limit 1) s on true
            """, as: Source.self)
    }

    /// Days of one data type, of a part, that are looked at together; their blocks are opened one by one.
    static let daysMax = 50

    /// What a file brings beside what is there.
    struct Fresh: Sendable {
        /// The samples that are not in blocks.
        var batch = SampleBatch()
        /// Those that cannot be kept, new or not: of days whose samples had to go for the quota, in hours of which the source has
        /// brought something before (`DaySummary.news`).
        var beyondQuota = 0
    }

    /// Of some days of a part, which are of that source and of arrival `Int64.max`.
    func fresh(_ days: [BlockSamples], from source: Source, _ work: SealWork) async throws -> Fresh {
        let places = days.map { BlockKey(type: $0.type, day: $0.day) }
        let stored = try await database.query(BlockStore.blocks(places, of: source.person), as: BlockStore.Row.self)
        return try await pool.computing { try work.fresh(days, besides: stored) }
    }
}

extension SealWork {
    fileprivate func fresh(
        _ days: [BlockSamples], besides stored: [BlockStore.Row]
    ) throws -> EarlierExports.Fresh {
        let known = Dictionary(uniqueKeysWithValues: stored.map { ($0.key, $0) })
        var fresh = EarlierExports.Fresh()
        for samples in days {
            guard let source = samples.sources.first else { continue }
            let key = BlockKey(type: samples.type, day: samples.day)
            var both = SourceSamples(source: source.source, type: samples.type)
            if let row = known[key] {
                guard let bytes = row.samples else {
                    let new = try row.summary.map { try openSummary(key, $0).news(in: samples) }
                    if let batch = new?.sources.first?.batch { fresh.batch.append(batch) }
                    fresh.beyondQuota += samples.count - (new?.count ?? 0)
                    continue
                }
                both = try open(key, bytes).sources.first { $0.source == source.source } ?? both
            }
            both.append(0..<source.count, of: source)
            both.normalize()
            fresh.batch.append(both.filtered { both.arrivals[$0] == .max }.batch)
        }
        fresh.batch.normalize()
        return fresh
    }
}

extension SampleBatch {
    /// Some samples of `all`, which were sorted into days, without the zones that this gave them.
    func withZones(of all: SampleBatch) -> SampleBatch {
        var result = SampleBatch()
        for column in values {
            let isTold = all.values.first { $0.type == column.type }?.zones.runs.isEmpty == false
            var own = column.emptied
            own.append(0..<column.count, of: column, zone: isTold ? nil : ZoneColumn.unknown)
            result.append(own)
        }
        let isTold = !all.positions.zones.runs.isEmpty
        result.positions.append(0..<positions.count, of: positions, zone: isTold ? nil : ZoneColumn.unknown)
        return result
    }
}

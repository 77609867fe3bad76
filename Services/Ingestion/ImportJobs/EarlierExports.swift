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

    /// Of some days of a part, which are of that source and of arrival `Int64.max`, the samples that are not in blocks. Of days
    /// whose samples had to go for the quota there are none: they would have to go again.
    func fresh(_ days: [BlockSamples], from source: Source, _ work: SealWork) async throws -> SampleBatch {
        let places = days.map { BlockKey(type: $0.type, day: $0.day) }
        let stored = try await database.query(BlockStore.blocks(places, of: source.person), as: BlockStore.Row.self)
        return try await pool.computing { try work.fresh(days, besides: stored) }
    }
}

extension SealWork {
    fileprivate func fresh(_ days: [BlockSamples], besides stored: [BlockStore.Row]) throws -> SampleBatch {
        let known = Dictionary(uniqueKeysWithValues: stored.map { ($0.key, $0) })
        var fresh = SampleBatch()
        for samples in days {
            guard let source = samples.sources.first else { continue }
            let key = BlockKey(type: samples.type, day: samples.day)
            var both = SourceSamples(source: source.source, type: samples.type)
            if let row = known[key] {
                guard let bytes = row.samples else { continue }
                both = try open(key, bytes).sources.first { $0.source == source.source } ?? both
            }
            both.append(0..<source.count, of: source)
            both.normalize()
            fresh.append(both.filtered { both.arrivals[$0] == .max }.batch)
        }
        fresh.normalize()
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

import Domain
import Postgres
import Primitives
import Reactor
import Service

extension PersonSamples {
    /// Blocks that are opened together.
    private static let pageMax = 200

    /// The samples of the days and data types of some arrivals as they are once these arrivals are sealed, and all before them of
    /// the same sources: of exact repeats of a source only the one that came first. Without those of days whose samples had to go
    /// (ING-10). Errors: `TooMuch` beside the database's, the keys' and those of `transform`, which is called on a worker thread.
    func merged<Part: Sendable>(
        _ arrivals: [StoredArrival], of account: UUID, types: Int64,
        _ transform: @escaping @Sendable (BlockSamples) throws -> Part
    ) async throws -> [Part] {
        let numbers = Set(arrivals.map(\.arrival))
        // Where something is deleted between two statements, both are read anew: once more than people can have asked for.
        for _ in 0...DeletionStore.unfinishedMax {
            let answers = try await database.runBatch([Self.details(of: account), Self.before(arrivals, of: account)])
            let before = try answers[1].rows.map { row throws(PostgresError) in try Before(row: row) }
            guard let deletions = before.first?.deletions,
                let key = try await keys.existingKeys(of: [account])[account]
            else { return [] }
            let details = try answers[0].decodeOne(as: [UInt8]?.self) ?? nil
            let work = SealWork(account: account, key: key, details: details)
            let late = try await threads.computing {
                let all = before.compactMap(\.arrival).filter { !numbers.contains($0.arrival) } + arrivals
                return try Self.late(all, work, types: types).filter { _, samples in
                    samples.sources.contains { $0.arrivals.contains { numbers.contains($0) } }
                }
            }
            if let parts = try await merging(late, work, deletions, transform) { return parts }
            try Task.checkCancellation()
        }
        throw IOError.limit("deletions while samples are read: \(DeletionStore.unfinishedMax)")
    }

    /// What is made of the samples of some days and data types, together with those in their blocks. `nil` when spans of the
    /// person were deleted since there were so many deletions.
    func merging<Part: Sendable>(
        _ late: [BlockKey: BlockSamples], _ work: SealWork, _ deletions: Int32,
        _ transform: @escaping @Sendable (BlockSamples) throws -> Part
    ) async throws -> [Part]? {
        var parts: [Part] = []
        let places = late.keys.sorted { ($0.day, $0.type.rawValue) < ($1.day, $1.type.rawValue) }
        for start in stride(from: 0, to: places.count, by: Self.pageMax) {
            let page = places[start..<min(start + Self.pageMax, places.count)]
            let rows = try await database.query(Self.blocks(page, of: work.account), as: Stored.self)
            guard rows.first?.deletions == deletions else { return nil }
            parts += try await threads.computing {
                var blocks: [BlockKey: [UInt8]?] = [:]
                for case (let key?, let sealed) in rows.map({ ($0.key, $0.sealed) }) {
                    blocks.updateValue(sealed, forKey: key)
                }
                return try page.compactMap { key in
                    guard let block = blocks[key] else { return try late[key].map(transform) }
                    // Nothing is added to a day whose samples had to go.
                    return try block.map { try transform(try work.open(key, $0, with: late[key])) }
                }
            }
        }
        return parts
    }

    /// An arrival that is in no block; none in the only row where none is there.
    private struct Before: PostgresRowDecodable {
        let deletions: Int32
        let arrival: StoredArrival?

        init(row: PostgresRow) throws(PostgresError) {
            deletions = try row["deletions"]
            let number: Int64? = try row["arrival"]
            arrival = number == nil ? nil : try StoredArrival(row: row)
        }
    }

    /// The unsealed arrivals of the same sources up to the last of some.
    private static func before(_ arrivals: [StoredArrival], of account: UUID) -> SQL {
        """
        select p.deletions, a.arrival, a.source, a.sealed
        from (select number, sealed_through, deletions from person where account_id = \(account) offset 0) p
        left join lateral (
          select arrival, source, sealed from arrival
          where person = p.number and arrival > p.sealed_through and arrival <= \(arrivals.map(\.arrival).max() ?? 0)
            and source = any(\(Array(Set(arrivals.map(\.source))))) offset 0) a on true
        """
    }

    /// A block, without samples where they had to go; none in the only row where none is there.
    private struct Stored: PostgresRowDecodable {
        let key: BlockKey?
        let sealed: [UInt8]?
        let deletions: Int32

        init(row: PostgresRow) throws(PostgresError) {
            deletions = try row["deletions"]
            let type: Int16? = try row["type"]
            key = type == nil ? nil : try BlockStore.key(row)
            sealed = try row["sealed"]
        }
    }

    /// The samples of some blocks, with how many spans the person has deleted.
    private static func blocks(_ keys: ArraySlice<BlockKey>, of account: UUID) -> SQL {
        """
        select b.type, b.day, b.samples as sealed, p.deletions
        from (select number, deletions from person where account_id = \(account) offset 0) p left join lateral (
          select r.type, r.day, r.samples from unnest(\(keys.map { Int16($0.type.rawValue) }), \(keys.map(\.day))) as k (type, day)
          cross join lateral (
            select type, day, samples from block
            where person = p.number and type = k.type and day = k.day limit 1) r) b on true
        """
    }
}

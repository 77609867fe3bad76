import Domain
import Postgres
import Primitives

/// The statements on `block`.
enum BlockStore {
    /// A person whose arrivals are about to be sealed.
    struct Person: Sendable, PostgresRowDecodable {
        let account: UUID
        let sealedThrough: Int64
        let blockBytes: Int64
        let details: [UInt8]?

        init(row: PostgresRow) throws(PostgresError) {
            account = try row["account_id"]
            sealedThrough = try row["sealed_through"]
            blockBytes = try row["block_bytes"]
            details = try row["details"]
        }
    }

    /// A stored block.
    struct Row: Sendable, PostgresRowDecodable {
        let key: BlockKey
        /// `nil` when the samples had to go.
        let samples: [UInt8]?
        let summaryBytes: Int

        init(row: PostgresRow) throws(PostgresError) {
            key = try BlockStore.key(row)
            samples = try row["samples"]
            summaryBytes = Int(try row.decode("summary_bytes", as: Int32.self))
        }
    }

    /// A block that is about to be stored.
    struct New: Sendable {
        let key: BlockKey
        let lastArrival: Int64
        let summary: [UInt8]
        let samples: [UInt8]
    }

    static func key(_ row: PostgresRow) throws(PostgresError) -> BlockKey {
        let number: Int16 = try row["type"]
        guard let type = UInt8(exactly: number).flatMap(DataType.init(rawValue:)) else {
            throw .usage("a block of the unknown data type \(number)")
        }
        return BlockKey(type: type, day: try row["day"])
    }

    /// Locks a person who is not erased: nobody else changes the person's blocks until the end of the transaction, and
    /// the person is not erased. Those who store arrivals go on meanwhile.
    static func lock(_ person: Int32) -> SQL {
        """
        select account_id, sealed_through, block_bytes, details from person where number = \(person) and erased_at is null
        for no key update
        """
    }

    /// The first of the person's arrivals that are in no block yet, stored before `end`.
    static func unsealed(of person: Int32, before end: Timestamp, rowsMax: Int, bytesMax: Int) -> SQL {
        ArrivalStore.page(
            of: """
                select arrival, source, sealed from arrival
                where person = \(person) and arrival > (select sealed_through from person where number = \(person))
                  and stored_at < \(end)
                order by arrival limit \(rowsMax)
                """,
            columns: "arrival, source, sealed", order: "arrival", bytesMax: bytesMax)
    }

    static func blocks(_ keys: [BlockKey], of person: Int32) -> SQL {
        """
        select b.type, b.day, b.samples, octet_length(b.summary) as summary_bytes
        from unnest(\(keys.map { Int16($0.type.rawValue) }), \(keys.map(\.day))) as k (type, day)
        join lateral (
          select * from block where person = \(person) and type = k.type and day = k.day limit 1) b on true
        """
    }

    static func put(_ blocks: [New], of person: Int32) -> SQL {
        """
        insert into block (person, type, day, last_arrival, summary, samples)
        select \(person), b.* from unnest(\(blocks.map { Int16($0.key.type.rawValue) }), \(blocks.map(\.key.day)),
          \(blocks.map { Int32(clamping: $0.lastArrival) }), \(blocks.map(\.summary)), \(blocks.map(\.samples))) as b
        on conflict (person, type, day) do update set last_arrival = excluded.last_arrival, summary = excluded.summary,
          samples = excluded.samples
        """
    }

    static func advance(_ person: Int32, through arrival: Int64, bytes: Int64) -> SQL {
        """
        update person set sealed_through = \(arrival), block_bytes = block_bytes + \(bytes) where number = \(person)
        """
    }

    /// The person's oldest blocks that have samples, with their sizes.
    static func oldest(of person: Int32, countMax: Int) -> SQL {
        """
        select type, day, octet_length(samples)::bigint as bytes from block
        where person = \(person) and samples is not null order by day, type limit \(countMax)
        """
    }

    static func dropSamples(_ keys: [BlockKey], of person: Int32) -> SQL {
        """
        update block b set samples = null
        from unnest(\(keys.map { Int16($0.type.rawValue) }), \(keys.map(\.day))) as k (type, day)
        where b.person = \(person) and b.type = k.type and b.day = k.day
        """
    }
}

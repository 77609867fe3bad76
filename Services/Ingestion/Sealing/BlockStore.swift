import Domain
import Postgres
import Primitives

/// The statements on `block`.
enum BlockStore {
    /// A person whose arrivals are about to be sealed.
    struct Person: Sendable, PostgresRowDecodable {
        let account: UUID
        let sealedThrough: Int64
        let bytes: BlockBytes
        let details: [UInt8]?

        init(row: PostgresRow) throws(PostgresError) {
            account = try row["account_id"]
            sealedThrough = try row["sealed_through"]
            bytes = BlockBytes(samples: try row["sample_bytes"], summaries: try row["summary_bytes"])
            details = try row["details"]
        }
    }

    /// What sealing needs of a stored block.
    struct Row: Sendable, PostgresRowDecodable {
        let key: BlockKey
        /// `nil` when the samples had to go; then there is …
        let samples: [UInt8]?
        /// … only this.
        let summary: [UInt8]?
        let summaryBytes: Int

        init(row: PostgresRow) throws(PostgresError) {
            key = try BlockStore.key(row)
            samples = try row["samples"]
            summary = try row["summary"]
            summaryBytes = Int(try row.decode("summary_bytes", as: Int32.self))
        }
    }

    /// A block as it is stored, or is about to be.
    struct Block: Sendable, PostgresRowDecodable {
        let key: BlockKey
        var lastArrival: Int64
        var summary: [UInt8]
        /// `nil` when they had to go (ING-10).
        var samples: [UInt8]?

        init(key: BlockKey, lastArrival: Int64, summary: [UInt8], samples: [UInt8]?) {
            self.key = key
            self.lastArrival = lastArrival
            self.summary = summary
            self.samples = samples
        }

        init(row: PostgresRow) throws(PostgresError) {
            key = try BlockStore.key(row)
            lastArrival = try row["last_arrival"]
            summary = try row["summary"]
            samples = try row["samples"]
        }

        var bytes: BlockBytes { BlockBytes(samples: Int64(samples?.count ?? 0), summaries: Int64(summary.count)) }
    }

    static func key(_ row: PostgresRow) throws(PostgresError) -> BlockKey {
        let number: Int16 = try row["type"]
        guard let type = UInt8(exactly: number).flatMap(DataType.init(rawValue:)) else {
            throw .usage("a block of the unknown data type \(number)")
        }
        return BlockKey(type: type, day: try row["day"])
    }

    // MARK: Locks

    /// Of those who change blocks, among the keys of advisory locks: "bloc".
    private static let lockSpace: SQL = "1651273571"

    /// Nobody else changes these people's blocks or erases them until the end of the transaction. Those who store arrivals go
    /// on meanwhile, whatever rows of theirs they need: sealing and deleting compute for long. To be taken before
    /// `ArrivalStore.lock` and before any row.
    static func lock(_ accounts: [UUID]) -> SQL {
        // In the same order everywhere, so that two transactions do not deadlock.
        """
        select count(pg_advisory_xact_lock(\(sql: lockSpace), k)::text)
        from (select distinct hashtext(a::text) as k from unnest(\(accounts)) as a order by k) as keys
        """
    }

    /// The same for one person.
    static func lock(_ person: Int32) -> SQL {
        """
        select count(pg_advisory_xact_lock(\(sql: lockSpace), hashtext(account_id::text))::text) from person
        where number = \(person)
        """
    }

    /// What is known of a locked person; no row when the person is erased.
    static func person(_ number: Int32) -> SQL {
        """
        select account_id, sealed_through, sample_bytes, summary_bytes, details from person
        where number = \(number) and erased_at is null
        """
    }

    // MARK: Blocks

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
        select b.type, b.day, b.samples, case when b.samples is null then b.summary end as summary,
          octet_length(b.summary) as summary_bytes
        from unnest(\(keys.map { Int16($0.type.rawValue) }), \(keys.map(\.day))) as k (type, day)
        join lateral (
          select * from block where person = \(person) and type = k.type and day = k.day limit 1) b on true
        """
    }

    /// Stores blocks of days and types that the person has none of: half the work of a statement that looks for them first.
    static func insert(_ blocks: [Block], of person: Int32) -> SQL {
        """
        insert into block (person, type, day, last_arrival, summary, samples)
        select \(person), b.* from unnest(\(sql: columns(of: blocks))) as b
        """
    }

    /// Stores blocks in the place of those that the person has.
    static func replace(_ blocks: [Block], of person: Int32) -> SQL {
        """
        update block b set last_arrival = v.last_arrival, summary = v.summary, samples = v.samples
        from unnest(\(sql: columns(of: blocks))) as v (type, day, last_arrival, summary, samples)
        cross join lateral (\(sql: row(of: person, "v"))) r
        where b.ctid = r.ctid
        """
    }

    private static func columns(of blocks: [Block]) -> SQL {
        """
        \(blocks.map { Int16($0.key.type.rawValue) }), \(blocks.map(\.key.day)),
        \(blocks.map { Int32(clamping: $0.lastArrival) }), \(blocks.map(\.summary)), \(blocks.map(\.samples))
        """
    }

    static func advance(_ person: Int32, through arrival: Int64, bytes: BlockBytes) -> SQL {
        """
        update person set sealed_through = \(arrival), sample_bytes = sample_bytes + \(bytes.samples),
          summary_bytes = summary_bytes + \(bytes.summaries)
        where number = \(person)
        """
    }

    /// The person's oldest blocks after one that have samples, with the sizes of these.
    static func oldest(of person: Int32, after last: BlockKey?, countMax: Int) -> SQL {
        let (day, type) = (last?.day ?? ArrivalStore.beginning.dateUTC, Int16(last?.type.rawValue ?? 0))
        return """
            select type, day, octet_length(samples) as bytes from block
            where person = \(person) and samples is not null and (day, type) > (\(day), \(type))
            order by day, type limit \(countMax)
            """
    }

    static func dropSamples(_ keys: [BlockKey], of person: Int32) -> SQL {
        """
        update block b set samples = null
        from unnest(\(keys.map { Int16($0.type.rawValue) }), \(keys.map(\.day))) as k (type, day)
        cross join lateral (\(sql: row(of: person, "k"))) r
        where b.ctid = r.ctid
        """
    }

    /// Where the row of the type and day of `key` is. The look-up of each, whatever share of the table they seem to be; whoever
    /// changes blocks holds the person's lock, so that the row stays where it is.
    static func row(of person: Int32, _ key: String) -> SQL {
        """
        select ctid from block where person = \(person) and type = \(raw: key).type and day = \(raw: key).day limit 1
        """
    }
}

/// What blocks take.
struct BlockBytes: Sendable, Equatable {
    var samples: Int64 = 0
    var summaries: Int64 = 0

    static func += (bytes: inout BlockBytes, more: BlockBytes) {
        bytes.samples += more.samples
        bytes.summaries += more.summaries
    }

    static func -= (bytes: inout BlockBytes, fewer: BlockBytes) {
        bytes.samples -= fewer.samples
        bytes.summaries -= fewer.summaries
    }

    /// How many bytes of samples have to go for a quota. Summaries stay; they leave half of it to samples at least.
    func excess(over quota: Int64) -> Int64 { max(0, samples - max(quota - summaries, quota / 2)) }
}

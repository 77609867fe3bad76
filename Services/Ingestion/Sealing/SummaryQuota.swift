import Postgres
import Primitives

/// What the summaries of a person may take. They outlive the samples of their days (ING-10); but whoever sends something of
/// every day since 1980 from dozens of devices would fill the disk with them. Then the oldest days go as a whole.
enum SummaryQuota {
    /// Ten years of the vital signs of one device take 12 MB.
    static let bytesMax: Int64 = 64 << 20

    /// How many bytes of summaries have to go: some more than are too many, since looking for the oldest days goes through all.
    static func excess(_ bytes: BlockBytes, over bytesMax: Int64) -> Int64 {
        bytes.summaries > bytesMax ? bytes.summaries - bytesMax + bytesMax / 16 : 0
    }

    /// Deletes the person's oldest days, of so many bytes of summaries at least; returns what is gone. The person must be
    /// locked (`BlockStore.lock`).
    static func dropOldest(_ bytes: Int64, of person: Int32, in transaction: Transaction) async throws -> BlockBytes {
        let gone = try await transaction.queryOne(
            """
            with days as (
              select day, sum(octet_length(summary)) as bytes from block where person = \(person) group by day),
            oldest as (
              select max(day) as last
              from (select day, sum(bytes) over (order by day) - bytes as before from days) d where before < \(bytes)),
            gone as (
              delete from block where person = \(person) and day <= (select last from oldest)
              returning octet_length(summary) as summaries, coalesce(octet_length(samples), 0) as samples)
            select coalesce(sum(samples), 0)::bigint, coalesce(sum(summaries), 0)::bigint from gone
            """, as: Int64.self, Int64.self)
        guard let (samples, summaries) = gone else { return BlockBytes() }
        return BlockBytes(samples: samples, summaries: summaries)
    }

    /// What the person's row tells of them.
    static func subtract(_ bytes: BlockBytes, of person: Int32) -> SQL {
        """
        update person set sample_bytes = sample_bytes - \(bytes.samples), summary_bytes = summary_bytes - \(bytes.summaries)
        where number = \(person)
        """
    }
}

import Postgres
import Primitives

/// Shrinks what is kept of devices' upload numbers: after 30 days a row becomes a part of a range of numbers without gaps
/// (table `upload`). The work is that of the rows that grew old, and of one look at each source of each person.
struct UploadLedger: Sendable {
    /// How long the hash of an upload is kept.
    static let timeKept = Duration.seconds(30 * 86_400)
    /// Rows of one source that are put together in one transaction.
    static let rowsMax = 5000
    private static let sourcesMax = 500

    /// One source of one person.
    struct Source: Sendable, Hashable {
        var person: Int32
        var number: Int16
    }

    /// Numbers in a row, or one.
    struct Range: Sendable, Equatable {
        var first: Int64
        var last: Int64
        var receivedUntil: Timestamp
        /// Of an upload that was no range yet.
        var isNew: Bool

        /// Ascending rows as few ranges as their numbers allow.
        static func joined(_ rows: [Range]) -> [Range] {
            var result: [Range] = []
            for row in rows {
                guard let before = result.last, before.last < .max, before.last + 1 == row.first else {
                    result.append(row)
                    continue
                }
                result[result.count - 1].last = row.last
                result[result.count - 1].receivedUntil = max(before.receivedUntil, row.receivedUntil)
                result[result.count - 1].isNew = true
            }
            return result
        }
    }

    let database: Database

    /// Shrinks all that was received before `time`; returns how many rows fewer there are.
    func shrink(before time: Timestamp) async throws -> Int {
        var (last, count) = (Source(person: .min, number: .min), 0)
        while true {
            let found = try await database.query(Self.sources(after: last, before: time)) {
                row throws(PostgresError) in
                (source: Source(person: try row["person"], number: try row["source"]), isDue: try row["is_due"] as Bool)
            }
            guard let end = found.last?.source else { return count }
            last = end
            for (source, isDue) in found where isDue {
                while true {
                    let (fewer, hasMore) = try await shrink(source, before: time)
                    count += fewer
                    guard hasMore else { break }
                    try Task.checkCancellation()
                }
            }
        }
    }

    private func shrink(_ source: Source, before time: Timestamp) async throws -> (fewer: Int, hasMore: Bool) {
        try await database.transaction { transaction in
            let rows = try await transaction.query(Self.rows(of: source)) { row throws(PostgresError) in
                let (last, first): (Int64, Int64?) = (try row["upload"], try row["first"])
                return Range(
                    first: first ?? last, last: last, receivedUntil: try row["received_at"], isNew: first == nil)
            }
            // Numbers mostly rise with time; one that came much later keeps those above it for so long.
            let old = rows.prefix { $0.receivedUntil < time }
            let ranges = Range.joined(Array(old))
            guard old.contains(where: \.isNew) else { return (0, false) }
            // Those that were read: a number that is taken at this moment may lie between them.
            try transaction.beforeCommit(Self.delete(source, old.map(\.last)))
            try transaction.beforeCommit(Self.insert(ranges, source))
            // With all of a page old and in one range, more may follow.
            return (old.count - ranges.count, old.count == Self.rowsMax && ranges.count < old.count)
        }
    }

    /// The next sources with uploads, and whether the first of their rows are to be shrunk: a walk from one source to the
    /// next.
    private static func sources(after last: Source, before time: Timestamp) -> SQL {
        """
        with recursive found (person, source, n) as (
          (select person, source, 1 from upload where (person, source) > (\(last.person), \(last.number))
            order by person, source limit 1)
          union all
          select u.person, u.source, f.n + 1 from found f cross join lateral (
            select person, source from upload where (person, source) > (f.person, f.source)
            order by person, source limit 1) u
          where f.n < \(sourcesMax))
        select f.person, f.source, (
            select coalesce(bool_or(u.first is null and u.received_at < \(time)), false) from (
              select first, received_at from upload where person = f.person and source = f.source
              order by upload limit 16) u) as is_due
        from found f order by f.person, f.source
        """
    }

    private static func rows(of source: Source) -> SQL {
        """
        select upload, first, received_at from upload where person = \(source.person) and source = \(source.number)
        order by upload limit \(rowsMax) for update
        """
    }

    private static func delete(_ source: Source, _ uploads: [Int64]) -> SQL {
        "delete from upload where person = \(source.person) and source = \(source.number) and upload = any(\(uploads))"
    }

    private static func insert(_ ranges: [Range], _ source: Source) -> SQL {
        """
        insert into upload (person, source, first, upload, received_at)
        select \(source.person), \(source.number), r.* from unnest(\(ranges.map(\.first)), \(ranges.map(\.last)),
          \(ranges.map(\.receivedUntil))) as r
        """
    }
}

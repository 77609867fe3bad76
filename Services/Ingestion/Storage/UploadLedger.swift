import Postgres
import Primitives

/// Shrinks what is kept of devices' upload numbers: after 30 days a row becomes a part of a range of numbers without gaps
/// (table `upload`). The work is that of the rows that grew old, and of one look at each source of each person; what a source
/// has shrunk before is passed over.
///
/// A device whose numbers have gaps leaves ranges that cannot be joined. Beyond `rangesMax`, and those of the last pass, the ones of
/// the lowest numbers are forgotten, and what comes under these numbers is stored. So nothing is lost, and of what was stored before
/// the exact repeats disappear in the blocks. Joined over its gaps, a range would swallow new samples if it were answered as stored,
/// and refuse a device for good whose numbers rise and fall if it were answered as a conflict.
struct UploadLedger: Sendable {
    /// How long the hash of an upload is kept.
    static let timeKept = Duration.seconds(30 * 86_400)
    /// Rows of one source that are put together in one transaction.
    static let rowsMax = 5000
    private static let sourcesMax = 500
    /// Ranges of one source, of about 100 bytes each.
    static let rangesMaxDefault = 1000

    /// One source of one person, and up to which number its uploads are ranges.
    private struct Source: Sendable {
        var person: Int32
        var number: Int16
        var shrunkThrough: Int64?
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
    var rangesMax = rangesMaxDefault

    /// Shrinks all that was received before `time` of those sources of which something was received before `due`; returns how many
    /// rows fewer there are, without those that are forgotten.
    func shrink(before time: Timestamp, due: Timestamp? = nil) async throws -> Int {
        var (last, count) = (Source(person: .min, number: .min), 0)
        while true {
            let found = try await database.query(Self.sources(after: last, due: due ?? time)) {
                row throws(PostgresError) in
                (
                    source: Source(
                        person: try row["person"], number: try row["number"], shrunkThrough: try row["shrunk_through"]),
                    isDue: try row["is_due"] as Bool
                )
            }
            guard let end = found.last?.source else { return count }
            last = end
            for (source, isDue) in found where isDue { count += try await shrink(source, before: time) }
        }
    }

    private func shrink(_ source: Source, before time: Timestamp) async throws -> Int {
        var (start, count) = (source.shrunkThrough, 0)
        while true {
            let (through, fewer, hasMore) = try await shrink(source, from: start, before: time)
            count += fewer
            guard hasMore else { return count }
            start = through
            try Task.checkCancellation()
        }
    }

    /// `start` is the last number of a range, to which others may be joined.
    private func shrink(
        _ source: Source, from start: Int64?, before time: Timestamp
    ) async throws -> (through: Int64?, fewer: Int, hasMore: Bool) {
        try await database.transaction { transaction in
            // Else a range that is made while the person is erased would stay.
            guard try await transaction.queryOne(Self.lock(source.person), as: Bool.self) != nil else {
                return (nil, 0, false)
            }
            let rows = try await transaction.query(Self.rows(of: source, from: start)) { row throws(PostgresError) in
                let (last, first): (Int64, Int64?) = (try row["upload"], try row["first"])
                return Range(
                    first: first ?? last, last: last, receivedUntil: try row["received_at"], isNew: first == nil)
            }
            // Numbers mostly rise with time; one that came much later keeps those above it for so long.
            let old = Array(rows.prefix { $0.receivedUntil < time })
            let ranges = Range.joined(old)
            let through = old.last?.last ?? start
            if old.contains(where: \.isNew) {
                // Those that were read: a number that is taken at this moment may lie between them.
                try transaction.beforeCommit(Self.delete(source, old.map(\.last)))
                try transaction.beforeCommit(Self.insert(ranges, source))
            }
            // Not up to `through`: there lie the rows that have just been deleted.
            if let start { try transaction.beforeCommit(forget(source, through: start)) }
            try transaction.beforeCommit(Self.keep(through, of: source, isWhole: start == nil))
            return (through, old.count - ranges.count, old.count == Self.rowsMax && through != start)
        }
    }

    /// The next sources of uploads, and whether some of their rows are to be shrunk.
    private static func sources(after last: Source, due: Timestamp) -> SQL {
        """
        select s.person, s.number, case when not s.is_whole then s.shrunk_through end as shrunk_through,
          coalesce(u.first is not null or u.received_at < \(due), false) as is_due
        from (
          select person, number, shrunk_through, shrunk_at < now() - interval '30 days' as is_whole
          from source where (person, number) > (\(last.person), \(last.number)) and kind = 'device'
          order by person, number limit \(walk: sourcesMax)) s
        left join lateral (
          select first, received_at from upload where person = s.person and source = s.number
            and upload > case when s.is_whole or s.shrunk_through is null then \(Int64.min) else s.shrunk_through end
          order by upload limit 1) u on true
        order by s.person, s.number
        """
    }

    /// Nobody erases the person until the end of the transaction; no row when somebody has.
    private static func lock(_ person: Int32) -> SQL {
        "select true from person where number = \(person) and erased_at is null for share"
    }

    private static func rows(of source: Source, from start: Int64?) -> SQL {
        """
        select upload, first, received_at from upload
        where person = \(source.person) and source = \(source.number) and upload >= \(start ?? .min)
        order by upload limit \(rowsMax) for update
        """
    }

    private static func keep(_ through: Int64?, of source: Source, isWhole: Bool) -> SQL {
        """
        update source set shrunk_through = \(through), shrunk_at = case when \(isWhole) then now() else shrunk_at end
        where person = \(source.person) and number = \(source.number)
        """
    }

    private static func delete(_ source: Source, _ uploads: [Int64]) -> SQL {
        "delete from upload where person = \(source.person) and source = \(source.number) and upload = any(\(uploads))"
    }

    /// Forgets the lowest ranges beyond `rangesMax`: at most as many as have been added since the last time.
    private func forget(_ source: Source, through: Int64) -> SQL {
        """
        delete from upload
        where person = \(source.person) and source = \(source.number) and first is not null and upload <= (
          select upload from upload
          where person = \(source.person) and source = \(source.number) and first is not null and upload <= \(through)
          order by upload desc offset \(rangesMax) limit 1)
        """
    }

    private static func insert(_ ranges: [Range], _ source: Source) -> SQL {
        """
        insert into upload (person, source, first, upload, received_at)
        select \(source.person), \(source.number), r.* from unnest(\(ranges.map(\.first)), \(ranges.map(\.last)),
          \(ranges.map(\.receivedUntil))) as r
        """
    }
}

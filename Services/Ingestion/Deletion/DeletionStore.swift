import Domain
import Postgres
import Primitives

/// The statements of deletions: on `deletion`, and on what is deleted.
enum DeletionStore {
    /// Deletions of one person that are not done.
    static let unfinishedMax = 20
    /// Deletions in a person's list, newest first.
    static let listMax = 100
    /// The longest pause before the next try.
    static let pauseMaxSeconds = 3600

    private static let columns: SQL = "account_id, deletion, created_at, through, content, is_done"

    // MARK: Asking

    /// The number of the last arrival of person `p`, whose row may be gone since it is in blocks; 0 when there was none.
    private static let lastArrival: SQL = """
        greatest(p.sealed_through, coalesce(
          (select arrival from arrival where person = p.number order by arrival desc limit 1), 0))
        """

    /// Adds a deletion of what has arrived by now; nothing when the person has too many that are not done, or was erased.
    /// The person must be locked (`ArrivalStore.lock`).
    static func add(_ id: UUID, of account: UUID, content: [UInt8], at now: Timestamp) -> SQL {
        """
        insert into deletion (account_id, deletion, created_at, through, content)
        select \(account), \(id), \(now), \(sql: lastArrival), \(content)
        from person p where p.account_id = \(account) and p.erased_at is null
          and (select count(*) from deletion where account_id = \(account) and not is_done) < \(unfinishedMax)
        returning \(sql: columns)
        """
    }

    /// The same for what was measured in a pause before this service knew of it, from the pause's beginning `since` on. However
    /// many others are not done: nothing of a pause is stored (ING-14).
    static func add(
        _ id: UUID, of account: UUID, content: [UInt8], forPauseOf group: DataType.Group, since: Timestamp,
        at now: Timestamp
    ) -> SQL {
        """
        insert into deletion (account_id, deletion, created_at, through, content)
        select \(account), \(id), \(now), last.arrival, \(content)
        from person p cross join lateral (select \(sql: lastArrival) as arrival) last
        where p.account_id = \(account) and p.erased_at is null and last.arrival > 0
          and exists (select from pause where person = p.number and kind = \(group.rawValue) and since = \(since))
        """
    }

    static func deletion(_ id: UUID, of account: UUID) -> SQL {
        "select \(sql: columns) from deletion where account_id = \(account) and deletion = \(id)"
    }

    static func deletions(of account: UUID) -> SQL {
        """
        select \(sql: columns) from deletion where account_id = \(account)
        order by created_at desc, deletion desc limit \(listMax)
        """
    }

    // MARK: Work

    /// The one that has waited longest. A time that is further ahead than a pause was set before a clock was put back.
    static var next: SQL {
        """
        select \(sql: columns) from deletion
        where not is_done and (due_at <= now() or due_at > now() + \(2 * pauseMaxSeconds) * interval '1 second')
        order by due_at limit 1
        """
    }

    /// Holds it until the end of the transaction; no row when another worker does, or when it is done.
    static func claim(_ id: UUID, of account: UUID) -> SQL {
        """
        select \(sql: columns) from deletion
        where account_id = \(account) and deletion = \(id) and not is_done for update skip locked
        """
    }

    static func keep(_ content: [UInt8], of deletion: SpanDeletion, isDone: Bool) -> SQL {
        """
        update deletion set content = \(content), is_done = \(isDone)
        where account_id = \(deletion.account) and deletion = \(deletion.id)
        """
    }

    static func forget(_ id: UUID, of account: UUID) -> SQL {
        "delete from deletion where account_id = \(account) and deletion = \(id)"
    }

    static func postpone(_ id: UUID, of account: UUID) -> SQL {
        """
        update deletion set tries = least(tries + 1, 1000),
          due_at = now() + least(\(pauseMaxSeconds), 15 * 2 ^ least(tries, 10)) * interval '1 second'
        where account_id = \(account) and deletion = \(id)
        """
    }

    static func person(_ account: UUID) -> SQL {
        "select number from person where account_id = \(account) and erased_at is null"
    }

    // MARK: Blocks

    /// Deletes the blocks of whole days that hold nothing that came later; their number and bytes.
    static func deleteDays(_ days: [(DataType, ClosedRange<CalendarDate>)], of person: Int32, through: Int64) -> SQL {
        """
        with gone as (
          delete from block b using unnest(\(days.map { Int16($0.0.rawValue) }), \(days.map(\.1.lowerBound)),
            \(days.map(\.1.upperBound))) as d (type, first, last)
          where b.person = \(person) and b.type = d.type and b.day between d.first and d.last
            and b.last_arrival <= \(through)
          returning coalesce(octet_length(b.samples), 0) as samples, octet_length(b.summary) as summaries)
        select count(*), coalesce(sum(samples), 0)::bigint, coalesce(sum(summaries), 0)::bigint from gone
        """
    }

    /// The next blocks after one, in the order of types and days.
    static func blocks(
        _ types: Int64, _ days: ClosedRange<CalendarDate>, of person: Int32, after last: BlockKey?, rowsMax: Int
    ) -> SQL {
        let numbers = DataType.types(in: types).map { Int16($0.rawValue) }
        let (type, day) = (Int16(last?.type.rawValue ?? 0), last?.day ?? days.lowerBound)
        return ArrivalStore.page(
            of: """
                select type, day, last_arrival, summary, samples, coalesce(samples, summary) as sealed from block
                where person = \(person) and (type, day) > (\(type), \(day)) and type = any(\(numbers))
                  and day between \(days.lowerBound) and \(days.upperBound)
                order by type, day limit \(rowsMax)
                """,
            columns: "type, day, last_arrival, summary, samples", order: "type, day")
    }

    static func delete(_ keys: [BlockKey], of person: Int32) -> SQL {
        """
        delete from block b using unnest(\(keys.map { Int16($0.type.rawValue) }), \(keys.map(\.day))) as k (type, day)
        cross join lateral (\(sql: BlockStore.row(of: person, "k"))) r
        where b.ctid = r.ctid
        """
    }

    // MARK: Arrivals

    static func arrivals(after arrival: Int64, through: Int64, of person: Int32, rowsMax: Int) -> SQL {
        ArrivalStore.page(
            of: """
                select arrival, source, sealed from arrival
                where person = \(person) and arrival > \(arrival) and arrival <= \(through)
                order by arrival limit \(rowsMax)
                """,
            columns: "arrival, source, sealed", order: "arrival")
    }

    /// They keep their numbers and places, so that readers who count them go on.
    static func replace(_ arrivals: [DeletionWork.Arrival], of person: Int32) -> SQL {
        """
        update arrival a set sealed = v.sealed
        from unnest(\(arrivals.map { Int32(clamping: $0.number) }), \(arrivals.map(\.sealed))) as v (arrival, sealed)
        where a.person = \(person) and a.arrival = v.arrival
        """
    }

    // MARK: The person

    /// Something was deleted.
    static func shrink(_ person: Int32, by bytes: BlockBytes) -> SQL {
        """
        update person set sample_bytes = greatest(sample_bytes - \(bytes.samples), 0),
          summary_bytes = greatest(summary_bytes - \(bytes.summaries), 0), deletions = deletions + 1
        where number = \(person)
        """
    }

    /// Of the types those of which nothing is left are not collected any more. `kept` are in arrivals that are in no block.
    static func forgetTypes(_ types: Int64, except kept: Int64, of person: Int32) -> SQL {
        let numbers = DataType.types(in: types & ~kept).map { Int16($0.rawValue) }
        return """
            update person set types = types & ~coalesce((
              select bit_or(1::bigint << t.type) from unnest(\(numbers)) as t (type)
              where not exists (select from block where person = \(person) and type = t.type)), 0)
            where number = \(person)
            """
    }
}

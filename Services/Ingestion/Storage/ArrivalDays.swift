import Postgres
import Primitives

/// The partitions of `arrival`, one for each UTC day of reception by the database's clock.
enum ArrivalDays {
    /// Days for which there are partitions before they begin. Each more is looked through for every upload.
    static let ahead: Int32 = 1
    /// How long arrivals are kept, in blocks or not: for consumers of the live feed that have lost a part of it.
    static let keptHours: Int32 = 48

    /// One partition.
    struct Day: Sendable, Equatable {
        let name: String
        let day: CalendarDate

        var end: Timestamp { day.adding(days: 1).startUTC }
    }

    /// Makes those that are lacking, from today on.
    static func add(in database: Database) async throws(PostgresError) {
        try await database.execute(
            """
            select add_arrival_days((clock_timestamp() at time zone 'UTC')::date,
              (clock_timestamp() at time zone 'UTC')::date + \(ahead))
            """)
    }

    /// Those that are there, in the order of days, and the database's time.
    static func list(in database: Database) async throws(PostgresError) -> (days: [Day], now: Timestamp) {
        let rows = try await database.query(
            """
            select c.relname::text as name, to_date(right(c.relname, 8), 'YYYYMMDD') as day, clock_timestamp() as now
            from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'arrival'::regclass
            order by c.relname
            """, as: String.self, CalendarDate.self, Timestamp.self)
        return (rows.map { Day(name: $0.0, day: $0.1) }, rows.first?.2 ?? ArrivalStore.beginning)
    }

    /// The next people after a number who have arrivals on a day, and whether some of these are in no block: a walk from
    /// one person to the next, whatever lies between.
    static func people(on day: Day, after person: Int32, countMax: Int) -> SQL {
        """
        with recursive found (person, n) as (
          (select person, 1 from \(identifier: day.name) where person > \(person) order by person limit 1)
          union all
          select (select a.person from \(identifier: day.name) a where a.person > f.person order by a.person limit 1),
            f.n + 1
          from found f where f.person is not null and f.n < \(countMax))
        select f.person,
          p.erased_at is null and
            (select max(arrival) from \(identifier: day.name) where person = f.person) > p.sealed_through as is_due
        from found f cross join lateral (select sealed_through, erased_at from person where number = f.person limit 1) p
        order by f.person
        """
    }

    /// Whether everything of a day is in blocks.
    static func isSealed(_ day: Day, in session: some SQLSession) async throws(PostgresError) -> Bool {
        try await unsealed(on: day, countMax: 1, in: session).isEmpty
    }

    /// The first people with arrivals on a day that are in no block.
    static func unsealed(
        on day: Day, countMax: Int, in session: some SQLSession
    ) async throws(PostgresError) -> [Int32] {
        var (found, last) = ([Int32](), Int32.min)
        while found.count < countMax {
            let people = try await session.query(
                people(on: day, after: last, countMax: 1000), as: Int32.self, Bool.self)
            guard let end = people.last?.0 else { break }
            found += people.filter(\.1).map(\.0)
            last = end
        }
        return Array(found.prefix(countMax))
    }

    /// Drops the partitions that are old enough and sealed; returns how many. One that somebody uses right now stays
    /// until the next time, since whoever wants arrivals would wait behind this; so do those after it: of a person's arrivals
    /// readers miss none between two that are there.
    static func drop(in database: Database) async throws -> Int {
        var count = 0
        // Those that were not dropped when a process ended, or that another one is about to drop.
        for day in try await detached(in: database) {
            do { if try await end(day, in: database) { count += 1 } } catch {
                guard error.sqlState == .undefinedTable else { throw error }
            }
        }
        let (days, now) = try await list(in: database)
        for day in days where day.end + .seconds(3600 * Int64(keptHours)) <= now {
            guard try await isSealed(day, in: database), try await detach(day, in: database) else { break }
            if try await end(day, in: database) { count += 1 }
        }
        return count
    }

    /// Drops a partition that was detached; what came in between (the clock was put back by days) goes back.
    private static func end(_ day: Day, in database: Database) async throws(PostgresError) -> Bool {
        guard try await isSealed(day, in: database) else {
            try await database.execute(
                """
                alter table arrival attach partition \(identifier: day.name)
                for values from (\(raw: "'\(day.day.startUTC)'")) to (\(raw: "'\(day.end)'"))
                """)
            return false
        }
        try await database.execute("drop table if exists \(identifier: day.name)")
        return true
    }

    private static func detached(in database: Database) async throws(PostgresError) -> [Day] {
        try await database.query(
            """
            select c.relname::text, to_date(right(c.relname, 8), 'YYYYMMDD') from pg_class c
            where c.relnamespace = (select relnamespace from pg_class where oid = 'arrival'::regclass) and c.relkind = 'r'
              and c.relname ~ '^arrival_[0-9]{8}$' and not c.relispartition
            order by c.relname
            """, as: String.self, CalendarDate.self
        ).map { Day(name: $0.0, day: $0.1) }
    }

    private static func detach(_ day: Day, in database: Database) async throws -> Bool {
        let statements: [SQL] = [
            "set local lock_timeout = '100ms'", "alter table arrival detach partition \(identifier: day.name)",
        ]
        do {
            try await database.transaction { transaction -> Void in try await transaction.batch(statements) }
            return true
        } catch {
            guard error.postgres?.sqlState == .lockNotAvailable else { throw error }
            return false
        }
    }
}

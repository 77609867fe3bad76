import Postgres
import Primitives
import Reactor

/// The two ends of a move: a shard's schema where it is and where it goes, both as their administrators see them. A publication
/// of the whole schema there, a subscription here; both bear the schema's name.
struct ShardReplication: Sendable {
    let schema: String
    let source: Database
    let target: Database
    /// How the target's server reaches the source's.
    let connectionInfo: String

    /// Days beyond the source's partitions that the target has partitions for, while it copies.
    private static let daysAhead: Int32 = 3
    /// How long a fence waits for one table's writers, …
    private static let lockTime = Duration.milliseconds(300)
    /// … and for all of them and for the target, so that the shard's people wait 2 s at most.
    static let fenceTime = Duration.milliseconds(1500)
    private static let lookInterval = Duration.milliseconds(5)
    /// How long a sender may take to end.
    private static let slotTime = Duration.seconds(10)
    /// One for what is written meanwhile, and one that copies tables at least.
    private static let sendersMin = 2
    /// The comment of a schema that a move has made.
    private static let mark = "a shard that is being moved here"

    private var name: String { "trackme_\(schema)" }
    private var qualified: SQL { "\(identifier: schema)" }

    /// The name of the schema that stays behind.
    func left(_ version: Int32) -> String { MovedSchemas.name(of: schema, version: version + 1) }

    // MARK: Checking

    func check() async throws {
        for (database, place) in [(source, "where the shard is"), (target, "where it goes")] {
            let row = try await database.queryOne(
                """
                select current_setting('server_version_num')::int, rolsuper, rolname::text from pg_roles
                where rolname = current_user
                """, as: Int.self, Bool.self, String.self)
            guard let (version, isSuperuser, role) = row, version >= 150_000 else {
                throw ShardError("PostgreSQL \(place) is older than 15.")
            }
            guard isSuperuser else {
                throw ShardError(
                    "The role \(role) \(place) may not publish and subscribe: name a superuser with --administrator.")
            }
        }
        let level = try await source.queryOne("select current_setting('wal_level')", as: String.self) ?? ""
        guard level == "logical" else {
            throw ShardError(
                "The cluster where the shard is has wal_level = \(level): set wal_level = logical there and restart it."
            )
        }
        // Those of this move, which was broken off, are free for it.
        let senders = try await source.queryOne(
            """
            select current_setting('max_wal_senders')::int - (
                select count(*) from pg_stat_replication where \(sql: isOurs("application_name")) is not true)::int,
              current_setting('max_replication_slots')::int - (
                select count(*) from pg_replication_slots where \(sql: isOurs("slot_name")) is not true)::int
            """, as: Int.self, Int.self)
        guard let senders, min(senders.0, senders.1) >= Self.sendersMin else {
            throw ShardError(
                "The cluster where the shard is has fewer than \(Self.sendersMin) free senders or replication slots: raise "
                    + "max_wal_senders and max_replication_slots there and restart it.")
        }
        guard try await identity(of: source) != identity(of: target) else {
            throw ShardError("The shard is in that cluster already.")
        }
    }

    private func identity(of database: Database) async throws -> Int64? {
        try await database.queryOne("select system_identifier from pg_control_system()", as: Int64.self)
    }

    private func exists(_ schema: String, in database: Database) async throws(PostgresError) -> Bool {
        try await database.queryOne(
            "select exists (select from pg_namespace where nspname = \(schema))", as: Bool.self) ?? false
    }

    // MARK: Copying

    /// Makes the schema on the target, owned by the service's role there. One that a move has begun to fill is made anew.
    func makeSchema(owner: String) async throws {
        let comment = try await target.queryOne(
            "select coalesce(obj_description(oid, 'pg_namespace'), '') from pg_namespace where nspname = \(schema)",
            as: String.self)
        guard comment == nil || comment == Self.mark else {
            throw ShardError("There is a schema \(schema) already where the shard goes.")
        }
        try await target.batch([
            "drop schema if exists \(identifier: schema) cascade",
            "create schema \(identifier: schema) authorization \(identifier: owner)",
            "comment on schema \(identifier: schema) is \(raw: "'\(Self.mark)'")",
        ])
    }

    /// Prepares copying; `copy` begins it.
    func subscribe() async throws {
        try await dropSlots()
        let published = try await source.queryOne(
            "select exists (select from pg_publication where pubname = \(name))", as: Bool.self)
        if published != true {
            try await source.execute(
                """
                create publication \(identifier: name) for tables in schema \(sql: qualified)
                with (publish_via_partition_root = true)
                """)
        }
        // The migrations have filled some, with what the source has, too.
        let tables = try await tables(of: target).map(qualified).joined(separator: ", ")
        try await target.execute("truncate \(raw: tables)")
        try await addDays()
        let info = connectionInfo.replacing("'", with: "''")
        try await target.execute(
            """
            create subscription \(identifier: name) connection \(raw: "'\(info)'") publication \(identifier: name)
            with (slot_name = \(identifier: name), copy_data = true, enabled = false)
            """)
    }

    /// Begins to copy, or goes on. Before, it is written down at the source under which names the target's server will hold places
    /// in the source's log, one for each table that is being copied: they stay when the target is lost.
    func copy() async throws {
        let names = try await target.queryOne(
            """
            select format('^pg_%s_sync_[0-9]+_%s$', oid, (select system_identifier from pg_control_system()))
            from pg_subscription where \(sql: own)
            """, as: String.self)
        guard let names else { return }
        try await source.execute("comment on publication \(identifier: name) is \(raw: "'\(names)'")")
        try await target.execute("alter subscription \(identifier: name) enable")
    }

    /// The subscription in `pg_subscription`, which has those of all databases of the target's cluster.
    private var own: SQL {
        "subname = \(name) and subdbid = (select oid from pg_database where datname = current_database())"
    }

    /// Whether copying has begun.
    var isSubscribed: Bool {
        get async throws {
            try await target.queryOne(
                "select exists (select from pg_subscription where \(sql: own))", as: Bool.self) ?? false
        }
    }

    /// How far copying is.
    struct Progress: Sendable, Equatable {
        /// Tables.
        var done = 0
        var all = 0
        /// Rows of those that are being copied.
        var rows: Int64 = 0
        /// What the target has got of the source's log since.
        var received = ""
    }

    /// Makes sure that there is a partition for each day, too.
    func progress() async throws -> Progress {
        try await addDays()
        let row = try await target.queryOne(
            """
            select count(*) filter (where srsubstate = 'r'), count(*), (
              select coalesce(sum(tuples_processed), 0)::bigint from pg_stat_progress_copy
              where datname = current_database()), (
              select coalesce(string_agg(received_lsn::text, ' ' order by relid nulls first), '') from pg_stat_subscription
              where subname = \(name))
            from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid where s.subname = \(name)
            """, as: Int.self, Int.self, Int64.self, String.self)
        guard let (done, all, rows, received) = row else { return Progress() }
        return Progress(done: done, all: all, rows: rows, received: received)
    }

    /// Errors that the target has met so far; it tries again.
    func errors() async throws -> Int {
        try await target.queryOne(
            "select apply_error_count + sync_error_count from pg_stat_subscription_stats where subname = \(name)",
            as: Int.self) ?? 0
    }

    /// Partitions are not copied as such: what arrives goes where the target's own partitions are.
    private func addDays() async throws {
        let days = try await source.queryOne(
            """
            select to_date(min(right(c.relname, 8)), 'YYYYMMDD'), to_date(max(right(c.relname, 8)), 'YYYYMMDD')
            from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
            where p.relname = 'arrival' and p.relnamespace = (select oid from pg_namespace where nspname = \(schema))
            """, as: CalendarDate?.self, CalendarDate?.self)
        guard case (let first?, let last?)? = days else { return }
        try await target.transaction { transaction in
            try await transaction.execute("select set_config('search_path', \(schema), true)")
            try await transaction.execute("select add_arrival_days(\(first), \(last) + \(Self.daysAhead))")
        }
    }

    /// Gathers statistics on the target, so that its plans are good from the beginning.
    func analyze() async throws {
        for table in try await tables(of: target) { try await target.execute("analyze \(raw: qualified(table))") }
    }

    /// How long the target takes to get what is written now.
    func lag(deadline: Deadline) async throws -> Duration {
        let began = Deadline.now()
        try await reach(deadline)
        return Deadline.now().since(began)
    }

    /// Writes a mark, and waits until the target has it: all that was committed before is there then, too.
    private func reach(_ deadline: Deadline) async throws {
        let mark = UUID.random()
        let table: SQL = "\(sql: qualified).move_mark"
        try await source.execute(
            """
            insert into \(sql: table) (mark) values (\(mark)) on conflict (only_row) do update set mark = excluded.mark
            """)
        while try await target.queryOne("select mark from \(sql: table)", as: UUID.self) != mark {
            guard !deadline.hasPassed else { throw PostgresError.timedOut }
            try await EventLoop.current?.sleep(for: Self.lookInterval)
        }
    }

    // MARK: Fence

    /// Whether a fence has left the source without the schema.
    func isFenced(_ version: Int32) async throws -> Bool { try await exists(left(version), in: source) }

    /// Makes the writers wait, waits until the target has all that they have written, and renames the schema: what they wrote
    /// is complete there, and here nothing can be written any more. Fails, and leaves everything as it was, when that takes
    /// longer than `fenceTime`.
    func fence(_ version: Int32) async throws {
        let deadline = Deadline.after(Self.fenceTime)
        let tables = try await tables(of: source).filter { $0 != "move_mark" }.map(qualified).joined(separator: ", ")
        try await source.transaction(retriesMax: 0, deadline: deadline) { transaction in
            // An autovacuum gives way to somebody who has waited for `deadlock_timeout`, which must be before the end of that.
            try await transaction.execute(
                """
                select set_config('lock_timeout', \("\(Self.lockTime.milliseconds)ms"), true),
                  set_config('deadlock_timeout', '50ms', true)
                """)
            try await transaction.execute("lock table \(raw: tables) in exclusive mode")
            try await self.reach(deadline)
            try await self.copySequences(transaction)
            try await transaction.execute(
                "alter schema \(identifier: self.schema) rename to \(identifier: self.left(version))")
        }
    }

    /// Takes the fence back.
    func unfence(_ version: Int32) async throws {
        try await source.execute("alter schema \(identifier: left(version)) rename to \(identifier: schema)")
    }

    /// Sequences are not replicated.
    private func copySequences(_ transaction: Transaction) async throws {
        let sequences = try await transaction.query(
            "select sequencename::text, last_value from pg_sequences where schemaname = \(schema)", as: String.self,
            Int64?.self)
        let (names, values) = (sequences.compactMap { $1 == nil ? nil : $0 }, sequences.compactMap(\.1))
        try await target.execute(
            """
            select count(setval(format('%I.%I', \(schema)::text, s.name)::regclass, s.value))
            from unnest(\(names), \(values)) as s (name, value)
            """)
    }

    /// In the order in which uploads write to them, so that the two seldom wait for each other.
    private func tables(of database: Database) async throws -> [String] {
        let names = try await database.query(
            """
            select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = \(schema) and c.relkind in ('r', 'p') and not c.relispartition order by c.relname
            """, as: String.self)
        let first = ["source", "upload", "import_part", "arrival", "person"].filter(names.contains)
        return first + names.filter { !first.contains($0) }
    }

    private func qualified(_ table: String) -> String { "\"\(schema)\".\"\(table)\"" }

    // MARK: Cleaning

    /// Ends the copying.
    func unsubscribe() async throws {
        // Takes the slot with it.
        if try await isSubscribed { try await target.execute("drop subscription \(identifier: name)") }
        try await unpublish()
        if try await exists(schema, in: target) {
            try await target.batch([
                "comment on schema \(identifier: schema) is null", "truncate \(sql: qualified).move_mark",
            ])
        }
    }

    /// Removes what a move has made on the source.
    func unpublish() async throws {
        try await dropSlots()
        try await source.execute("drop publication if exists \(identifier: name)")
    }

    /// Whether a slot of the source, or a sender, is this move's, by its name: the subscription's own, or one of a table that is
    /// being copied.
    private func isOurs(_ column: String) -> SQL {
        """
        (\(identifier: column) = \(name) or \(identifier: column) ~ (
          select obj_description(oid, 'pg_publication') from pg_publication where pubname = \(name)))
        """
    }

    /// Of a target that is lost the senders may be at work still.
    private func dropSlots() async throws {
        let slots: SQL = "pg_replication_slots where database = current_database() and \(sql: isOurs("slot_name"))"
        let end = Deadline.after(Self.slotTime)
        while true {
            try await source.execute(
                "select pg_drop_replication_slot(slot_name) from \(sql: slots) and not active")
            let left = try await source.query(
                "select slot_name::text, pg_terminate_backend(active_pid) from \(sql: slots)",
                as: String.self,
                Bool?.self)
            guard let slot = left.first?.0 else { return }
            guard !end.hasPassed else {
                throw ShardError("The replication slot \(slot) of the source is still in use; call this again.")
            }
            try await EventLoop.current?.sleep(for: Self.lookInterval)
        }
    }

    /// Removes what a move has made on the target.
    func dropTarget() async throws {
        if try await isSubscribed { try await target.execute("drop subscription \(identifier: name)") }
        let isOurs = try await target.queryOne(
            """
            select exists (select from pg_namespace
              where nspname = \(schema) and obj_description(oid, 'pg_namespace') = \(Self.mark))
            """, as: Bool.self)
        if isOurs == true { try await target.execute("drop schema \(identifier: schema) cascade") }
    }
}

/// Why a command about shards failed, in one sentence.
struct ShardError: Error, CustomStringConvertible {
    let description: String

    init(_ sentence: String) { description = sentence }
}

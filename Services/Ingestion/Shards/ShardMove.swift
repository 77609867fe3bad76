import Postgres
import Primitives
import Reactor
import Service

/// Moves a shard to another PostgreSQL cluster while its people go on. Its tables are copied and followed by logical replication;
/// then its writers wait for a moment until the target has everything, the schema is renamed where it was, and the service's own
/// schema says where it is now. Replicas look there as soon as a statement of theirs is refused, or when they are notified.
///
/// Broken off anywhere it can be begun again, or cancelled until the shard is at its new place.
struct ShardMove: Sendable {
    /// Where a test may break it off.
    enum Step: CaseIterable, Sendable {
        case begun, made, subscribed, copied, fenced, placed, cleaned
    }

    /// Attempts to find a moment for the fence.
    static let fencesMax = 30
    private static let fencePause = Duration.seconds(1)
    private static let lookInterval = Duration.milliseconds(300)
    /// A target that is closer behind than this can be fenced.
    private static let lagMax = Duration.milliseconds(400)
    private static let placeTime = Duration.seconds(30)
    /// After so long without a row, or a byte of the log, that arrives, copying is given up.
    private static let stillMax = Duration.seconds(300)
    /// For so long a target may take to catch up after the copy; meanwhile the source keeps its log.
    private static let catchUpMax = Duration.seconds(3600)

    let number: Int
    let places: ShardPlaces
    let replication: ShardReplication
    /// The new place as the service's role uses it, and as it is written down.
    let service: Database
    let place: String?
    let say: @Sendable (String) -> Void
    var step: @Sendable (Step) async throws -> Void = { _ in }

    /// Returns when the shard is at its new place, and nothing of the move is left but the old schema.
    func run() async throws {
        let began = Deadline.now()
        let row = try await begin()
        if row.movedFrom == nil {
            try await copy(row)
            if try await !replication.isFenced(row.version) { try await fence(row) }
            try await step(.fenced)
            try await writePlace()
            say("Shard \(number) is at its new place.")
        }
        try await step(.placed)
        try await replication.unsubscribe()
        try await places.database.execute("update shard set moved_from = null where number = \(Int16(number))")
        try await step(.cleaned)
        say("Done in \(Deadline.now().since(began).components.seconds) s.")
    }

    /// Writes down where it goes.
    private func begin() async throws -> ShardPlaces.Row {
        try await replication.check()
        let row = try await places.database.queryOne(
            """
            update shard set moving_to = case when moved_from is null then \(place ?? "") end
            where number = \(Int16(number)) and is_made
              and (moved_from is null and place is distinct from \(place) and coalesce(moving_to, \(place ?? "")) = \(place ?? "")
                or moved_from is not null and place is not distinct from \(place))
            returning \(sql: ShardPlaces.columns)
            """, as: ShardPlaces.Row.self)
        guard let row else {
            throw ShardError("Shard \(number) is there already, or is being moved somewhere else: see shards list.")
        }
        try await step(.begun)
        return row
    }

    private func copy(_ row: ShardPlaces.Row) async throws {
        guard try await !replication.isFenced(row.version) else { return }
        if try await !replication.isSubscribed {
            try await replication.makeSchema(owner: try await owner())
            try await Migrations(schema: replication.schema, IngestionService.migrations).run(on: service)
            try await step(.made)
            try await replication.subscribe()
        }
        try await replication.copy()
        try await step(.subscribed)
        try await waitForCopy()
        try await replication.analyze()
        let end = Deadline.after(Self.catchUpMax)
        while true {
            // A target that is far behind, after a long copy, catches up first.
            do {
                if try await replication.lag(deadline: .after(.seconds(20))) <= Self.lagMax { break }
            } catch PostgresError.timedOut { say("the target catches up") }
            guard !end.hasPassed else {
                throw ShardError(
                    "The target is slower than what is written: it has not caught up in \(Self.catchUpMax.components.seconds) s. "
                        + "Call this again when less is uploaded, or cancel.")
            }
            try await EventLoop.current?.sleep(for: Self.lookInterval)
        }
        try await step(.copied)
    }

    private func waitForCopy() async throws {
        var (last, moved, told) = (ShardReplication.Progress(), Deadline.now(), Deadline.now())
        while true {
            let now = try await replication.progress()
            if now.all > 0, now.done == now.all { return }
            if now != last { (last, moved) = (now, .now()) }
            let (errors, isStill) = (try await replication.errors(), Deadline.now().since(moved) >= Self.stillMax)
            let words = errors == 0 ? "" : ", \(errors) errors so far (see the target's log)"
            guard !isStill else {
                throw ShardError(
                    "Nothing has been copied for \(Self.stillMax.components.seconds) s: \(now.done) of \(now.all) tables\(words). "
                        + "Call this again when the cause is gone, or cancel.")
            }
            if Deadline.now().since(told) >= .seconds(5) {
                told = .now()
                say("\(now.done) of \(now.all) tables copied\(words)")
            }
            try await EventLoop.current?.sleep(for: Self.lookInterval)
        }
    }

    private func owner() async throws -> String {
        guard let owner = try await service.queryOne("select current_user::text", as: String.self) else {
            throw ShardError("The role of the new place is not known.")
        }
        return owner
    }

    private func fence(_ row: ShardPlaces.Row) async throws {
        for attempt in 1...Self.fencesMax {
            let began = Deadline.now()
            do {
                try await replication.fence(row.version)
                say("The shard's writers waited \(Deadline.now().since(began).milliseconds) ms.")
                return
            } catch {
                guard attempt < Self.fencesMax, Self.mayPass(error) else { throw error }
                say("no moment for the change yet (\(error)); again")
            }
            try await EventLoop.current?.sleep(for: Self.fencePause)
        }
    }

    /// Locks that were not free in time, and a target that was behind.
    private static func mayPass(_ error: any Error) -> Bool {
        let postgres = (error as? TransactionError)?.postgres ?? error as? PostgresError
        switch postgres {
        case .timedOut: return true
        case .server(let error): return error.sqlState == .lockNotAvailable || error.sqlState == .deadlockDetected
        default: return false
        }
    }

    /// From here on replicas find it there. Until then it is nowhere, so a failure is tried again for a while.
    private func writePlace() async throws {
        let deadline = Deadline.after(Self.placeTime)
        while true {
            do {
                try await places.database.batch([
                    """
                    with moved as (
                      update shard set moved_from = coalesce(place, ''), place = \(place), version = version + 1,
                        moving_to = null
                      where number = \(Int16(number)) and moving_to is not null
                      returning number, version, nullif(moved_from, '') as place)
                    insert into moved_schema (shard, version, place) select * from moved
                    """,
                    "select pg_notify(\(places.channel), \(String(number)))",
                ])
                return
            } catch {
                guard !deadline.hasPassed else {
                    throw ShardError(
                        "Shard \(number) is at its new place, but that could not be written down (\(error)): call this again."
                    )
                }
            }
            try await EventLoop.current?.sleep(for: Self.lookInterval)
        }
    }

    func outcome(cancels: Bool) async -> Result<Void, any Error> {
        do { return .success(cancels ? try await cancel() : try await run()) } catch { return .failure(error) }
    }

    /// Ends its connections.
    func close() async {
        for database in [replication.source, replication.target, service] { await database.close() }
    }

    /// Undoes a move that has not ended.
    func cancel() async throws {
        guard let row = try await places.row(number), row.movingTo != nil else {
            throw ShardError("Shard \(number) is not being moved.")
        }
        if try await replication.isFenced(row.version) { try await replication.unfence(row.version) }
        do { try await replication.dropTarget() } catch {
            say("What was made where the shard goes is left there (\(error)).")
        }
        try await replication.unpublish()
        try await places.database.execute("update shard set moving_to = null where number = \(Int16(number))")
        say("Shard \(number) stays where it is.")
    }
}

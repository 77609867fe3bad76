import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization

/// Where one of the shards beside the first is, as this process knows. When its schema is not found where it was, or a move is
/// announced, its place is looked up again, and its database leads there.
final class ShardPlace: Sendable {
    /// How long a statement that was refused waits for the end of a move.
    static let moveTime = Duration.seconds(5)
    private static let lookInterval = Duration.milliseconds(10)

    private struct State {
        /// Of the place that calls lead to.
        var version: Int32
        /// Of the one that they are being led to.
        var next: Int32
        var changedAt: Deadline?
        var isPrepared = false
    }

    let number: Int
    let database: Database
    private let places: ShardPlaces
    private let context: ServiceContext<IngestionSettings>
    private let state: Mutex<State>

    /// Connects to nothing yet.
    init(_ row: ShardPlaces.Row, _ places: ShardPlaces, _ context: ServiceContext<IngestionSettings>) throws {
        number = row.number
        self.places = places
        self.context = context
        state = Mutex(State(version: row.version, next: row.version))
        // The database asks this object, which has to have it.
        let link = Link()
        let ask: @Sendable () async -> Bool = { await link.place.withLock { $0 }?.hasMoved() ?? false }
        if let settings = try row.settings {
            database = try context.connect(to: settings) { $0.whenMissing = ask }
        } else {
            let count = context.settings.shardCount
            database = try context.connect(toSchema: places.schema(of: row.number), sharedBy: count) {
                $0.whenMissing = ask
            }
        }
        link.place.withLock { $0 = self }
    }

    private final class Link: Sendable {
        let place = Mutex<ShardPlace?>(nil)
    }

    // MARK: Preparing

    /// Whether its schema is there, at the version of the migrations.
    var isPrepared: Bool { state.withLock { $0.isPrepared } }

    /// Makes its schema where it was never made, and brings it up to date. Waits until its database is there.
    func prepare() async throws {
        let (database, schema) = (database, places.schema(of: number))
        if try await places.row(number)?.isMade == false {
            try await places.makeSchema(number) {
                try await Self.add(schema, to: database)
                try await Migrations(schema: schema, IngestionService.migrations).run(on: database)
            }
        }
        try await context.prepare(database, IngestionService.migrations)
        state.withLock { $0.isPrepared = true }
    }

    private static func add(_ schema: String, to database: Database) async throws {
        do throws(PostgresError) {
            try await database.execute("create schema if not exists \(identifier: schema)")
        } catch {
            guard error.sqlState == .insufficientPrivilege else { throw error }
            let found = try await database.queryOne(
                "select exists (select from pg_namespace where nspname = \(schema))", as: Bool.self)
            guard found == true else { throw MigrationError.noSchema(schema) }
        }
    }

    // MARK: Moving

    /// A statement was refused since what it names is not there. True when the shard has moved, and calls lead to its new place.
    private func hasMoved() async -> Bool {
        let deadline = Deadline.after(Self.moveTime)
        while true {
            do {
                guard let row = try await places.row(number) else { return false }
                if try await adopt(row) { return true }
                let isUnderWay = row.movingTo != nil || state.withLock { $0.version < row.version }
                guard isUnderWay, !deadline.hasPassed else {
                    // Another statement may have learnt of it while this one was under way.
                    return state.withLock { $0.changedAt.map { Deadline.now().since($0) < Self.moveTime } ?? false }
                }
                try await EventLoop.current?.sleep(for: Self.lookInterval)
            } catch {
                // The statement's own error tells enough.
                return false
            }
        }
    }

    /// Looks its place up.
    func look() async throws {
        if let row = try await places.row(number) { _ = try await adopt(row) }
    }

    /// Leads calls to where the shard is. False when they do already, or are being led there.
    private func adopt(_ row: ShardPlaces.Row) async throws -> Bool {
        let isFirst = state.withLock { state in
            guard state.next < row.version else { return false }
            state.next = row.version
            return true
        }
        guard isFirst else { return false }
        do {
            if let settings = try row.settings {
                try await context.lead(database, to: settings)
            } else {
                try await context.leadHome(database)
            }
        } catch {
            state.withLock { $0.next = $0.version }
            throw error
        }
        state.withLock { state in
            state.version = row.version
            state.changedAt = .now()
        }
        context.log.info("a shard has moved", ["shard": .integer(Int64(number))])
        return true
    }

    /// Whether its database answers: shown by `/readyz`.
    var readiness: ReadinessCheck {
        ReadinessCheck("shard \(number)", isRequired: false) { [self] in
            guard isPrepared else { return false }
            do throws(PostgresError) {
                return try await database.queryOne("select true", as: Bool.self, deadline: .after(.seconds(1))) == true
            } catch { return false }
        }
    }
}

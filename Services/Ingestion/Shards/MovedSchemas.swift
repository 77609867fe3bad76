import JSON
import Postgres
import Primitives
import Service

/// The schemas that moves of shards have left where the shards were (table `moved_schema`). They take no writes, so that an erasure does
/// not reach them either: they are kept for some days only, as a way back should the new place fail at once.
struct MovedSchemas: Sendable {
    static let daysDefault = 7

    struct Row: Sendable, PostgresRowDecodable {
        let shard: Int
        /// The number of the move.
        let version: Int32
        /// Where it is, as in table `shard`.
        let place: String?
        let leftAt: Timestamp

        init(row: PostgresRow) throws(PostgresError) {
            shard = try row["shard"]
            version = try row["version"]
            place = try row["place"]
            leftAt = try row["left_at"]
        }
    }

    private static let columns: SQL = "shard, version, place, left_at"

    private let context: ServiceContext<IngestionSettings>
    private let places: ShardPlaces
    /// After so many days one is dropped.
    private let days: Int

    init(_ context: ServiceContext<IngestionSettings>, days: Int? = nil) {
        self.context = context
        places = ShardPlaces(database: context.database)
        self.days = days ?? context.settings.movedSchemaDaysMax
    }

    /// The name of the schema that a move leaves.
    static func name(of schema: String, version: Int32) -> String { "\(schema)_moved_\(version)" }

    func name(of row: Row) -> String { Self.name(of: places.schema(of: row.shard), version: row.version) }

    func end(of row: Row) -> Timestamp { row.leftAt + .seconds(days * 86_400) }

    func rows() async throws(PostgresError) -> [Row] {
        try await places.database.query(
            "select \(sql: Self.columns) from moved_schema order by shard, version", as: Row.self)
    }

    /// Drops those whose term is over, once their move is complete. One that cannot be dropped is reported, and tried again the next
    /// time.
    func dropDue() async throws {
        let due = try await places.database.query(
            """
            select \(sql: Self.columns) from moved_schema
            where left_at <= clock_timestamp() - \(Int32(days)) * interval '1 day'
              and shard in (select number from shard where moved_from is null)
            order by shard, version
            """, as: Row.self)
        for row in due {
            do { try await drop(row) } catch {
                try Task.checkCancellation()
                context.log.error(
                    "the old schema of a shard could not be dropped",
                    ["schema": .string(name(of: row)), "error": Log.text(of: error)])
            }
        }
    }

    /// Drops those of a shard at once, or only forgets them, where their database is gone. Errors: `ShardError`, the databases'.
    func drop(ofShard number: Int, onlyForgets: Bool, _ say: (String) -> Void) async throws {
        let found = try await rows().filter { $0.shard == number }
        guard !found.isEmpty else { throw ShardError("No move has left a schema of shard \(number).") }
        guard try await places.row(number)?.movedFrom == nil else {
            throw ShardError("The move of shard \(number) is not complete: call it again first.")
        }
        for row in found {
            if onlyForgets {
                try await places.database.execute(Self.forget(row))
                say("\(name(of: row)) is forgotten.")
            } else {
                try await drop(row)
                say("\(name(of: row)) is dropped.")
            }
        }
    }

    /// Broken off in between it is done again. Of several processes one does it.
    private func drop(_ row: Row) async throws {
        let name = name(of: row)
        let isDropped = try await places.database.transaction { transaction in
            let found = try await transaction.query(
                """
                select version from moved_schema where shard = \(Int16(row.shard)) and version = \(row.version)
                for update skip locked
                """, as: Int32.self)
            guard !found.isEmpty else { return false }
            try await dropSchema(name, at: row.place)
            try transaction.beforeCommit(Self.forget(row))
            return true
        }
        guard isDropped else { return }
        context.log.info(
            "the old schema of a shard that has moved is dropped",
            ["shard": .integer(Int64(row.shard)), "schema": .string(name)])
    }

    private func dropSchema(_ name: String, at place: String?) async throws {
        let statement: SQL = "drop schema if exists \(identifier: name) cascade"
        guard let place else {
            try await places.database.execute(statement)
            return
        }
        let settings = try JSONDecoder().decode(DatabaseSettings.self, from: Array(place.utf8))
        let database = try context.connect(to: settings) { $0.statementTime = .seconds(600) }
        let outcome: Result<Void, PostgresError>
        do throws(PostgresError) {
            try await database.execute(statement)
            outcome = .success(())
        } catch { outcome = .failure(error) }
        await context.disconnect(database)
        try outcome.get()
    }

    private static func forget(_ row: Row) -> SQL {
        "delete from moved_schema where shard = \(Int16(row.shard)) and version = \(row.version)"
    }
}

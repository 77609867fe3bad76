import JSON
import Postgres
import Primitives
import Service

/// Table `shard` of the service's own schema: where the shards beside the first are.
struct ShardPlaces: Sendable {
    /// Each has about a dozen background tasks, and connections of its own.
    static let countMax = 64

    /// One shard's row.
    struct Row: Sendable, PostgresRowDecodable {
        let number: Int
        /// Connection settings, in JSON; `nil` for a schema in the service's own database.
        let place: String?
        /// Counts the moves.
        let version: Int32
        /// Its schema was made. It is never made again: one that is lacking has moved.
        let isMade: Bool
        /// Where a move that has begun goes to.
        let movingTo: String?
        /// Where the shard was before a move whose traces there were not removed yet.
        let movedFrom: String?

        init(row: PostgresRow) throws(PostgresError) {
            number = try row["number"]
            place = try row["place"]
            version = try row["version"]
            isMade = try row["is_made"]
            movingTo = try row["moving_to"]
            movedFrom = try row["moved_from"]
        }

        /// Errors: `JSONError`.
        var settings: DatabaseSettings? {
            get throws { try place.map { try JSONDecoder().decode(DatabaseSettings.self, from: Array($0.utf8)) } }
        }
    }

    static let columns: SQL = "number, place, version, is_made, moving_to, moved_from"

    /// Of the service's own schema.
    let database: Database

    /// The schema of a shard.
    func schema(of number: Int) -> String { Self.schema(of: number, in: database) }

    static func schema(of number: Int, in database: Database) -> String {
        let own = database.configuration.searchPath.first ?? ""
        return number == 0 ? own : "\(own)_\(number)"
    }

    /// Where notifications of moves are sent.
    var channel: String { "shards \(schema(of: 0))" }

    /// The rows of shards 1 to `count` - 1, added where they are lacking. Errors: `ConfigurationError` when there are more.
    func rows(count: Int) async throws -> [Row] {
        let last = try await database.queryOne("select max(number) from shard", as: Int?.self) ?? nil
        if let last, last >= count {
            throw ConfigurationError(
                "There are \(last + 1) shards, and \"shards\" is \(count): their number only grows.")
        }
        guard count > 1 else { return [] }
        let numbers = (1..<count).map { Int16($0) }
        let answers = try await database.runBatch([
            "insert into shard (number) select * from unnest(\(numbers)) on conflict (number) do nothing",
            "select \(sql: Self.columns) from shard order by number",
        ])
        return try answers[1].rows.map { row throws(PostgresError) in try Row(row: row) }
    }

    func row(_ number: Int) async throws(PostgresError) -> Row? {
        try await database.queryOne(
            "select \(sql: Self.columns) from shard where number = \(Int16(number))", as: Row.self)
    }

    /// Makes a shard's schema, unless that was done before, whoever is first.
    func makeSchema(_ number: Int, with make: @escaping @Sendable () async throws -> Void) async throws {
        try await database.transaction { transaction in
            let isMade = try await transaction.queryOne(
                "select is_made from shard where number = \(Int16(number)) for update", as: Bool.self)
            guard isMade == false else { return }
            try await make()
            try await transaction.execute("update shard set is_made = true where number = \(Int16(number))")
        }
    }
}

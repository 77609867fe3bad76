import JSON
import Postgres
import Primitives
import Reactor
import Service

/// `trackme-ingestion shards …`: where the shards are, and their moves.
enum ShardCommand {
    static let name = "shards"
    static let summary =
        "list | move N --to SETTINGS | move N --cancel | drop-moved N: where logical shards are, and to another cluster"
    private static let usage = """
        Say shards list; shards move N --to SETTINGS, with the connection settings of the new place as "database" has them in the \
        configuration (JSON; "own" for the service's own database); or shards move N --cancel; \
        or shards drop-moved N, which drops the old schema that a move has left (with --forget it is only forgotten, \
        where its database is gone). Options of a move: --administrator \
        ROLE:PASSWORD_FILE, a superuser in both places; --from CONNECTION, how the new server reaches the old one.
        """

    /// Runs the command in `arguments`. Throws a sentence.
    static func run(
        _ context: ServiceContext<IngestionSettings>, _ arguments: [String],
        say: @escaping @Sendable (String) -> Void = { Console.say($0) }
    ) async throws {
        switch arguments.first {
        case "list" where arguments.count == 1: try await list(context, say)
        case "move": try await move(context, try Move(Array(arguments.dropFirst())), say)
        case "drop-moved": try await dropMoved(context, Array(arguments.dropFirst()), say)
        default: throw ShardError(usage)
        }
    }

    private static func dropMoved(
        _ context: ServiceContext<IngestionSettings>, _ arguments: [String], _ say: @Sendable (String) -> Void
    ) async throws {
        let options = arguments.dropFirst()
        guard let number = arguments.first.flatMap({ Int($0) }), (1..<ShardPlaces.countMax).contains(number),
            options.isEmpty || Array(options) == ["--forget"]
        else { throw ShardError(usage) }
        try await MovedSchemas(context).drop(ofShard: number, onlyForgets: !options.isEmpty, say)
    }

    // MARK: List

    private static func list(
        _ context: ServiceContext<IngestionSettings>, _ say: @Sendable (String) -> Void
    ) async throws {
        let places = ShardPlaces(database: context.database)
        say("0: \(places.schema(of: 0)) in the service's own database")
        for row in try await places.rows(count: context.settings.shardCount) {
            var words = "\(row.number): \(places.schema(of: row.number)) in \(try words(row.place))"
            if let to = row.movingTo { words += ", moving to \(try self.words(to))" }
            if row.movedFrom != nil { words += ", traces of its move are left: call it again" }
            if !row.isMade { words += ", not made yet" }
            say(words)
        }
        let moved = MovedSchemas(context)
        for row in try await moved.rows() {
            say(
                "\(row.shard): \(moved.name(of: row)) in \(try words(row.place)), left by a move, is dropped after \(moved.end(of: row))"
            )
        }
    }

    /// Of a place, without passwords (which are in files).
    private static func words(_ place: String?) throws -> String {
        guard let settings = try decoded(place) else { return "the service's own database" }
        return "\(settings.name) at \(settings.hosts.joined(separator: ", "))"
    }

    private static func decoded(_ place: String?) throws -> DatabaseSettings? {
        guard let place, !place.isEmpty else { return nil }
        do { return try JSONDecoder().decode(DatabaseSettings.self, from: Array(place.utf8)) } catch {
            throw ShardError("The connection settings cannot be used: \(error)")
        }
    }

    // MARK: Move

    /// What is asked for on the command line.
    struct Move: Sendable, Equatable {
        var number = 0
        /// JSON; empty for the service's own database; `nil` to cancel.
        var to: String?
        var administrator: (role: String, passwordFile: String)?
        var from: String?

        init(_ arguments: [String]) throws(ShardError) {
            var rest = arguments[...]
            guard let number = rest.popFirst().flatMap({ Int($0) }), (1..<ShardPlaces.countMax).contains(number)
            else { throw ShardError(usage) }
            self.number = number
            var cancels = false
            while let option = rest.popFirst() {
                if option == "--cancel" {
                    cancels = true
                    continue
                }
                guard let value = rest.popFirst() else { throw ShardError(usage) }
                switch option {
                case "--to": to = value == "own" ? "" : value
                case "--from": from = value
                case "--administrator":
                    let words = value.split(separator: ":", maxSplits: 1).map(String.init)
                    guard words.count == 2 else { throw ShardError(usage) }
                    administrator = (words[0], words[1])
                default: throw ShardError(usage)
                }
            }
            guard cancels != (to != nil) else { throw ShardError(usage) }
        }

        static func == (left: Move, right: Move) -> Bool {
            left.number == right.number && left.to == right.to && left.from == right.from
                && left.administrator?.role == right.administrator?.role
                && left.administrator?.passwordFile == right.administrator?.passwordFile
        }
    }

    private static func move(
        _ context: ServiceContext<IngestionSettings>, _ asked: Move, _ say: @escaping @Sendable (String) -> Void
    ) async throws {
        // Of two that move shards one waits for nothing.
        try await context.database.withConnection { connection in
            let key: SQL = "hashtextextended(\("moves of \(ShardPlaces(database: context.database).channel)"), 0)"
            guard try await connection.queryOne("select pg_try_advisory_lock(\(sql: key))", as: Bool.self) == true
            else {
                throw ShardError("A shard is being moved at this moment.")
            }
            let outcome: Result<Void, any Error>
            do {
                let move = try await prepared(context, asked, say)
                outcome = await move.outcome(cancels: asked.to == nil)
                await move.close()
            } catch { outcome = .failure(error) }
            try await connection.execute("select pg_advisory_unlock(\(sql: key))")
            try outcome.get()
        }
        try await MovedSchemas(context).dropDue()
    }

    /// The move, with connections to both places.
    static func prepared(
        _ context: ServiceContext<IngestionSettings>, _ asked: Move, _ say: @escaping @Sendable (String) -> Void
    ) async throws -> ShardMove {
        let places = ShardPlaces(database: context.database)
        guard let row = try await places.row(asked.number) else {
            throw ShardError(
                "There is no shard \(asked.number) that could be moved: the first stays in the service's own schema.")
        }
        guard let to = asked.to ?? row.movingTo else { throw ShardError("Shard \(asked.number) is not being moved.") }
        let schema = places.schema(of: asked.number)
        func settings(at place: String?) throws -> DatabaseSettings {
            guard let settings = try decoded(place) ?? context.settings(ofSchema: schema) else {
                throw ShardError("The settings of the service's own database are not known.")
            }
            guard settings.schema == schema else {
                throw ShardError("The schema of shard \(asked.number) is \(schema), there as here.")
            }
            return settings
        }
        func administrator(_ settings: DatabaseSettings) throws -> Database {
            var own = settings
            // The fence needs two at a time.
            own.connectionsMax = 4 * context.loops.loops.count
            if let (role, file) = asked.administrator { (own.user, own.passwordFile) = (role, file) }
            return try context.connect(to: own)
        }
        let there = try settings(at: to)
        let source = try administrator(try settings(at: row.movedFrom ?? row.place))
        return ShardMove(
            number: asked.number, places: places,
            replication: ShardReplication(
                schema: schema, source: source, target: try administrator(there),
                connectionInfo: asked.from ?? source.configuration.connectionInfo),
            service: try context.connect(to: there), place: to.isEmpty ? nil : to, say: say)
    }
}

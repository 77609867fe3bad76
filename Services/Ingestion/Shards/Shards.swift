import Feed
import Postgres
import Primitives
import Reactor
import Service

/// The shards of the service, and who is in which. The first one's schema is the service's own, which holds the directory, too.
final class Shards: Sendable {
    /// How long the service's start waits for the databases of its shards, at most.
    private static let startTime = Duration.seconds(5)

    private static let movedInterval = Duration.seconds(3600)

    let all: [Shard]
    private let places: ShardPlaces
    private let moved: MovedSchemas
    private let pacing: any Pacing
    /// `nil` with one shard.
    private let directory: Directory?

    /// Opens all shards. Those whose databases are not there come later.
    static func open(_ common: Shard.Common) async throws -> Shards {
        let (context, settings) = (common.context, common.context.settings)
        let places = ShardPlaces(database: context.database)
        let others = try await places.rows(count: settings.shardCount).map { try ShardPlace($0, places, context) }
        guard !others.isEmpty else {
            return Shards([Shard(0, in: context.database, common)], places, directory: nil, context)
        }
        let directory = Directory(
            count: settings.shardCount, in: context.database,
            peopleMax: settings.cachedPeopleMax)
        let following = Shard.Following(directory: directory, of: settings.shardCount)
        let shards = Shards(
            [Shard(0, in: context.database, common, following)]
                + others.map { Shard($0.number, in: $0.database, common, following, place: $0) },
            places, directory: directory, context)
        await shards.prepare()
        return shards
    }

    /// The databases of all shards, for what an operator does; waits until they are there.
    static func databases(_ context: ServiceContext<IngestionSettings>) async throws -> [Database] {
        let places = ShardPlaces(database: context.database)
        var databases = [context.database]
        for row in try await places.rows(count: context.settings.shardCount) {
            let place = try ShardPlace(row, places, context)
            try await place.prepare()
            databases.append(place.database)
        }
        return databases
    }

    /// Of the shards beside the first, those that were made: a new one is at the version of the migrations from its beginning.
    static func schemas(_ context: ServiceContext<IngestionSettings>) async throws -> [FurtherSchema] {
        let places = ShardPlaces(database: context.database)
        return try await places.rows(count: context.settings.shardCount).filter(\.isMade).map { row in
            FurtherSchema(
                places.schema(of: row.number), IngestionService.migrations,
                in: try ShardPlace(row, places, context).database)
        }
    }

    private init(
        _ all: [Shard], _ places: ShardPlaces, directory: Directory?, _ context: ServiceContext<IngestionSettings>
    ) {
        self.all = all
        self.places = places
        moved = MovedSchemas(context)
        pacing = context.pacing
        self.directory = directory
    }

    /// Those that are there; what is left is done by tasks.
    private func prepare() async {
        await withTaskGroup(of: Void.self) { group in
            for place in all.compactMap(\.place) {
                // The task that goes on with it reports what fails.
                group.addTask { try? await place.prepare() }
            }
            group.addTask { try? await EventLoop.current?.sleep(for: Self.startTime) }
            for await _ in group where all.allSatisfy({ $0.place?.isPrepared ?? true }) { break }
            group.cancelAll()
        }
    }

    /// The shard of a person, who is given one at first sight. Errors: `PostgresError.connection` when its database is not there
    /// yet.
    func shard(of account: UUID) async throws -> Shard {
        guard let directory else { return all[0] }
        let number = try await directory.shard(of: account)
        guard number < all.count else {
            throw PostgresError.connection(detail: "shard \(number) was added after this process had started")
        }
        guard all[number].place?.isPrepared ?? true else {
            throw PostgresError.connection(detail: "shard \(number) is not there yet")
        }
        return all[number]
    }

    /// Adds what the shards serve, and what runs on its own.
    func add(to parts: inout ServiceParts) {
        FeedProducer.register(all.map(\.producer), in: &parts.rpc)
        for shard in all { shard.addTasks(to: &parts) }
        guard directory != nil else { return }
        let others = all.compactMap(\.place)
        parts.readiness += others.map(\.readiness)
        for place in others {
            parts.tasks.append(
                BackgroundTask("shard \(place.number)") { if !place.isPrepared { try await place.prepare() } })
        }
        parts.tasks.append(
            .periodic("old schemas of shards", every: Self.movedInterval, pacing: pacing) { [moved] in
                try await moved.dropDue()
            })
        parts.tasks.append(
            BackgroundTask("moves of shards") { [places] in
                for await _ in places.database.listen(to: [places.channel]) {
                    for place in others { try await place.look() }
                }
            })
    }
}

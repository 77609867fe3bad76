import Contracts
import Feed
import Postgres
import Primitives
import Reactor
public import Service

/// The anonymous statistics, from which group requests are answered. A module that knows nothing of requests, consents
/// or accounts; the rest of the service sees this type, and questions with their answers as JSON. `Privacy.md` explains why its
/// answers are safe.
public enum AnonymousStatistics {
    static let migrations = [Migration(1, "start", PackageResources._0001_start_sql), FeedSchema.consumer(2)]

    /// Adds the intake of profiles and day values, with a database of their own; what answers questions from it.
    public static func add<Settings>(
        to parts: inout ServiceParts, _ context: ServiceContext<Settings>, database settings: DatabaseSettings
    ) async throws -> GroupRequests {
        let database = try await context.openDatabase(settings, migrations: migrations)
        let pool = try BlockingPool(threads: 1, queueMax: 64)
        parts.atStop.append { pool.shutdown() }
        let price = PrivacyPrice()
        AgeComparison(database: database, price: price, clock: context.clock).register(in: &parts.rpc)
        let groups = GroupRequests(
            database: database, ledger: PrivacyLedger(caps: PrivacyCaps()), price: price,
            clock: context.clock, pool: pool, places: ComputingPlaces(GroupRequests.computedMax), quiet: .seconds(2))
        addIntake(to: &parts, context, database)
        return groups
    }

    /// The columns of that database that are sealed with the service's field keys.
    public static func sealedColumns<Settings>(
        _ context: ServiceContext<Settings>, database settings: DatabaseSettings
    ) async throws -> SealedDatabase {
        SealedDatabase(
            [.parkedEvents(of: context.name)], in: try await context.openDatabase(settings, migrations: migrations))
    }

    /// For the subcommands that migrate it.
    public static func schema<Settings>(
        _ context: ServiceContext<Settings>, database settings: DatabaseSettings
    ) throws -> FurtherSchema {
        FurtherSchema(settings.schema, migrations, in: try context.connect(to: settings))
    }

    private static func addIntake<Settings>(
        to parts: inout ServiceParts, _ context: ServiceContext<Settings>, _ database: Database
    ) {
        let profiles = context.consumer(
            of: Accounts.profilesFeed, from: .accounts, into: database, handler: ProfileIntake(clock: context.clock))
        let rollups = context.consumer(
            of: Ingestion.rollupsFeed, from: .ingestion, into: database, handler: RollupIntake(clock: context.clock))
        let lacking = LackingDays(
            database: database, ingestion: context.peers[ServiceName.ingestion.rawValue], clock: context.clock)
        let removal = ValueRemoval(database: database, metrics: context.metrics)
        parts.tasks += [
            BackgroundTask("profiles") { await profiles.run() },
            BackgroundTask("rollups") { await rollups.run() },
            .periodic("lacking-days", every: LackingDays.interval, pacing: context.pacing) { try await lacking.ask() },
            .periodic("column-merging", every: .seconds(5), pacing: context.pacing) {
                while try await ColumnStore.mergeSome(in: database) { try Task.checkCancellation() }
            },
            .periodic("value-removal", every: ValueRemoval.interval, pacing: context.pacing) {
                try await removal.run()
            },
        ]
    }
}

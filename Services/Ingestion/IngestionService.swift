import Contracts
import Edge
import Feed
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Collects people's samples and returns them: to the people themselves (My Health), to the query service, live to
/// services that watch them, and as anonymous rollups.
enum IngestionService: ServiceDefinition {
    static let name = ServiceName.ingestion.rawValue
    static let openAPI = PackageResources.openapi_json
    static let keepsPlans = true
    static let migrations = [
        Migration(1, "start", PackageResources._0001_start_sql),
        FeedSchema.producer(2, feeds: [Ingestion.liveFeed, Ingestion.rollupsFeed]), FeedSchema.consumer(3),
        ErasureSchema.follower(4), AuditSchema.people(5), TokenTrust.migration(6),
    ]
    static let subcommands = [
        Subcommand<IngestionService>(ShardCommand.name, ShardCommand.summary) { try await ShardCommand.run($0, $1) },
        Subcommand<IngestionService>(CheckUploadCommand.name, CheckUploadCommand.summary) {
            try CheckUploadCommand.run($1)
        },
    ]
    static let keyMigrations =
        KeyStoreSchema.migrations + [Migration(3, "publications", PackageResources.keys_0003_publications_sql)]

    /// How often is checked whether a day is due to be closed.
    private static let closeInterval = Duration.seconds(600)
    private static let keyInterval = Duration.seconds(3600)

    static func check(_ settings: IngestionSettings) throws(ConfigurationError) { try settings.check() }

    static func build(_ context: ServiceContext<IngestionSettings>) async throws -> ServiceParts {
        try await build(context, computingOn: .computing) { Deadline.now() }
    }

    /// `threads` are those for people's questions and the jobs of the shards, `keyTime` is the time by which keys that nobody uses are
    /// dropped from memory.
    static func build(
        _ context: ServiceContext<IngestionSettings>, computingOn threads: BlockingPool,
        keyTime: @escaping @Sendable () -> Deadline
    ) async throws -> ServiceParts {
        try context.settings.check()
        let keys = try await context.openKeyStore(
            context.settings.keystore, migrations: keyMigrations, peopleMax: context.settings.cachedPeopleMax,
            now: keyTime)
        let publicationKeys = PublicationKeys(database: keys.store.database, cipher: keys.cipher)
        let importThreads = try BlockingPool(
            threads: 1, queueMax: ImportWorker.together * ShardPlaces.countMax, nice: 10)
        let dispatcher = ServiceName.dispatcher.rawValue
        let wearers = WearerStates(
            from: context.peers.contains(dispatcher) ? context.peers[dispatcher] : nil, observer: context.observer)
        let watched = WatchedMemory()
        let common = Shard.Common(
            context: context, keys: keys, publicationKeys: publicationKeys, watched: watched, threads: threads,
            importThreads: importThreads, wearers: wearers)
        let provisional = ProvisionalSamples(
            to: context.peers[dispatcher], people: watched, clock: context.clock, observer: context.observer)
        let shards = try await Shards.open(common)
        let closer = RollupCloser(
            counter: DayCounter(shards: shards.all, keys: keys, log: context.log, threads: common.threads),
            publicationKeys: publicationKeys, clock: context.clock, isHeld: context.settings.rollups?.hold == true)
        let closing = ClosingJob(closer: closer, withholding: context.withholding, log: context.log)
        context.metrics.gauges(
            "trackme_ingestion_closing",
            "How much of a step of closing days is done, 0 to 1, while this process is at it.",
            labels: ["step"]
        ) { closer.progress.current.map { [([$0.step.rawValue], $0.share)] } ?? [] }

        let pages = try HealthPages(assets: context.assets)

        var parts = ServiceParts()
        // Alarms go on without it.
        parts.needsDatabase = false
        parts.http { routes in
            UploadRoutes.add(to: &routes, provisional: provisional) { try await shards.shard(of: $0).uploadRoutes }
            ImportRoutes.add(to: &routes) { try await shards.shard(of: $0).importRoutes }
            MyHealthRoutes.add(to: &routes) { try await shards.shard(of: $0).myHealthRoutes }
            TrackingRoutes.add(to: &routes) { try await shards.shard(of: $0).trackingRoutes }
            DeletionRoutes.add(to: &routes) { try await shards.shard(of: $0).deletionRoutes }
            LocationRoutes.add(to: &routes) { try await shards.shard(of: $0).locationRoutes }
            HealthRoutes.add(to: &routes) { try await shards.shard(of: $0).healthRoutes }
            pages?.add(to: &routes)
        }
        let audit = AuditTrail(database: context.database)
        AuditUpkeep(audit, context).add(to: &parts, pacing: context.pacing)
        let entries = AuditWriter(audit)
        let withholding = context.withholding
        let shown: @Sendable (UUID) async throws -> Shard = {
            try withholding.checkCall()
            return try await shards.shard(of: $0)
        }
        TypesMethod.register(in: &parts.rpc, noting: entries) { try await shown($0).typesMethod }
        CollectedMethod.register(in: &parts.rpc, log: context.log) { try await shown($0) }
        SampleExport.register(in: &parts.rpc) { try await shown($0).sampleExport }
        ReadMethod.register(in: &parts.rpc, noting: entries) { try await shown($0).readMethod }
        ReadManyMethod.register(in: &parts.rpc, noting: entries) {
            try withholding.checkCall()
        } of: {
            try await shards.shard(of: $0)
        }
        AggregateMethod.register(in: &parts.rpc, noting: entries) { try await shown($0).aggregateMethod }
        TouchedMethod.register(in: &parts.rpc, noting: entries) { try await shown($0).touchedMethod }
        ReadGapMethod.register(in: &parts.rpc, noting: entries) { try await shards.shard(of: $0).readGapMethod }
        CloseDaysMethod(job: closing, clock: context.clock).register(in: &parts.rpc)
        PublishDaysMethod(closer: closer).register(in: &parts.rpc)
        shards.add(to: &parts)
        parts.keep(context.tokenTrust, context, pacing: context.pacing)
        parts.authentication = Authentication(context.authenticator) { identity in
            // An alarm depends on no others.
            guard !identity.isOverdue || watched.person(identity.account) != nil else { throw Authenticator.expired }
        }
        // The service's own schema has the erasures of all shards.
        parts.add(keys, RestoredKeyStore(keys, context, erasuresIn: context.database))
        parts.tasks += [
            BackgroundTask("provisional", carriesAlarms: true) { await provisional.run() },
            .periodic("rollups", every: closeInterval, pacing: context.pacing) {
                try await closing.runAll()
            },
            .periodic("keys of publications", every: keyInterval, pacing: context.pacing) {
                try await publicationKeys.destroyOld()
            },
        ]
        if let task = wearers.task { parts.tasks.append(task) }
        parts.atStopping.append { common.counters.stopWaiting() }
        parts.atStop.append { importThreads.shutdown() }
        return parts
    }
}

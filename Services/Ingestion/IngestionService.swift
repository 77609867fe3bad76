import Contracts
import Feed
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Collects people's samples and returns them: to the people themselves (My Health), to the query service, live to
/// services that watch them, and as anonymous rollups.
enum IngestionService: ServiceDefinition {
    static let name = ServiceName.ingestion.rawValue
    static let openAPI = PackageResources.openapi_json
    static let migrations = [
        Migration(1, "start", PackageResources._001_start_sql),
        FeedSchema.producer(2, feeds: [Ingestion.liveFeed, Ingestion.rollupsFeed]), FeedSchema.consumer(3),
    ]
    static let keyMigrations = [Migration(1, "start", PackageResources.keys_0001_start_sql)]

    /// How often is checked whether a day is due to be closed.
    private static let closeInterval = Duration.seconds(600)
    private static let reportInterval = Duration.seconds(900)
    private static let silenceInterval = Duration.seconds(1800)
    private static let tidyInterval = Duration.seconds(3600)
    private static let watchKept = Duration.seconds(86_400)

    static func build(_ context: ServiceContext<IngestionSettings>) async throws -> ServiceParts {
        let (database, clock, log) = (context.database, context.clock, context.log)
        let keyDatabase = try await context.openDatabase(context.settings.keystore, migrations: keyMigrations)
        let cipher = FieldCipher(context.keys.fields)
        let keys = SubjectKeys(
            store: KeyStore(database: keyDatabase), cipher: cipher,
            peopleMax: context.settings.cachedPeople ?? SubjectKeys.peopleMaxDefault)
        let publicationKeys = PublicationKeys(database: keyDatabase, cipher: cipher)
        let producer = FeedProducer(
            database: database,
            feeds: [
                LiveFeed.definition(keys, database, log),
                RollupEvents.feed(in: database, publicationKeys, log),
            ], retention: context.feeds, observer: context.observer)
        let threads = BlockingPool.computing
        let samples = PersonSamples(database: database, keys: keys, threads: threads)
        let sealing = SealJob(
            sealer: Sealer(database: database, keys: keys, threads: threads, observer: context.observer), log: log)
        let counters = ArrivalCounters()
        let writer = ArrivalWriter(
            database: database, live: LiveFeed(producer), counters: counters, sealing: sealing,
            sourceNames: BlindIndex(master: context.keys.blindIndex, column: "ingestion.source.identity"), clock: clock,
            peopleMax: context.settings.cachedPeople ?? SubjectKeys.peopleMaxDefault)
        let contents = BlindIndex(master: context.keys.blindIndex, column: "ingestion.arrival.content")
        let closer = RollupCloser(
            database: database, keys: keys, publicationKeys: publicationKeys, producer: producer, clock: clock,
            log: log, threads: threads, sealing: sealing, isHeld: context.settings.rollups?.hold == true)
        let closing = ClosingJob(closer: closer, log: log)

        let imports = try Imports(
            database: database, keys: keys, writer: writer, contents: contents, clock: clock, log: log)

        let contexts = PersonContexts(database: database, keys: keys)
        let reader = HealthReader(samples: samples, contexts: contexts, clock: clock)
        let outbox = NoticeOutbox(context, table: NoticeTable(hasEmail: true))
        let reports = ReportJob(
            database: database, keys: keys, reader: reader, outbox: outbox, clock: clock, log: log)
        let silent = SilentDevices(database: database, keys: keys, outbox: outbox, clock: clock, log: log)

        var parts = ServiceParts()
        // Alarms go on without it.
        parts.needsDatabase = false
        parts.http { routes in
            UploadRoutes(
                database: database, keys: keys, writer: writer, contents: contents,
                clock: clock, ceiling: UploadCeiling(), ignoredMembers: .ignoredMembers(of: "uploads", context.metrics)
            ).add(to: &routes)
            imports.routes.add(to: &routes)
            MyHealthRoutes(database: database, samples: samples, contexts: contexts).add(to: &routes)
            LocationRoutes(samples: samples, contexts: contexts, clock: clock).add(to: &routes)
            HealthRoutes(reader: reader, query: context.peers[ServiceName.query.rawValue]).add(to: &routes)
        }
        TypesMethod(database: database).register(in: &parts.rpc)
        ReadMethod(database: database, keys: keys, counters: counters, threads: threads).register(in: &parts.rpc)
        ReadGapMethod(database: database, keys: keys, threads: threads, clock: clock).register(in: &parts.rpc)
        CloseDaysMethod(job: closing, database: database, clock: clock).register(in: &parts.rpc)
        PublishDaysMethod(closer: closer).register(in: &parts.rpc)
        parts.publish(producer)

        parts.tasks += [
            consumer(context, of: Accounts.changesFeed, .accounts, AccountChanges(keys: keys, clock: clock)),
            consumer(context, of: Dispatcher.watchFeed, .dispatcher, WatchChanges(source: .dispatcher)),
            consumer(context, of: Track4Run.watchFeed, .track4run, WatchChanges(source: .track4run)),
            .periodic("rollups", every: closeInterval, pacing: context.pacing) {
                try await closing.run()
                try await closer.publishWanted()
            },
            BackgroundTask("sealing at once") { try await sealing.sealRequested() },
            .periodic("weekly reports", every: reportInterval, pacing: context.pacing) { try await reports.run() },
            .periodic("silent devices", every: silenceInterval, pacing: context.pacing) { try await silent.run() },
            .periodic("tidying", every: tidyInterval, pacing: context.pacing) {
                try await ArrivalDays.add(in: database)
                try await sealing.sealDays()
                try await database.execute(WatchStore.deleteEnded(before: clock.now() - watchKept))
                try await database.execute(ImportJobStore.deleteAbandoned)
                try await publicationKeys.destroyOld()
                _ = try await UploadLedger(database: database).shrink(before: clock.now() - UploadLedger.timeKept)
            },
        ]
        imports.add(to: &parts, in: database)
        parts.tasks += outbox.tasks
        parts.atStopping.append { counters.stopWaiting() }
        return parts
    }

    private static func consumer(
        _ context: ServiceContext<IngestionSettings>, of feed: String, _ service: ServiceName,
        _ handler: any FeedHandler
    ) -> BackgroundTask {
        var settings = FeedConsumerSettings()
        // The feeds that tell whom to watch.
        settings.carriesAlarms = service == .dispatcher
        let consumer = context.consumer(
            of: feed, from: service, into: context.database, handler: handler, settings: settings)
        return BackgroundTask("consumer of \(feed)") { await consumer.run() }
    }
}

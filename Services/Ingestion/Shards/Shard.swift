import Contracts
import Feed
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// A logical shard: some of the people, in a schema of their own (all of `Migrations/0001-start.sql`, outbox included), and all
/// that works on it. No transaction spans two.
final class Shard: Sendable {
    /// What the shards of a process have in common.
    struct Common: Sendable {
        let context: ServiceContext<IngestionSettings>
        let keys: SubjectKeys
        let publicationKeys: PublicationKeys
        var watched = WatchedMemory()
        let counters = ArrivalCounters()
        let ceiling = UploadCeiling()
        let turns = CommitTurns()
        /// For people's questions and the jobs of the shards.
        var threads = BlockingPool.computing
        /// For the neighbours' questions.
        let neighbourThreads = BlockingPool.neighbours
        /// Imported files are read on it, in turns.
        let importThreads: BlockingPool
        let wearers: WearerStates
    }

    /// How the shards follow the feeds of other services, where there are several.
    struct Following: Sendable {
        let directory: Directory
        let acknowledgements: [String: CommonAcknowledgement]

        init(directory: Directory, of count: Int) {
            self.directory = directory
            acknowledgements = Dictionary(
                uniqueKeysWithValues: [
                    Accounts.changesFeed, Accounts.erasuresFeed, Dispatcher.watchFeed, Track4Run.watchFeed,
                    Query.watchFeed,
                ].map {
                    ($0, CommonAcknowledgement(of: count))
                })
        }
    }

    let number: Int
    let database: Database
    /// Where it is; `nil` for the first one, which is in the service's own schema.
    let place: ShardPlace?
    let producer: FeedProducer
    let sealing: SealJob
    /// For what can wait while uploads come.
    let throttle: Throttle
    let outbox: NoticeOutbox
    private let common: Common
    private let keys: SubjectKeys
    private let following: Following?
    private let recent: RecentlyStored
    private let writer: ArrivalWriter
    private let imports: Imports
    private let deletions: Deletions
    private let reader: HealthReader

    let uploadRoutes: UploadRoutes
    var importRoutes: ImportRoutes { imports.routes }
    let myHealthRoutes: MyHealthRoutes
    let locationRoutes: LocationRoutes
    let trackingRoutes: TrackingRoutes
    var deletionRoutes: DeletionRoutes { deletions.routes }
    let healthRoutes: HealthRoutes
    let typesMethod: TypesMethod
    let readMethod: ReadMethod
    let aggregateMethod: AggregateMethod
    let touchedMethod: TouchedMethod
    let sampleExport: SampleExport
    let readGapMethod: ReadGapMethod

    init(
        _ number: Int, in database: Database, _ common: Common, _ following: Following? = nil, place: ShardPlace? = nil
    ) {
        let (context, threads) = (common.context, common.threads)
        let (clock, log) = (context.clock, context.log)
        let keys = common.keys.keys(except: SealedRows.people(in: database, context.observer))
        self.keys = keys
        self.number = number
        self.database = database
        self.common = common
        self.following = following
        self.place = place
        var feeds = [LiveFeed.definition(keys, log)]
        // Closed days are of all shards together.
        if number == 0 { feeds.append(RollupEvents.feed(in: database, common.publicationKeys, log)) }
        let names = Set(feeds.map(\.name))
        producer = FeedProducer(
            database: database, feeds: feeds, shard: number,
            retention: number == 0 ? context.feeds : context.feeds.filter { names.contains($0.key) },
            observer: context.observer)
        let uploads = BusyMeter()
        throttle = Throttle(uploads: uploads)
        sealing = SealJob(
            sealer: Sealer(
                database: database, keys: keys, threads: threads, observer: context.observer,
                quotaBytes: context.settings.quotaBytesMax, step: { KillPoint($0).pass() }), throttle: throttle,
            shard: number, observer: context.observer)
        let contents = BlindIndex(master: context.keys.blindIndex, column: "ingestion.arrival.content")
        let sourceNames = BlindIndex(master: context.keys.blindIndex, column: "ingestion.source.identity")
        recent = RecentlyStored(log: log)
        let writer = ArrivalWriter(
            database: database, live: LiveFeed(producer), counters: common.counters, sealing: sealing,
            sourceNames: sourceNames, clock: clock, uploads: uploads, turns: common.turns,
            watched: common.watched, recent: recent, shard: number, peopleMax: context.settings.cachedPeopleOfShardMax)
        self.writer = writer
        let samples = PersonSamples(database: database, keys: keys, threads: threads)
        let contexts = PersonContexts(database: database, keys: keys)
        reader = HealthReader(samples: samples, contexts: contexts, clock: clock)
        outbox = NoticeOutbox(
            context, table: NoticeTable(hasEmail: true), keys: keys, in: database
        ) { [reader] notice in try await WeeklyReport.completed(notice, by: reader) }
        imports = Imports(
            database: database, keys: keys, writer: writer, contents: contents,
            earlier: EarlierExports(database: database, sourceNames: sourceNames, pool: common.importThreads),
            pool: common.importThreads, throttle: throttle, sealing: sealing,
            count: ImportCount(database: database, shard: number, metrics: context.metrics), clock: clock, log: log)
        deletions = Deletions(database: database, keys: keys, threads: threads, clock: clock, log: log)

        uploadRoutes = UploadRoutes(
            database: database, keys: keys, writer: writer, contents: contents, clock: clock, ceiling: common.ceiling,
            ignoredMembers: .ignoredMembers(of: "uploads", context.metrics), wearers: common.wearers)
        myHealthRoutes = MyHealthRoutes(database: database, samples: samples, contexts: contexts)
        trackingRoutes = TrackingRoutes(
            database: database, samples: samples, contexts: contexts, clock: clock,
            quotaBytes: context.settings.quotaBytesMax)
        locationRoutes = LocationRoutes(samples: samples, contexts: contexts, clock: clock)
        healthRoutes = HealthRoutes(reader: reader, query: context.peers[ServiceName.query.rawValue])
        typesMethod = TypesMethod(database: database)
        sampleExport = SampleExport(
            database: database, samples: samples, contexts: contexts, sealing: sealing, clock: clock)
        let asked = PersonSamples(database: database, keys: keys, threads: common.neighbourThreads)
        readMethod = ReadMethod(
            database: database, keys: keys, counters: common.counters, threads: common.neighbourThreads,
            first: FirstArrivals(samples: asked), counted: CountedPieces(contexts: contexts, samples: asked),
            hasOtherReplicas: { [producer] in producer.hasOtherReplicas })
        aggregateMethod = AggregateMethod(database: database, samples: samples, contexts: contexts)
        touchedMethod = TouchedMethod(database: database, samples: samples, contexts: contexts)
        readGapMethod = ReadGapMethod(
            database: database, keys: keys, threads: common.neighbourThreads, clock: clock)
    }

    /// Everybody whose report is not made yet is looked at: on Sunday evening that is everybody.
    private static let reportInterval = Duration.seconds(3600)
    private static let silenceInterval = Duration.seconds(1800)
    private static let tidyInterval = Duration.seconds(3600)
    private static let watchKept = Duration.seconds(86_400)

    /// Adds what runs on its own.
    func addTasks(to parts: inout ServiceParts) {
        let (common, context) = (common, common.context)
        let live = LiveFeed(producer)
        let reports = ReportJob(
            database: database, keys: keys, outbox: outbox, clock: context.clock, log: context.log)
        let silent = SilentDevices(
            startedAt: context.clock.now(), database: database, outbox: outbox, clock: context.clock)
        let erasures = ErasureFollower(SampleErasure(clock: context.clock), context, in: database, keys: keys)
        erasures.add(to: &parts, isThere: number == 0, pacing: context.pacing)
        // Every shard is told of everybody.
        if number == 0 { erasures.answer(Ingestion.KnownErasures.self, in: &parts.rpc) }
        parts.tasks += [
            BackgroundTask("feeds") { await self.producer.run() },
            consumer(
                of: Accounts.changesFeed, .accounts,
                AccountChanges(keys: keys, database: database, live: live, clock: context.clock)),
            consumer(of: Accounts.erasuresFeed, .accounts, erasures, batchMax: ErasureFollower.batchMax),
            consumer(of: Dispatcher.watchFeed, .dispatcher, WatchChanges(source: .dispatcher, live: live)),
            consumer(of: Track4Run.watchFeed, .track4run, WatchChanges(source: .track4run, live: live)),
            consumer(of: Query.watchFeed, .query, WatchChanges(source: .query, live: live)),
            BackgroundTask("sealing at once") { try await self.sealing.sealRequested() },
            .periodic(
                "watched people", every: WatchedMemory.interval, carriesAlarms: true, pacing: context.pacing
            ) { try await common.watched.keep(shard: self.number, in: self.database, at: context.clock.now()) },
            .periodic(
                "promotions", every: RecentlyStored.interval, carriesAlarms: true, pacing: context.pacing
            ) {
                try await self.recent.look(
                    try await RecentlyStored.timeline(of: self.database), at: context.clock.now()
                ) { try await self.writer.store($0) }
            },
            .periodic("weekly reports", every: Self.reportInterval, pacing: context.pacing) { try await reports.run() },
            .periodic("silent devices", every: Self.silenceInterval, pacing: context.pacing) { try await silent.run() },
            .periodic("tidying", every: Self.tidyInterval, pacing: context.pacing) { try await self.tidy() },
        ]
        imports.add(to: &parts, in: database, pacing: context.pacing)
        deletions.add(to: &parts, in: database)
        parts.retention.append(EntryLedger.retention(in: database))
        parts.tasks += outbox.tasks
        parts.atStopping.append { self.producer.stopWaiting() }
    }

    private func tidy() async throws {
        let now = common.context.clock.now()
        try await ArrivalDays.add(in: database)
        try await FutureArrivals.bringBack(in: database)
        try await sealing.sealDays()
        try await database.execute(WatchStore.deleteEnded(before: now - Self.watchKept))
        try await database.execute(ImportJobStore.deleteAbandoned(at: now))
        let old = now - UploadLedger.timeKept
        // A day's at once: otherwise each source would have a transaction whenever this runs.
        _ = try await UploadLedger(database: database).shrink(before: old, due: old - .seconds(86_400))
    }

    private func consumer(
        of feed: String, _ service: ServiceName, _ handler: any FeedHandler, batchMax: Int? = nil
    ) -> BackgroundTask {
        var settings = FeedConsumerSettings()
        if let batchMax { settings.batchMax = batchMax }
        // The feeds that tell whom to watch.
        settings.carriesAlarms = service == .dispatcher
        if number > 0 { settings.label = " into shard \(number)" }
        var caller: (any RPCCaller)?
        var own = handler
        if let following, let common = following.acknowledgements[feed] {
            caller = CommonAcknowledgement.Caller(
                caller: self.common.context.peers[service.rawValue], shard: number, common: common)
            own = ShardHandler(handler: handler, shard: number, directory: following.directory)
        }
        let consumer = common.context.consumer(
            of: feed, from: service, through: caller, into: database, handler: own, settings: settings)
        return BackgroundTask("consumer of \(feed)") { await consumer.run() }
    }
}

import Contracts
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// The parts of the service; tests use them one by one.
struct Track4RunParts: Sendable {
    let store: Store
    let live: LiveRuns
    let planning: RunPlanning
    let enrolling: Enrolling
    let checkIns: CheckInRequests
    let starting: Starting
    let ranking: Ranking
    let consents: ConsentHandler
    let samples: LiveSamplesHandler
    let missed: MissedSamples
    let erasure: RunErasure
    /// Compares paths.
    let pool: BlockingPool
    private let context: ServiceContext<Track4RunSettings>

    init(_ context: ServiceContext<Track4RunSettings>, _ allKeys: SubjectKeys) throws(IOError) {
        self.context = context
        let log = context.log
        let feeds = FeedProducer(
            database: context.database, feeds: [WatchPublisher.definition(database: context.database)],
            retention: context.feeds, observer: context.observer)
        let keys = allKeys.keys(except: SealedRows.people(in: context.database, context.observer))
        store = Store(
            database: context.database, keys: keys, clock: context.clock, feeds: feeds,
            notices: NoticeOutbox(context, keys: keys), log: log)
        let runs = RunStore(keys: keys)
        let watches = WatchPublisher(feeds: feeds)
        let (accounts, query) = (
            context.peers[ServiceName.accounts.rawValue], context.peers[ServiceName.query.rawValue]
        )
        live = LiveRuns(database: context.database, keys: keys, rules: context.settings.rules, log: log)
        pool = try BlockingPool(threads: 1, queueMax: 64, nice: 19)
        planning = RunPlanning(
            store: store, runs: runs, watches: watches, accounts: accounts, settings: context.settings,
            neighbours: RunNeighbours(
                store: store, runs: runs, settings: context.settings, unreadable: context.unreadable, pool: pool))
        enrolling = Enrolling(store: store, runs: runs, watches: watches, live: live, accounts: accounts)
        checkIns = CheckInRequests(
            store: store, runs: runs, query: query, settings: context.settings, log: context.log)
        starting = Starting(store: store, runs: runs)
        ranking = Ranking(store: store, runs: runs, watches: watches, live: live, settings: context.settings)
        consents = ConsentHandler(store: store, runs: runs, watches: watches, live: live)
        samples = LiveSamplesHandler(
            live: live, progresses: ProgressStore(keys: keys, log: log), clock: context.clock, log: log)
        missed = MissedSamples(
            store: store, live: live, progresses: samples.progresses,
            ingestion: context.peers[ServiceName.ingestion.rawValue])
        erasure = RunErasure(store: store, runs: runs, planning: planning, watches: watches, live: live)
    }

    func parts() throws -> ServiceParts {
        var parts = ServiceParts()
        parts.publish(store.feeds)
        let export = RunExport(store: store, runs: planning.runs)
        parts.rpc.register(Track4Run.Export.self, allow: [ServiceName.accounts.rawValue]) { params, _ in
            try await export.page(params)
        }
        try addRoutes(to: &parts)
        parts.tasks += tasks
        AuditUpkeep(AuditTrail(database: context.database), context).add(to: &parts, pacing: context.pacing)
        parts.add(store.keys, RestoredKeyStore(store.keys, context, erasuresIn: context.database))
        let erasures = ErasureFollower(erasure, context, in: context.database, keys: store.keys)
        erasures.add(to: &parts, following: erasures.consumer(context), pacing: context.pacing)
        erasures.answer(Track4Run.KnownErasures.self, in: &parts.rpc)
        let live = live
        let pool = pool
        parts.atStop.append { pool.shutdown() }
        context.metrics.gauge("trackme_spectators", "Spectators of runs, at this process.") {
            Double(live.spectatorCount)
        }
        let (starts, closings, readings) = (starting.retries, ranking.retries, missed.retries)
        context.metrics.gauge(
            "trackme_runs_held_up", "Runs that cannot be started or closed and are tried again: look into the log."
        ) { Double(starts.count + closings.count) }
        context.metrics.gauge(
            "trackme_runners_to_be_read", "Runners whose missed samples are to be read from ingestion, and fail to be."
        ) { Double(readings.count) }
        return parts
    }

    private func addRoutes(to parts: inout ServiceParts) throws {
        let runs = RunRoutes(
            store: store, runs: planning.runs, planning: planning,
            settings: context.settings, unreadable: context.unreadable)
        let enrolments = EnrolmentRoutes(enrolling: enrolling, runs: runs)
        let participants = ParticipantRoutes(
            store: store, audit: AuditTrail(database: context.database), runs: runs, unreadable: context.unreadable,
            accounts: context.peers[ServiceName.accounts.rawValue],
            misses: AddressLimit(
                max: ParticipantRoutes.missesMax, window: ParticipantRoutes.missesWindow, clock: context.clock))
        let spectators = LiveRoutes(live: live, runs: runs, store: store, settings: context.settings)
        parts.http { runs.add(to: &$0) }
        parts.http { RunChecks(runs: runs).add(to: &$0) }
        parts.http { enrolments.add(to: &$0) }
        parts.http { OwnEnrolments(runs: runs).add(to: &$0) }
        parts.http { participants.add(to: &$0) }
        parts.http { spectators.add(to: &$0) }
        let pages = try RunPages(runs: runs, spectators: spectators, assets: context.assets)
        parts.http { pages?.add(to: &$0) }
        let organisers = try OrganiserPages(runs: runs, assets: context.assets)
        parts.http { organisers?.add(to: &$0) }
    }

    private var tasks: [BackgroundTask] {
        let (clock, pacing, database) = (context.clock, context.pacing, context.database)
        let consents = context.consumer(of: Query.consentsFeed, from: .query, into: database, handler: consents)
        // A quiet feed, too, reports its position often enough for a ranking to become official soon after its time.
        var following = FeedConsumerSettings()
        following.wait = .seconds(5)
        following.parts = context.settings.liveParts
        let samples = context.consumer(
            of: Ingestion.liveFeed, from: .ingestion, into: database, handler: samples, settings: following)
        return [
            // Separate tasks: the check-ins wait for the query service, the others must not (NFR-03).
            .periodic("check-ins", every: .seconds(1), pacing: pacing) { try await checkIns.ask(at: clock.now()) },
            .periodic("starts", every: .seconds(1), pacing: pacing) { try await starting.startDue(at: clock.now()) },
            .periodic("live runs", every: .seconds(1), pacing: pacing) { try await live.refresh(at: clock.now()) },
            .periodic("rankings", every: .seconds(1), pacing: pacing) {
                try await ranking.closeDue(try await samples.progress(), at: clock.now())
            },
            .periodic("missed samples", every: .seconds(1), pacing: pacing) { try await missed.recover() },
            .periodic("tidy", every: .seconds(60), pacing: pacing) { try await database.execute(ProgressStore.tidy) },
            .periodic("broadcast", every: .milliseconds(560), pacing: pacing) { live.broadcast(at: clock.now()) },
            BackgroundTask("consents") { await consents.run() },
            BackgroundTask("live samples") { await samples.run() },
        ] + store.notices.tasks
    }
}

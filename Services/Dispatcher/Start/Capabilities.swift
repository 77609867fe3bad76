import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Everything that this service can do, wired together.
struct Capabilities: Sendable {
    /// About a day: by then the message is of no more use.
    private static let noticeAttemptsMax = 1440

    /// A medical record of ten years, handed over to an ambulance service: see deploy/README.md.
    private static let incidentDays = 3653

    let feeds: FeedProducer
    let live: FeedConsumer
    let liveHandler: LiveSamplesHandler
    /// `nil` when track4run is not configured: nobody runs.
    let runs: FeedConsumer?
    let people: WatchedPeople
    let store: IncidentStore
    let desk: HandOverDesk
    let caller: HookCaller
    let notices: NoticeOutbox
    let silence: SilenceWatch
    let backlog: BacklogWatch
    let gapReader: GapReader
    let erasures: ErasureFollower
    private let erasureConsumer: FeedConsumer
    private let watchedKeys: WatchedKeys
    private let destruction: KeyDestruction
    let restoredKeys: RestoredKeyStore
    private let context: ServiceContext<DispatcherSettings>
    let export: SOSExport
    let enrolmentRoutes: EnrolmentRoutes
    let incidentRoutes: IncidentRoutes
    let callbackRoutes: CallbackRoutes
    private let auditUpkeep: AuditUpkeep

    init(
        _ context: ServiceContext<DispatcherSettings>, keys: SubjectKeys, hooks: Hooks, tls: TLSContext?,
        times: HandOverTimes
    ) {
        self.context = context
        let (database, clock, log) = (context.database, context.clock, context.log)
        let accounts = context.peers[ServiceName.accounts.rawValue]
        let tokens = HandOverToken(master: context.keys.blindIndex)
        feeds = FeedProducer(
            database: database, feeds: [EnrolmentStore.feed(database)], retention: context.feeds,
            observer: context.observer)
        caller = HookCaller(loops: context.loops, tls: tls, clock: clock)
        notices = NoticeOutbox(context, table: .dispatcher, attemptsMax: Self.noticeAttemptsMax)
        store = IncidentStore(
            database: database, sealing: IncidentSealing(keys: keys), notices: notices, times: times, log: log)
        auditUpkeep = AuditUpkeep(store.audit, context)
        desk = HandOverDesk(
            HandOverServices(
                store: store, hooks: hooks, caller: caller, accounts: accounts, tokens: tokens,
                baseURL: context.baseURL, times: times, log: log, metrics: HandOverMetrics(context.metrics)),
            loops: context.loops)
        people = WatchedPeople(
            incidents: store, keys: keys, notices: notices, hooks: hooks, desk: desk,
            unwatched: UnwatchedPeople(log, context.metrics), log: log)
        let gaps = GapStore(database: database)
        liveHandler = LiveSamplesHandler(people: people, gaps: gaps, log: log)
        var following = FeedConsumerSettings()
        following.carriesAlarms = true
        following.parts = context.settings.liveParts ?? Ingestion.livePartsDefault
        let live = context.consumer(
            of: Ingestion.liveFeed, from: .ingestion, into: database, handler: liveHandler, settings: following)
        self.live = live
        runs =
            context.peers.contains(ServiceName.track4run.rawValue)
            ? context.consumer(of: Track4Run.watchFeed, from: .track4run, into: database, handler: RunWatch()) : nil
        silence = SilenceWatch(people: people, gaps: gaps, metrics: context.metrics) { try await live.progress() }
        backlog = BacklogWatch(people: people, gaps: gaps) { try await live.progress() }
        gapReader = GapReader(
            people: people, gaps: gaps, ingestion: context.peers[ServiceName.ingestion.rawValue]
        ) { try await live.progress() }
        let enrolments = EnrolmentStore(
            database: database, keys: keys.keys(except: .watched(in: database, context.observer)), feeds: feeds)
        erasures = ErasureFollower(
            SOSErasure(
                enrolments: enrolments, incidents: store,
                keptDays: context.keptDays("incidents", usually: Self.incidentDays), log: log),
            context, in: database, keys: keys)
        watchedKeys = WatchedKeys(keys: keys, database: database)
        destruction = KeyDestruction(of: keys, in: database)
        restoredKeys = RestoredKeyStore(keys, context, erasuresIn: database, and: destruction)
        erasureConsumer = erasures.consumer(context)
        export = SOSExport(enrolments: enrolments, incidents: store)
        enrolmentRoutes = EnrolmentRoutes(
            store: enrolments, notices: notices, accounts: accounts, clock: clock, log: context.log)
        incidentRoutes = IncidentRoutes(
            store: store, enrolments: enrolments, hooks: hooks, desk: desk)
        callbackRoutes = CallbackRoutes(
            store: store, hooks: hooks, tokens: tokens, desk: desk, clock: clock,
            ignoredMembers: .ignoredMembers(of: "call-backs", context.metrics))
        context.metrics.gauges(
            "trackme_handovers_outstanding",
            "Incidents of this process with a message that a configured hook has not received.", labels: ["hook"]
        ) { [desk] in
            let counts = await desk.outstanding()
            return hooks.all.map { ([$0.name], Double(counts[$0.name] ?? 0)) }
        }
    }

    func add(to parts: inout ServiceParts, pacing: any Pacing) {
        parts.http { routes in enrolmentRoutes.add(to: &routes) }
        parts.http { routes in incidentRoutes.add(to: &routes) }
        parts.http { routes in callbackRoutes.add(to: &routes) }
        parts.publish(feeds)
        parts.rpc.register(Dispatcher.Export.self, allow: [ServiceName.accounts.rawValue]) { [export] params, _ in
            try await export.page(params)
        }
        let (database, clock) = (store.database, context.clock)
        parts.tasks += [
            BackgroundTask("live-samples", carriesAlarms: true) { await live.run() },
            BackgroundTask("hand-over", carriesAlarms: true) { await desk.run() },
            .periodic("silence", every: SilenceWatch.interval, carriesAlarms: true, pacing: pacing) {
                try await silence.look()
            },
            .periodic("gaps", every: GapReader.interval, carriesAlarms: true, pacing: pacing) {
                try await gapReader.look()
            },
            .periodic("backlog", every: BacklogWatch.interval, carriesAlarms: true, pacing: pacing) {
                try await backlog.look()
            },
            .periodic("watched-keys", every: WatchedKeys.interval, carriesAlarms: true, pacing: pacing) {
                try await watchedKeys.keep()
            },
            .periodic("putting-away", every: IncidentStore.puttingAwayInterval, pacing: pacing) {
                try await store.putAway()
            },
            .periodic("key-destruction", every: KeyDestruction.interval, pacing: pacing) {
                try await destruction.run(at: clock.now())
            },
            .periodic("tidy", every: .seconds(3600), pacing: pacing) {
                try await database.batch([RunWatch.tidy, KeyDestruction.forget(at: clock.now())])
            },
            .periodic("restricted-incidents", every: IncidentStore.restrictingInterval, pacing: pacing) {
                try await store.restrictDue()
            },
        ]
        erasures.add(to: &parts, following: erasureConsumer, pacing: pacing)
        erasures.answer(Dispatcher.KnownErasures.self, in: &parts.rpc)
        auditUpkeep.add(to: &parts, pacing: pacing)
        parts.tasks += notices.tasks
        parts.addWhenThere(watchedKeys.keys, restoredKeys, context)
        parts.retention.append(
            RetentionRule("incidents", days: Self.incidentDays) {
                try await store.delete(openedBefore: $0, at: clock.now())
            })
        if let runs { parts.tasks.append(BackgroundTask("runs") { await runs.run() }) }
        parts.atStop.append {
            await desk.stop()
            caller.close()
        }
    }
}

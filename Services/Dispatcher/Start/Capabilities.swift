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
    let export: SOSExport
    let enrolmentRoutes: EnrolmentRoutes
    let incidentRoutes: IncidentRoutes
    let callbackRoutes: CallbackRoutes
    private let auditUpkeep: AuditUpkeep

    init(
        _ context: ServiceContext<DispatcherSettings>, hooks: Hooks, tls: TLSContext?, times: HandOverTimes
    ) {
        let (database, clock, log) = (context.database, context.clock, context.log)
        let columns = SealedColumns(cipher: FieldCipher(context.keys.fields))
        let accounts = context.peers[ServiceName.accounts.rawValue]
        let tokens = HandOverToken(master: context.keys.blindIndex)
        feeds = FeedProducer(
            database: database, feeds: [EnrolmentStore.feed(database)], retention: context.feeds,
            observer: context.observer)
        caller = HookCaller(loops: context.loops, tls: tls, clock: clock)
        notices = NoticeOutbox(context, table: .dispatcher, attemptsMax: Self.noticeAttemptsMax)
        store = IncidentStore(database: database, columns: columns, notices: notices, times: times, log: log)
        auditUpkeep = AuditUpkeep(store.audit, context)
        desk = HandOverDesk(
            HandOverServices(
                store: store, hooks: hooks, caller: caller, accounts: accounts, tokens: tokens,
                baseURL: context.baseURL, times: times, log: log, metrics: HandOverMetrics(context.metrics)),
            loops: context.loops)
        people = WatchedPeople(
            incidents: store, columns: columns, notices: notices, hooks: hooks, desk: desk, log: log)
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
        silence = SilenceWatch(people: people, metrics: context.metrics) { try await live.progress() }
        backlog = BacklogWatch(people: people) { try await live.progress() }
        gapReader = GapReader(
            people: people, gaps: gaps, ingestion: context.peers[ServiceName.ingestion.rawValue]
        ) { try await live.progress() }
        let enrolments = EnrolmentStore(database: database, columns: columns, feeds: feeds)
        erasures = ErasureFollower(
            SOSErasure(
                enrolments: enrolments, incidents: store,
                keptDays: context.keptDays("incidents", usually: Self.incidentDays), clock: clock),
            context, in: database)
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
        let database = store.database
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
            .periodic("tidy", every: .seconds(3600), pacing: pacing) { try await database.execute(RunWatch.tidy) },
            .periodic("restricted-incidents", every: .seconds(60), pacing: pacing) { try await store.restrictDue() },
        ]
        erasures.add(to: &parts, following: erasureConsumer, pacing: pacing)
        erasures.answer(Dispatcher.KnownErasures.self, in: &parts.rpc)
        auditUpkeep.add(to: &parts, pacing: pacing)
        parts.tasks += notices.tasks
        parts.retention.append(
            RetentionRule(
                "incidents", days: Self.incidentDays, table: "incident", column: "opened_at", where: "state = 'closed'",
                in: store.database))
        if let runs { parts.tasks.append(BackgroundTask("runs") { await runs.run() }) }
        parts.atStop.append {
            await desk.stop()
            caller.close()
        }
    }
}

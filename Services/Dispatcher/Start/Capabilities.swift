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
    /// A day or so: what was told of is over by then.
    private static let noticeAttemptsMax = 1440

    let feeds: FeedProducer
    let live: FeedConsumer
    let liveHandler: LiveSamplesHandler
    let store: IncidentStore
    let desk: HandOverDesk
    let caller: HookCaller
    let notices: NoticeOutbox
    let silence: SilenceWatch
    let enrolmentRoutes: EnrolmentRoutes
    let incidentRoutes: IncidentRoutes
    let callbackRoutes: CallbackRoutes

    init(
        _ context: ServiceContext<DispatcherSettings>, hooks: Hooks, tls: TLSContext?, times: HandOverTimes
    ) {
        let (database, clock, log) = (context.database, context.clock, context.log)
        let columns = SealedColumns(cipher: FieldCipher(context.keys.fields))
        let accounts = context.peers[ServiceName.accounts.rawValue]
        let tokens = HandOverToken(master: context.keys.blindIndex)
        feeds = FeedProducer(database: database, feeds: [EnrolmentStore.feed(database)], observer: context.observer)
        caller = HookCaller(loops: context.loops, tls: tls, clock: clock)
        notices = NoticeOutbox(context, table: .dispatcher, attemptsMax: Self.noticeAttemptsMax)
        let incidents = IncidentStore(database: database, columns: columns, lease: times.lease)
        store = incidents
        desk = HandOverDesk(
            HandOverServices(
                store: incidents, hooks: hooks, caller: caller, accounts: accounts, tokens: tokens,
                baseURL: context.baseURL, clock: clock, times: times, log: log,
                metrics: HandOverMetrics(context.metrics)), loops: context.loops)
        liveHandler = LiveSamplesHandler(
            incidents: incidents, columns: columns, notices: notices, hooks: hooks, desk: desk, clock: clock, log: log)
        live = context.consumer(of: Ingestion.liveFeed, from: .ingestion, into: database, handler: liveHandler)
        silence = SilenceWatch(database: database, columns: columns, notices: notices, clock: clock, log: log)
        let enrolments = EnrolmentStore(database: database, columns: columns, feeds: feeds)
        enrolmentRoutes = EnrolmentRoutes(
            store: enrolments, notices: notices, accounts: accounts, clock: clock)
        incidentRoutes = IncidentRoutes(
            store: incidents, enrolments: enrolments, hooks: hooks, desk: desk, clock: clock)
        callbackRoutes = CallbackRoutes(
            store: incidents, notices: notices, hooks: hooks, tokens: tokens, desk: desk, clock: clock)
    }

    func add(to parts: inout ServiceParts, pacing: any Pacing) {
        parts.http { routes in enrolmentRoutes.add(to: &routes) }
        parts.http { routes in incidentRoutes.add(to: &routes) }
        parts.http { routes in callbackRoutes.add(to: &routes) }
        parts.publish(feeds)
        parts.tasks += [
            BackgroundTask("live-samples") { await live.run() },
            BackgroundTask("hand-over") { await desk.run() },
            notices.task,
            .periodic("silence", every: SilenceWatch.interval, pacing: pacing) { _ = try await silence.look() },
        ]
        parts.atStop.append {
            await desk.stop()
            caller.close()
        }
    }
}

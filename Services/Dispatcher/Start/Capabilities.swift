import Contracts
import Domain
import Edge
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Everything that this service can do, wired together.
final class Capabilities: Sendable {
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
    let probes: HookProbes
    let handOverMetrics: HandOverMetrics
    let notices: NoticeOutbox
    let silence: SilenceWatch
    let backlog: BacklogWatch
    let gapReader: GapReader
    let standby: Standby
    let standbyWatch: StandbyWatch
    let journal: LocalJournal
    let rosterKeeper: RosterKeeper
    let enrolledPeople: EnrolledPeople
    private let accountChanges: FeedConsumer
    let provisional: ProvisionalJudge
    private let enrolments: EnrolmentStore
    let erasures: ErasureFollower
    let contacts: Contacts
    let alarms: Alarms
    let deadMan: DeadManSwitch?
    private let erasureConsumer: FeedConsumer
    let watchedKeys: WatchedKeys
    private let destruction: KeyDestruction
    let restoredKeys: RestoredKeyStore
    let context: ServiceContext<DispatcherSettings>
    let export: SOSExport
    let enrolmentRoutes: EnrolmentRoutes
    let thresholdsRoutes: ThresholdsRoutes
    let incidentRoutes: IncidentRoutes
    let callbackRoutes: CallbackRoutes
    let pauseRoutes: PauseRoutes
    let wearers: WearerTeller
    let wearerWatch: WearerWatch
    let wearerRoutes: WearerRoutes
    let fileRoutes: IncidentFileRoutes
    /// `nil` where AutomatedSOS costs nothing.
    let subscriptions: Subscriptions?
    private let auditUpkeep: AuditUpkeep

    init(
        _ context: ServiceContext<DispatcherSettings>, keys: SubjectKeys, hooks: Hooks,
        messageHooks: MessageHooks = MessageHooks(), tls: TLSContext?, times: HandOverTimes,
        contactTimes: ContactTimes = ContactTimes(), alarmTimes: AlarmTimes? = nil,
        broker: Replaceable<BrokerHook>? = nil, journal: LocalJournal
    ) {
        self.context = context
        self.journal = journal
        standby = Standby()
        let (database, clock, log) = (context.database, context.clock, context.log)
        let accounts = context.peers[ServiceName.accounts.rawValue]
        let tokens = HandOverToken(master: context.keys.blindIndex)
        feeds = FeedProducer(
            database: database, feeds: [EnrolmentStore.feed(database), WearerTeller.feed(database)],
            retention: context.feeds,
            observer: context.observer)
        caller = HookCaller(loops: context.loops, tls: tls, clock: clock)
        notices = NoticeOutbox(context, table: .dispatcher, attemptsMax: Self.noticeAttemptsMax)
        store = IncidentStore(
            database: database, sealing: IncidentSealing(keys: keys), notices: notices, times: times, log: log)
        auditUpkeep = AuditUpkeep(store.audit, context)
        let bell = AlarmBell(context.metrics)
        enrolments = EnrolmentStore(
            database: database, keys: keys.keys(except: .watched(in: database, context.observer)), feeds: feeds,
            contacts: ContactStore(
                database: database, keys: ContactKeys(master: context.keys.blindIndex), times: contactTimes))
        contacts = Contacts(
            context, cipher: keys.cipher, incidents: store, enrolments: enrolments, hooks: messageHooks, tls: tls,
            times: contactTimes)
        alarms = Alarms(
            context, bell: bell, incidents: store, hooks: messageHooks, tls: tls,
            times: alarmTimes ?? (context.settings.alarms ?? AlarmSettings()).times)
        let (enrolments, outbox) = (enrolments, notices)
        subscriptions = broker.flatMap { hook in
            context.settings.payments.map {
                Subscriptions(context, $0, hook: hook, enrolments: enrolments, notices: outbox, tls: tls)
            }
        }
        handOverMetrics = HandOverMetrics(context.metrics)
        desk = HandOverDesk(
            HandOverServices(
                store: store, local: journal, hooks: hooks, caller: caller, accounts: accounts, tokens: tokens,
                baseURL: context.baseURL, times: times, log: log, bell: bell, metrics: handOverMetrics),
            loops: context.loops)
        probes = HookProbes(
            hooks, caller: caller, baseURL: context.baseURL, clock: clock, log: log, metrics: handOverMetrics,
            times: times.probes
        ) { hook, change, reason in
            switch change {
            case .dead: bell.ring(OperatorAlarm(.hookDead, about: hook, detail: reason ?? ""))
            case .alive: bell.end(.hookDead, about: hook)
            }
        }
        let gaps = GapStore(database: database)
        people = WatchedPeople(
            incidents: store, keys: keys, notices: notices, hooks: hooks, desk: desk,
            unwatched: UnwatchedPeople(log, context.metrics, bell), standby: standby, gaps: gaps,
            contacts: contacts.desk, bell: bell, log: log)
        let live = LiveMonitors(people: people, metrics: context.metrics)
        standbyWatch = StandbyWatch(people: people, desk: desk, metrics: context.metrics)
        rosterKeeper = RosterKeeper(people: people)
        liveHandler = LiveSamplesHandler(people: people, live: live, gaps: gaps, standby: standbyWatch, log: log)
        var following = FeedConsumerSettings()
        following.carriesAlarms = true
        following.foresight = HandOverDesk.commitMax
        // What is judged in memory costs no transaction.
        following.batchMax = FeedRead.eventsMax
        following.parts = context.settings.liveParts ?? Ingestion.livePartsDefault
        let consumer = context.consumer(
            of: Ingestion.liveFeed, from: .ingestion, into: database, handler: liveHandler, settings: following)
        self.live = consumer
        runs =
            context.peers.contains(ServiceName.track4run.rawValue)
            ? context.consumer(
                of: Track4Run.watchFeed, from: .track4run, into: database, handler: RunWatch(roster: standby.roster))
            : nil
        silence = SilenceWatch(people: people, gaps: gaps, metrics: context.metrics) { try await consumer.progress() }
        backlog = BacklogWatch(people: people, gaps: gaps) { try await consumer.progress() }
        gapReader = GapReader(
            people: people, gaps: gaps, ingestion: context.peers[ServiceName.ingestion.rawValue]
        ) { try await consumer.progress() }
        provisional = ProvisionalJudge(people: people, standby: standbyWatch)
        enrolledPeople = EnrolledPeople(database: database, keys: keys, accounts: accounts, log: log)
        accountChanges = context.consumer(
            of: Accounts.changesFeed, from: .accounts, into: database, handler: AccountChanges())
        wearers = WearerTeller(database: database, feeds: feeds, changes: store.changed, log: log)
        wearerWatch = WearerWatch(database: database)
        let (desk, notices, store) = (desk, notices, store)
        deadMan = context.settings.deadManInterval.map { interval in
            DeadManSwitch(
                incidents: store, hooks: hooks, notices: notices, desk: desk, bell: bell, log: log,
                metrics: context.metrics, interval: interval
            ) { (try await consumer.progress().age).map { $0 <= FeedFreshness.ageMax } ?? false }
        }
        erasures = ErasureFollower(
            SOSErasure(
                enrolments: enrolments, incidents: store, roster: standby.roster, wearers: wearers,
                keptDays: context.keptDays("incidents", usually: Self.incidentDays),
                invoiceDays: context.keptDays("invoices", usually: Subscriptions.paidDays), clock: clock, log: log),
            context, in: database, keys: keys)
        watchedKeys = WatchedKeys(keys: keys, database: database, roster: standby.roster)
        destruction = KeyDestruction(of: keys, in: database)
        restoredKeys = RestoredKeyStore(keys, context, erasuresIn: database, and: destruction)
        erasureConsumer = erasures.consumer(context)
        let thresholds = ThresholdsStore(database: database, keys: enrolments.keys)
        export = SOSExport(
            enrolments: enrolments, thresholds: thresholds, incidents: store, contacts: contacts.own,
            subscriptions: SubscriptionStore(database: database))
        thresholdsRoutes = ThresholdsRoutes(
            store: thresholds, enrolments: enrolments,
            history: HistoryReader(ingestion: context.peers[ServiceName.ingestion.rawValue]), notices: notices,
            roster: standby.roster, clock: clock)
        enrolmentRoutes = EnrolmentRoutes(
            store: enrolments, conditions: WearerConditions(ageMin: context.settings.enrolmentAgeMin),
            subscriptions: subscriptions, notices: notices, accounts: accounts, roster: standby.roster, clock: clock,
            log: context.log)
        pauseRoutes = PauseRoutes(
            store: enrolments, notices: notices, subscriptions: subscriptions, clock: clock)
        let calls = ManualCalls(
            keeper: StoredPresses(store: store, enrolments: enrolments, notices: notices), hooks: hooks, desk: desk,
            people: people,
            calls: context.metrics.counter(
                "trackme_manual_calls_total", "Emergencies that were opened with the SOS button."))
        incidentRoutes = IncidentRoutes(
            store: store, enrolments: enrolments, hooks: hooks, desk: desk, calls: calls)
        wearerRoutes = WearerRoutes(
            teller: wearers, watch: wearerWatch, calls: calls, authenticator: context.authenticator, clock: clock,
            ignoredMembers: .ignoredMembers(of: "devices", context.metrics))
        fileRoutes = IncidentFileRoutes(files: IncidentFiles(store: store, contacts: contacts.own, clock: clock))
        callbackRoutes = CallbackRoutes(
            hooks: hooks, tokens: tokens, desk: desk, clock: clock, standby: standby,
            ignoredMembers: .ignoredMembers(of: "call-backs", context.metrics))
        context.metrics.gauges(
            "trackme_handovers_outstanding",
            "Incidents of this process with a message that a configured hook has not received.", labels: ["hook"]
        ) { [desk] in
            let counts = await desk.outstanding()
            return hooks.all.map { ([$0.name], Double(counts[$0.name] ?? 0)) }
        }
        context.metrics.gauges(
            "trackme_hook_alive",
            "Whether the hook answers the probes of this process: 0 for a minute or more means that the operator was alarmed.",
            labels: ["hook"]
        ) { [probes] in
            probes.alive.sorted { $0.key < $1.key }.map { ([$0.key], $0.value ? 1 : 0) }
        }
    }

    func add(to parts: inout ServiceParts, pacing: any Pacing) {
        addStandby(to: &parts, pacing: pacing)
        parts.http { [self] routes in enrolmentRoutes.add(to: &routes) }
        parts.http { [self] routes in thresholdsRoutes.add(to: &routes) }
        parts.http { [self] routes in incidentRoutes.add(to: &routes) }
        parts.http { [self] routes in callbackRoutes.add(to: &routes) }
        parts.http { [self] routes in pauseRoutes.add(to: &routes) }
        parts.http { [self] routes in wearerRoutes.add(to: &routes) }
        parts.http { [self] routes in fileRoutes.add(to: &routes) }
        parts.http { routes in ReceiverDocument.add(to: &routes) }
        parts.publish(feeds)
        parts.rpc.register(Dispatcher.Export.self, allow: [ServiceName.accounts.rawValue]) { [export] params, _ in
            try await export.page(params)
        }
        ProvisionalMethod(judge: provisional).register(in: &parts.rpc)
        parts.keep(context.tokenTrust, context, pacing: pacing)
        parts.authentication = Authentication(context.authenticator) { [enrolments] identity in
            guard identity.isOverdue, await !enrolments.admitsOverdue(identity.account) else { return }
            throw Authenticator.expired
        }
        let (database, clock) = (store.database, context.clock)
        parts.tasks += [
            BackgroundTask("live-samples", carriesAlarms: true) { [self] in await live.run() },
            BackgroundTask("hand-over", carriesAlarms: true) { [self] in await desk.run() },
            BackgroundTask("wearers") { [self] in await wearers.run() },
            BackgroundTask("streams of wearers") { [self, log = context.log] in
                await wearerWatch.run(store.changed) { error in
                    log.warning("streams of wearers lag behind", ["error": Log.text(of: error)])
                }
            },
            .periodic(
                "pauses", every: EnrolmentStore.resumingInterval, carriesAlarms: true, pacing: pacing
            ) { [self, log = context.log, enrolments = enrolmentRoutes.store] in
                try await enrolments.resumeDue(at: clock.now(), telling: notices, log: log)
            },
            .periodic("hook-probes", every: probes.times.interval, pacing: pacing) { [self] in await probes.round() },
            .periodic("silence", every: SilenceWatch.interval, carriesAlarms: true, pacing: pacing) { [self] in
                try await silence.look()
            },
            .periodic("gaps", every: GapReader.interval, carriesAlarms: true, pacing: pacing) { [self] in
                try await gapReader.look()
            },
            .periodic("backlog", every: BacklogWatch.interval, carriesAlarms: true, pacing: pacing) { [self] in
                try await backlog.look()
            },
            .periodic("watched-keys", every: WatchedKeys.interval, carriesAlarms: true, pacing: pacing) { [self] in
                try await watchedKeys.keep()
            },
            .periodic("provisional", every: ProvisionalJudge.interval, carriesAlarms: true, pacing: pacing) {
                [provisional] in try await provisional.settle()
            },
            .periodic("putting-away", every: IncidentStore.puttingAwayInterval, pacing: pacing) { [self] in
                try await store.putAway()
            },
            .periodic("key-destruction", every: KeyDestruction.interval, pacing: pacing) { [self] in
                try await destruction.run(at: clock.now())
            },
            .periodic("tidy", every: .seconds(3600), pacing: pacing) {
                try await database.batch([RunWatch.tidy, WatchChange.tidy, KeyDestruction.forget(at: clock.now())])
            },
            .periodic("restricted-incidents", every: IncidentStore.restrictingInterval, pacing: pacing) { [self] in
                try await store.restrictDue()
            },
        ]
        erasures.add(to: &parts, following: erasureConsumer, pacing: pacing)
        erasures.answer(Dispatcher.KnownErasures.self, in: &parts.rpc)
        auditUpkeep.add(to: &parts, pacing: pacing)
        contacts.add(to: &parts, pacing: pacing)
        alarms.add(to: &parts)
        if let subscriptions {
            subscriptions.add(to: &parts, pacing: pacing)
        } else {
            parts.http { routes in SubscriptionRoutes.addWithoutPrice(to: &routes) }
        }
        parts.retention += Subscriptions.retention(in: database)
        if let deadMan {
            parts.tasks.append(BackgroundTask("dead-man") { try await deadMan.run(pacing: pacing) })
        }
        parts.tasks += notices.tasks
        parts.addWhenThere(watchedKeys.keys, restoredKeys, context)
        parts.retention.append(
            RetentionRule("incidents", days: Self.incidentDays) { [store] in
                try await store.delete(openedBefore: $0, at: clock.now())
            })
        parts.tasks.append(BackgroundTask("account-changes") { [accountChanges] in await accountChanges.run() })
        if let runs { parts.tasks.append(BackgroundTask("runs") { await runs.run() }) }
        parts.atStop.append { [self] in
            await desk.stop()
            journal.close()
            caller.close()
        }
    }
}

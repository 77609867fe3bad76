import Contracts
import Domain
import Edge
import Feed
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import Statistics

/// Requests and consents between third parties and individuals, the delivery of consented data, and the anonymous
/// statistics.
enum QueryService: ServiceDefinition {
    static let name = ServiceName.query.rawValue
    static let openAPI = PackageResources.openapi_json

    static let migrations = [
        Migration(1, "start", PackageResources._0001_start_sql),
        FeedSchema.producer(2, feeds: [Query.consentsFeed, Query.watchFeed]), FeedSchema.consumer(3),
        ErasureSchema.follower(4), AuditSchema.people(5), Idempotency.migration(6),
        Migration(7, "events", PackageResources._0007_events_sql),
        Migration(8, "webhooks", PackageResources._0008_webhooks_sql),
        Migration(9, "payments", PackageResources._0009_payments_sql),
        Migration(10, "telling", PackageResources._0010_telling_sql),
    ]
    static let subcommands = [
        Subcommand<QueryService>(LimitsCommand.name, LimitsCommand.summary) { context, arguments in
            Console.say(try await LimitsCommand(context).run(arguments))
        }
    ]

    static func check(_ settings: QuerySettings) throws(ConfigurationError) {
        if let payments = settings.payments { _ = try BrokerHook.load(payments.broker) }
    }

    static func build(_ context: ServiceContext<QuerySettings>) async throws -> ServiceParts {
        let keys = try await context.openKeyStore(context.settings.keystore).keys(
            except: SealedRows.people(in: context.database, context.observer))
        let store = RequestStore(keys: keys)
        let producer = FeedProducer(
            database: context.database,
            feeds: [
                ConsentFeed.definition(store, in: context.database, clock: context.clock),
                WatchFeed.definition(in: context.database, clock: context.clock),
            ],
            retention: context.feeds, observer: context.observer)
        var parts = ServiceParts()
        parts.publish(producer)
        let groups = try await AnonymousStatistics.add(
            to: &parts, context, database: context.settings.statisticsDatabase)
        try addRequests(to: &parts, context, store, producer, groups)
        parts.add(keys, RestoredKeyStore(keys, context, erasuresIn: context.database))
        let pages = try ConsentPages(
            assets: context.assets, hasPayments: context.settings.payments != nil,
            groupPrice: context.settings.payments?.groupPrice)
        parts.http { pages?.add(to: &$0) }
        return parts
    }

    private static func addRequests(
        to parts: inout ServiceParts, _ context: ServiceContext<QuerySettings>, _ store: RequestStore,
        _ producer: FeedProducer, _ groups: GroupRequests
    ) throws(ConfigurationError) {
        let (database, clock) = (context.database, context.clock)
        let accounts = context.peers[ServiceName.accounts.rawValue]
        let ingestion = context.peers[ServiceName.ingestion.rawValue]
        let audit = AuditTrail(database: database)
        AuditUpkeep(audit, context).add(to: &parts, pacing: context.pacing)
        let outbox = NoticeOutbox(context, keys: store.keys)
        let payments = try Payments(context, outbox: outbox, log: EventLog(keys: store.keys))
        let events = Events(context, store: store, audit: audit, pricing: payments?.pricing)
        let life = RequestLife(
            database: database, store: store, outbox: outbox,
            feed: ConsentFeed(producer: producer), watches: WatchFeed(producer: producer), events: events, clock: clock,
            log: context.log, settings: context.settings.requests,
            unreadable: context.unreadable, pricing: payments?.pricing)
        events.add(
            to: &parts, context,
            Availability(
                life, ingestion: ingestion, settling: .seconds(60 * context.settings.unavailableAfterMinutes)))
        let retries = life.retries
        context.metrics.gauge(
            "trackme_requests_held_up", "Requests that cannot be closed and are tried again: look into the log."
        ) { Double(retries.count) }
        let search = SearchLimit(
            database: database,
            index: BlindIndex(master: context.keys.blindIndex, column: "query.search_attempt.searched"),
            limits: context.settings.searchLimits, log: context.log)
        let creation = RequestCreation(
            life: life, audit: audit, search: search, accounts: accounts, ingestion: ingestion, clock: clock,
            settings: context.settings.requests)
        let checkIns = CheckIns(life: life, accounts: accounts, clock: clock)
        let idempotency = Idempotency(context)
        let third = ThirdPartyRoutes(
            creation: creation, batch: RequestBatch(creation: creation, log: context.log), life: life,
            idempotency: idempotency)
        let own = IndividualRoutes(life: life)
        let group = GroupRoutes(
            groups: groups, history: GroupHistory(database: database, clock: clock, pricing: payments?.pricing))
        Webhooks(context, life: life).add(to: &parts)
        Mailings(context, life: life).add(to: &parts, context)
        parts.http { third.register(on: &$0) }
        parts.http { own.register(on: &$0) }
        parts.http { group.register(on: &$0) }
        parts.rpc.register(Query.RequestCheckIn.self, allow: [ServiceName.track4run.rawValue]) { params, _ in
            try await checkIns.request(params)
        }
        let erasures = ErasureFollower(
            ConsentErasure(
                life: life, historyDays: context.keptDays("requests", usually: HistoryRetention.requestDays),
                searchDays: context.keptDays("searches", usually: HistoryRetention.searchDays),
                invoiceDays: context.keptDays("invoices", usually: Payments.paidDays)),
            context, in: database, keys: store.keys)
        let export = RequestExport(
            life: life, webhooks: WebhookStore(database: database, cipher: FieldCipher(context.keys.fields)))
        parts.rpc.register(Query.Export.self, allow: [ServiceName.accounts.rawValue]) { params, _ in
            try await export.page(params)
        }
        erasures.add(to: &parts, following: erasures.consumer(context), pacing: context.pacing)
        erasures.answer(Query.KnownErasures.self, in: &parts.rpc)
        parts.tasks += outbox.tasks
        let unpaid = payments?.add(to: &parts, context, life: life)
        let passedOver =
            payments == nil ? PassedOverData(store: InvoiceStore(database: database), life: life) : nil
        parts.tasks.append(idempotency.cleaning(pacing: context.pacing))
        parts.tasks.append(
            .periodic("request-closing", every: .seconds(1), pacing: context.pacing) {
                _ = try await life.closeDue()
                try await unpaid?.close()
                try await passedOver?.release()
            })
        parts.retention +=
            HistoryRetention.rules(in: database) + [WebhookAttempts.rule(in: database)]
            + Payments.retention(in: database)
    }
}

import Contracts
import Domain
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
        Migration(1, "start", PackageResources._001_start_sql), FeedSchema.producer(2, feeds: [Query.consentsFeed]),
        FeedSchema.consumer(3), ErasureSchema.follower(4), AuditSchema.people(5),
    ]

    static func build(_ context: ServiceContext<QuerySettings>) async throws -> ServiceParts {
        let keys = try await context.openKeyStore(context.settings.keystore).keys(
            except: SealedRows.people(in: context.database, context.observer))
        let store = RequestStore(keys: keys)
        let producer = FeedProducer(
            database: context.database,
            feeds: [ConsentFeed.definition(store, in: context.database, clock: context.clock)],
            retention: context.feeds, observer: context.observer)
        var parts = ServiceParts()
        parts.publish(producer)
        addRequests(to: &parts, context, store, producer)
        parts.add(keys, RestoredKeyStore(keys, context, erasuresIn: context.database))
        let pages = try ConsentPages(assets: context.assets)
        parts.http { pages?.add(to: &$0) }
        try await AnonymousStatistics.add(
            to: &parts, context, database: context.settings.statisticsDatabase)
        return parts
    }

    private static func addRequests(
        to parts: inout ServiceParts, _ context: ServiceContext<QuerySettings>, _ store: RequestStore,
        _ producer: FeedProducer
    ) {
        let (database, clock) = (context.database, context.clock)
        let accounts = context.peers[ServiceName.accounts.rawValue]
        let ingestion = context.peers[ServiceName.ingestion.rawValue]
        let cipher = FieldCipher(context.keys.fields)
        let audit = AuditTrail(database: database)
        AuditUpkeep(audit, context).add(to: &parts, pacing: context.pacing)
        let outbox = NoticeOutbox(context, keys: store.keys)
        let watch = ConsentWatch()
        let life = RequestLife(
            database: database, store: store, outbox: outbox,
            feed: ConsentFeed(producer: producer),
            watch: watch, clock: clock, log: context.log, settings: context.settings.requests,
            unreadable: context.unreadable)
        let retries = life.retries
        context.metrics.gauge(
            "trackme_requests_held_up", "Requests that cannot be closed and are tried again: look into the log."
        ) { Double(retries.count) }
        let search = SearchLimit(
            database: database,
            index: BlindIndex(master: context.keys.blindIndex, column: "query.search_attempt.searched"),
            searchesMax: context.settings.searchesMax)
        let creation = RequestCreation(
            life: life, audit: audit, search: search, accounts: accounts, ingestion: ingestion, clock: clock,
            settings: context.settings.requests)
        let deliveries = Deliveries(
            database: database, store: life.store, audit: audit, watch: watch, ingestion: ingestion, clock: clock)
        let checkIns = CheckIns(life: life, accounts: accounts, clock: clock)
        let third = ThirdPartyRoutes(creation: creation, life: life)
        let own = IndividualRoutes(life: life)
        let places = WaitingPlaces(
            allMax: context.settings.waitingMax, perRequesterMax: context.settings.waitingPerThirdPartyMax)
        let delivery = DeliveryRoutes(
            authenticator: context.authenticator, deliveries: deliveries, places: places,
            cursors: DeliveryCursor(cipher: cipher), clock: clock)
        parts.http { third.register(on: &$0) }
        parts.http { own.register(on: &$0) }
        parts.http { delivery.register(on: &$0) }
        parts.rpc.register(Query.RequestCheckIn.self, allow: [ServiceName.track4run.rawValue]) { params, _ in
            try await checkIns.request(params)
        }
        let erasures = ErasureFollower(
            ConsentErasure(
                life: life, historyDays: context.keptDays("requests", usually: HistoryRetention.requestDays),
                searchDays: context.keptDays("searches", usually: HistoryRetention.searchDays)),
            context, in: database, keys: store.keys)
        let export = RequestExport(life: life)
        parts.rpc.register(Query.Export.self, allow: [ServiceName.accounts.rawValue]) { params, _ in
            try await export.page(params)
        }
        erasures.add(to: &parts, following: erasures.consumer(context), pacing: context.pacing)
        erasures.answer(Query.KnownErasures.self, in: &parts.rpc)
        parts.tasks += outbox.tasks
        parts.tasks.append(
            .periodic("request-closing", every: .seconds(1), pacing: context.pacing) { _ = try await life.closeDue() })
        parts.retention += HistoryRetention.rules(in: database)
    }
}

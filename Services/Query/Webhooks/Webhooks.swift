import Contracts
import Edge
import JSON
import Reactor
import Security
import Service

/// Webhooks, put together.
struct Webhooks: Sendable {
    let routes: WebhookRoutes
    let desk: WebhookDesk
    private let isSending: Bool

    init(
        _ context: ServiceContext<QuerySettings>, life: RequestLife, times: WebhookTimes = WebhookTimes(),
        authorityFile: String? = nil
    ) {
        // Without certificate authorities the service starts all the same, and each call says what is wrong.
        var tls: TLSContext?
        do throws(IOError) { tls = try TLSContext.client(authorityFile: authorityFile, oldest: .tls12) } catch {
            context.log.error("webhooks cannot be called", ["error": .string(error.description)])
        }
        isSending = context.settings.webhooks.sends
        let store = WebhookStore(database: context.database, cipher: FieldCipher(context.keys.fields))
        let services = WebhookServices(
            leases: WebhookLeases(store: store, times: times), writer: life.events.writer,
            permits: life.events.permits, departures: life.events.departures,
            caller: WebhookCaller(
                loops: context.loops, tls: tls, allowsPrivate: context.settings.webhooks.allowPrivateAddresses,
                clock: context.clock),
            places: CallPlaces(CallPlaces.callsMax, perThirdPartyMax: CallPlaces.callsPerThirdPartyMax),
            placesByHand: CallPlaces(CallPlaces.byHandMax, perThirdPartyMax: CallPlaces.byHandPerThirdPartyMax),
            standing: Standing(
                accounts: context.peers[ServiceName.accounts.rawValue], validFor: times.standingMax),
            outbox: life.outbox, metrics: WebhookMetrics(context.metrics), baseURL: context.baseURL,
            unreadable: context.unreadable, clock: context.clock, messages: context.log)
        desk = WebhookDesk(services, loops: context.loops)
        routes = WebhookRoutes(
            store: store, services: services, desk: desk, authenticator: context.authenticator,
            idempotency: Idempotency(context))
    }

    func add(to parts: inout ServiceParts) {
        let (routes, desk) = (routes, desk)
        parts.http { routes.register(on: &$0) }
        parts.tasks += desk.tasks(isSending: isSending)
        parts.atStop.append { await desk.stop() }
    }
}

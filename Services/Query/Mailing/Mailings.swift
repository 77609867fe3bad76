import Contracts
import Service

/// Mail as a way by which events reach third parties, put together.
struct Mailings: Sendable {
    let routes: MailingRoutes
    let desk: MailingDesk

    init(_ context: ServiceContext<QuerySettings>, life: RequestLife, times: MailingTimes = MailingTimes()) {
        let store = MailingStore(database: context.database, times: times)
        routes = MailingRoutes(
            store: store,
            gate: ConsentGate(
                database: context.database, store: life.store, clock: context.clock, pricing: life.pricing),
            outbox: life.outbox, baseURL: context.baseURL, clock: context.clock)
        desk = MailingDesk(
            store: store, writer: life.events.writer, outbox: life.outbox, baseURL: context.baseURL,
            clock: context.clock, messages: context.log)
    }

    func add(to parts: inout ServiceParts, _ context: ServiceContext<QuerySettings>) {
        let (routes, desk) = (routes, desk)
        parts.http { routes.register(on: &$0) }
        parts.tasks.append(
            .periodic("mailing", every: .seconds(10), pacing: context.pacing) { try await desk.round() })
    }
}

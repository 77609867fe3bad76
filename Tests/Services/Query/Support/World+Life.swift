import Feed
import Postgres
import Service
import ServiceTesting

@testable import Query

extension World {
    /// The life of requests as another process of the service has it: with keys, events and an outbox of its own, of which nothing runs by
    /// itself; with other prices, as after a change of the configuration, where they are given.
    func life(_ pricing: Pricing? = nil) -> RequestLife {
        let context = service.context
        let store = RequestStore(keys: keys)
        let producer = FeedProducer(
            database: context.database,
            feeds: [
                ConsentFeed.definition(store, in: context.database, clock: clock),
                WatchFeed.definition(in: context.database, clock: clock),
            ], retention: [:], observer: context.observer)
        return RequestLife(
            database: context.database, store: store, outbox: NoticeOutbox(context, keys: store.keys),
            feed: ConsentFeed(producer: producer), watches: WatchFeed(producer: producer),
            events: Events(
                context, store: store, audit: AuditTrail(database: context.database), pricing: pricing),
            clock: clock, log: context.log, settings: context.settings.requests, unreadable: context.unreadable,
            pricing: pricing)
    }
}

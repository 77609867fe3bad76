public import Contracts
public import Feed
public import Postgres
public import RPC
import Security

extension ServiceContext {
    /// Follows the feed of another service durably, into `database`, whose migrations have `FeedSchema.consumer`. Payloads
    /// of parked events are sealed with the service's field key (NFR-05), bound to the event's entity. `caller` is another way to
    /// ask the producer.
    public func consumer(
        of feed: String, from service: ServiceName, through caller: (any RPCCaller)? = nil, into database: Database,
        handler: any FeedHandler, settings: FeedConsumerSettings = FeedConsumerSettings()
    ) -> FeedConsumer {
        let cipher = FieldCipher(keys.fields)
        let column = "\(name).feed_parked.payload"
        var settings = settings
        settings.parkedPayloads = FeedConsumerSettings.ParkedPayloads(
            seal: { payload, entity in cipher.seal(payload, at: FieldLocation(column, row: entity)) },
            open: { sealed, entity in try cipher.open(sealed, at: FieldLocation(column, row: entity)) })
        return FeedConsumer(
            feed: feed, from: caller ?? peers[service.rawValue], into: database, handler: handler, settings: settings,
            observer: observer)
    }
}

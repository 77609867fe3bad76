/// The feeds of the dispatcher.
public enum Dispatcher {
    /// The people whom AutomatedSOS watches; payload `Ingestion.Watch`. Consumed by ingestion.
    public static let watchFeed = "dispatcher.watch"
}

/// What the dispatcher offers to the others.
public enum Dispatcher {
    /// Whom AutomatedSOS watches; payload `Ingestion.Watch`. Consumed by ingestion.
    public static let watchFeed = "dispatcher.watch"
}

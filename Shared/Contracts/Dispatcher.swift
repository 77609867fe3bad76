/// The feeds of the dispatcher.
public enum Dispatcher {
    /// The version of the clauses of AutomatedSOS that people accept when they enrol (SOS-01).
    public static let clausesVersion = "2026-01"

    /// The people whom AutomatedSOS watches; payload `Ingestion.Watch`. Consumed by ingestion.
    public static let watchFeed = "dispatcher.watch"
}

/// What track4run offers to the others.
public enum Track4Run {
    /// Who takes part in a run at the moment; payload `Ingestion.Watch`. Consumed by ingestion.
    public static let watchFeed = "track4run.watch"
}

/// What track4run offers to the others.
public enum Track4Run {
    /// Who takes part in which run, and when; payload `Ingestion.Watch`, one entity for each runner of each run.
    ///
    /// `measuredFrom` and `measuredTo` are the time in which the person exercises in the run: its start to its end, or to
    /// when the runner left it. A watch without an end of arrivals does not occur: `until` is a day after the end of the
    /// run, and the watch ends (`isWatched` is false) as soon as the ranking is official, the run is cancelled, or the
    /// runner withdraws. Whoever asks "does this person run now?" goes by the interval, not by whether there is a watch:
    /// watches begin at the check-in, before the start, and outlast the run for late samples.
    /// Consumed by ingestion, which passes the samples on, and by the dispatcher, whose limits differ during exercise.
    public static let watchFeed = "track4run.watch"
}

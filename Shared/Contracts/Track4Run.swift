/// The feeds of track4run.
public enum Track4Run {
    /// Runners of runs and their times; payload `Ingestion.Watch`, one entity for each runner of each run.
    ///
    /// `measuredFrom` and `measuredTo` are the time in which the person exercises in the run: its start to its end, or
    /// to when the runner left it. `until` is always set: a day after the end of the run; and the watch ends
    /// (`isWatched` is false) as soon as the ranking is official, the run is cancelled, or the runner withdraws.
    /// Whether a person runs now follows from the interval, not from the existence of a watch: watches begin at the
    /// check-in, before the start, and outlast the run for late samples.
    /// Consumed by ingestion, which passes the samples on, and by the dispatcher, whose limits differ during exercise.
    public static let watchFeed = "track4run.watch"
}

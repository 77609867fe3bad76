import JSON
import Reactor
import Service
import Synchronization

/// Tells the operator of people who cannot be watched because their keys are not at hand: each time in a metric, and now and then in
/// the log.
final class UnwatchedPeople: Sendable {
    private static let pause = Duration.seconds(10)

    private let log: Log
    private let bell: AlarmBell
    private let count: Counter
    private let nextAt = Mutex(Deadline.now())

    init(_ log: Log, _ metrics: Metrics, _ bell: AlarmBell) {
        self.log = log
        self.bell = bell
        count = metrics.counter(
            "trackme_unwatched_without_key_total",
            "Times that samples of somebody could not be looked at because the person's key was not at hand.")
    }

    func report(_ people: Int) {
        count.increment(by: people)
        let isDue = nextAt.withLock { next in
            guard next.hasPassed else { return false }
            next = .after(Self.pause)
            return true
        }
        guard isDue else { return }
        bell.ring(OperatorAlarm(.unwatched, detail: "\(people) people"))
        log.error(
            "people cannot be watched: their keys are not at hand, or their enrolments cannot be read",
            ["people": .integer(Int64(people))])
    }
}

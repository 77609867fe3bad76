import Primitives
import SimulatedPeople

/// When runs are: one after the other without a gap, so that one is always under way.
struct RaceSchedule: Sendable {
    /// From one start to the next. Everybody arrives before.
    static let period: Duration = .seconds(900)
    /// What enrolling and checking in takes, on a busy machine too.
    static let preparationMin: Duration = .seconds(30)

    /// Of the first run: the next full minute that leaves time for the preparation.
    let first: Timestamp

    init(at now: Timestamp) {
        first = (now + Self.preparationMin + .seconds(60)).floored(to: .seconds(60))
    }

    /// Of the run with this number, counted from 0.
    func start(of number: Int) -> Timestamp { first + Self.period * number }
    func end(of number: Int) -> Timestamp { start(of: number + 1) }

    /// The run that is prepared next, after another: one whose start is too near, as after an outage, is left out.
    func next(after number: Int, at now: Timestamp) -> Int {
        let passed = (now + Self.preparationMin - first).milliseconds
        guard passed > 0 else { return number + 1 }
        let period = Self.period.milliseconds
        return max(number + 1, Int((passed + period - 1) / period))
    }

    /// Time of day in Italy, HH:MM.
    static func clock(_ time: Timestamp) -> String {
        let minutes = Int(time.milliseconds / 60_000) + ItalianTime.offsetMinutes(at: time)
        let (hour, minute) = (minutes / 60 % 24, minutes % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}

import Domain
import Primitives

/// What one upload tells of the person's doing, with what was known before it. `Circumstances` keep the last stretch of each
/// kind; an upload may tell of several (a link was down in the middle of a movement, a phone was away for an hour), and every
/// reading is judged by those that it lies in.
struct UploadCircumstances {
    private var exercise: Stretches
    private var unrest: Stretches
    private var sleep: Stretches

    /// Of nothing.
    static let none = UploadCircumstances()

    private init() { (exercise, unrest, sleep) = (Stretches(), Stretches(), Stretches()) }

    /// `known` are the circumstances before the upload.
    init(_ seen: Observation, after known: Circumstances) {
        func moments(_ times: [Timestamp]) -> [ClosedRange<Timestamp>] {
            times.map { seen.corrected($0)...seen.corrected($0) }
        }
        exercise = Stretches(moments(seen.exercise), after: known.exercise, hold: Circumstances.exerciseHold)
        unrest = Stretches(moments(seen.unrest), after: known.unrest, hold: Circumstances.unrestHold)
        sleep = Stretches(
            seen.sleep.map { seen.corrected($0.lowerBound)...seen.corrected($0.upperBound) }, after: known.sleep,
            hold: Circumstances.sleepHold)
    }

    func isExercising(at time: Timestamp) -> Bool { exercise.reach(time, hold: Circumstances.exerciseHold) }

    func isUnrest(at time: Timestamp) -> Bool {
        unrest.reach(time, before: Circumstances.unrestHold, hold: Circumstances.unrestHold)
    }

    func isAsleep(at time: Timestamp) -> Bool { sleep.reach(time, hold: Circumstances.sleepHold) }
}

/// Stretches in the order of their times, with gaps between them.
private struct Stretches {
    private var all: [Stretch] = []

    init() {}

    /// Empty when `ranges` is: what is known is kept elsewhere.
    init(_ ranges: [ClosedRange<Timestamp>], after known: Stretch?, hold: Duration) {
        guard !ranges.isEmpty else { return }
        let known = known.map { [$0.from...$0.through] } ?? []
        for range in (known + ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard let last = all.last, range.lowerBound <= last.through + hold else {
                all.append(Stretch(range))
                continue
            }
            all[all.count - 1] = Stretch(last.from...max(last.through, range.upperBound))
        }
    }

    /// Whether one goes on at `time`, begins at most `before` after it or ended at most `hold` before it.
    func reach(_ time: Timestamp, before: Duration = .zero, hold: Duration) -> Bool {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].from <= time + before { low = middle + 1 } else { high = middle }
        }
        return low > 0 && time <= all[low - 1].through + hold
    }
}

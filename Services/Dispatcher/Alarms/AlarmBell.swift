import Reactor
import Service
import Synchronization

/// Where alarms are rung: from anywhere, without waiting, without the database. `AlarmDesk` writes them down and tells them.
final class AlarmBell: Sendable {
    /// Alarms that wait to be written down. Of further ones it is told that there are more.
    static let waitingMax = 1000

    /// What was rung and ended since the last look.
    struct Waiting: Sendable {
        var rung: [OperatorAlarm.Key: OperatorAlarm] = [:]
        var ended: Set<OperatorAlarm.Key> = []
        var isEmpty: Bool { rung.isEmpty && ended.isEmpty }
    }

    private let state = Mutex(Waiting())
    /// Raised with each alarm.
    let news = EventCounter()
    private let count: MetricFamily<Counter>

    init(_ metrics: Metrics) {
        count = metrics.counters(
            "trackme_operator_alarms_total", "Alarms for the operator that this process has rung.", labels: ["kind"])
    }

    /// Rings. The same kind and subject again is one alarm that is rung twice.
    func ring(_ alarm: OperatorAlarm) {
        count[alarm.key.kind.rawValue].increment()
        state.withLock { waiting in
            waiting.ended.remove(alarm.key)
            var alarm = alarm
            if let known = waiting.rung[alarm.key] {
                alarm.occurrences += known.occurrences
            } else if waiting.rung.count >= Self.waitingMax {
                alarm = OperatorAlarm(.overloaded, about: "alarms", detail: "more alarms than can be kept")
            }
            waiting.rung[alarm.key] = alarm
        }
        news.raise()
    }

    /// What it was about is over.
    func end(_ kind: OperatorAlarm.Kind, about subject: String = "") {
        state.withLock { waiting in
            let key = OperatorAlarm.Key(kind: kind, subject: subject)
            waiting.rung[key] = nil
            guard waiting.ended.count < Self.waitingMax else { return }
            waiting.ended.insert(key)
        }
        news.raise()
    }

    /// Call after this process has written to the database what may be an alarm.
    func wake() { news.raise() }

    func take() -> Waiting {
        state.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
    }

    /// What could not be written down: rung before anything that has been rung since.
    func putBack(_ before: Waiting) {
        state.withLock { waiting in
            for (key, alarm) in before.rung where !waiting.ended.contains(key) {
                var alarm = alarm
                if let since = waiting.rung[key] { alarm.occurrences += since.occurrences }
                waiting.rung[key] = alarm
            }
            for key in before.ended where waiting.rung[key] == nil { waiting.ended.insert(key) }
        }
    }
}

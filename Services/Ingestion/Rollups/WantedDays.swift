import Contracts
import Primitives
import RPC
import Synchronization

/// Closed days that the consumer of `ingestion.rollups` lacks and has asked for. In memory: after a restart it asks
/// again.
final class WantedDays: Sendable {
    private let days = Mutex<Set<CalendarDate>>([])

    /// Removes and returns the earliest day, and those that follow it without a gap, as many as are wanted.
    func takeFirst(countMax: Int) -> ClosedRange<CalendarDate>? {
        days.withLock { days in
            guard let first = days.min() else { return nil }
            var last = first
            days.remove(first)
            for _ in 1..<max(1, countMax) {
                guard days.remove(last.adding(days: 1)) != nil else { break }
                last = last.adding(days: 1)
            }
            return first...last
        }
    }

    /// Beyond `PublishDays.daysMax` in all they are dropped.
    func add(_ more: [CalendarDate]) {
        days.withLock { days in
            for day in more where days.count < Ingestion.PublishDays.daysMax { days.insert(day) }
        }
    }
}

/// `ingestion.publish_days`, and the feed whose consumer calls it.
struct PublishDaysMethod: Sendable {
    let closer: RollupCloser

    func register(in router: inout RPCRouter) {
        router.register(Ingestion.PublishDays.self, allow: [ServiceName.query.rawValue]) { params, _ in
            guard params.days.count <= Ingestion.PublishDays.daysMax else {
                throw RPCError(.invalidParams, "At most \(Ingestion.PublishDays.daysMax) days at once.")
            }
            closer.wanted.add(params.days)
            return Empty()
        }
    }
}

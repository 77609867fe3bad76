import Contracts
import Primitives
import RPC
import Synchronization

/// Closed days that the consumer of `ingestion.rollups` lacks and has asked for. In memory: after a restart it asks
/// again.
final class WantedDays: Sendable {
    private let days = Mutex<Set<CalendarDate>>([])

    /// Removes and returns the earliest day.
    func takeFirst() -> CalendarDate? { days.withLock { days in days.min().flatMap { days.remove($0) } } }

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

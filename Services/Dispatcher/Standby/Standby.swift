import Primitives
import Synchronization

/// What this process has in memory for the time when the database is away.
final class Standby: Sendable {
    /// Incidents that are remembered as opened here, the last ones.
    private static let openedMax = 10_000

    let clock = DatabaseClock()
    let roster: Roster
    private let opened = Mutex<(known: Set<UUID>, order: [UUID])>(([], []))

    init(roster: Roster = Roster()) {
        self.roster = roster
    }

    /// Call when an incident is opened without the database.
    func noteOpened(_ incident: UUID) {
        opened.withLock { opened in
            guard opened.known.insert(incident).inserted else { return }
            opened.order.append(incident)
            if opened.order.count > Self.openedMax { opened.known.remove(opened.order.removeFirst()) }
        }
    }

    /// Whether this process has opened it without the database.
    func hasOpened(_ incident: UUID) -> Bool { opened.withLock { $0.known.contains(incident) } }
}

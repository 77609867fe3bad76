import Domain
import Primitives

/// Finds mass events among incidents with positions; no I/O.
struct MassEvents: Sendable {
    struct Group: Sendable, Equatable {
        /// In the order of opening.
        var incidents: [UUID]
        /// Of the first one.
        let coordinate: Coordinate
    }

    /// Groups of at least `min` incidents, none further than `radius` metres from the first of its group. `incidents` are in the order
    /// of opening.
    static func groups(_ incidents: [(id: UUID, coordinate: Coordinate)], radius: Double, min: Int) -> [Group] {
        var groups: [Group] = []
        for (id, coordinate) in incidents {
            let index = groups.firstIndex { $0.coordinate.distance(to: coordinate) <= radius }
            if let index {
                groups[index].incidents.append(id)
            } else {
                groups.append(Group(incidents: [id], coordinate: coordinate))
            }
        }
        return groups.filter { $0.incidents.count >= min }
    }

    /// Whether the operator is told again that it has grown: each time it has doubled.
    static func isNews(_ count: Int, told: Int) -> Bool { count >= 2 * told }
}

internal import Primitives
package import Reactor

/// Who was silent itself for longer than a lease, as all are while the database is away, takes no parts until the others had that long to
/// be heard: else each outage would move parts to whoever is first, and back.
package struct ClaimPause: Sendable {
    private var heardAt: Deadline?
    private var end: Deadline?
    private var wasSilent = false

    package init() {}

    /// Call after each renewal of the lease.
    package mutating func renewed(at now: Deadline) {
        let isSilent = heardAt.map { now.since($0) > PartLeases.time } ?? false
        // Once: a database that is slow at each renewal leaves no part to nobody.
        if isSilent, !wasSilent { end = now.advanced(by: PartLeases.time) }
        (heardAt, wasSilent) = (now, isSilent)
    }

    /// Call when this replica has left by itself.
    package mutating func left() { heardAt = nil }

    package var isOver: Bool { end?.hasPassed ?? true }
}

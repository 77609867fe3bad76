import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import Service

/// Compares a plan with the other runs (RUN-03): refuses one at the same place and time as another, and one that shares
/// its path with another on the same date.
///
/// Paths are compared on a thread of their own and without a lock. Under the lock of the table `planning` is only made
/// sure that all runs near it have been compared.
struct RunNeighbours: Sendable {
    /// Metres between the starts of runs that count as at one place.
    private static let placeRadius = 150.0
    /// Degrees around the box of a path in which other runs are near it.
    private static let margin = 0.005
    /// Paths in memory at the same time.
    private static let pageMax = 20
    /// Two runs on one date start less than this apart, also when the clocks are changed.
    private static let dayMax = Duration.seconds(25 * 3600)

    let store: Store
    let runs: RunStore
    let settings: Track4RunSettings
    let unreadable: UnreadableRows
    let pool: BlockingPool

    /// Another run as it was planned when it was compared.
    struct Compared: Hashable, Sendable {
        let run: UUID
        let plan: Int32
    }

    /// A course with its time, which is compared with the runs but not with `run` itself.
    struct Plan: Sendable {
        let run: UUID
        let path: Polyline
        let start: Timestamp
        let end: Timestamp
    }

    private struct Neighbour: Sendable {
        let compared: Compared
        let isSameTime: Bool
        let isSameDate: Bool
        let box: PathBox
    }

    /// Compares the plan with the runs near it but those of `known`; returns all near it. Errors: 409
    /// `same-place-and-time`, `shared-path`, `too-many-runs-near`; 503 `overloaded`.
    func compare(_ run: Run, _ path: Polyline, known: Set<Compared> = []) async throws -> Set<Compared> {
        try await compare(Plan(run: run.id, path: path, start: run.start, end: run.end), known: known)
    }

    /// As for a run.
    func compare(_ plan: Plan, known: Set<Compared> = []) async throws -> Set<Compared> {
        let path = plan.path
        let all = try await near(plan, in: store.database)
        let new = all.filter { !known.contains($0.compared) }
        guard !new.isEmpty else { return Set(all.map(\.compared)) }
        let (shared, candidates) = try await pool.run {
            let shared = SharedPath(path)
            return (shared, new.filter { Self.isCandidate($0, path, shared) })
        }
        for start in stride(from: 0, to: candidates.count, by: Self.pageMax) {
            let page = candidates[start..<min(start + Self.pageMax, candidates.count)]
            let stored = try await runs.storedPaths(of: page.map(\.compared.run), in: store.database)
            let (unreadable, candidates) = (unreadable, Array(page))
            let problem = try await pool.run { () -> Problem? in
                for candidate in candidates {
                    let id = candidate.compared.run
                    guard let bytes = stored[id],
                        let other = unreadable.read("track4run.run", id, { try RunStore.path(bytes) })
                    else { continue }
                    if let problem = Self.conflict(candidate, path, shared, other) { return problem }
                }
                return nil
            }
            if let problem { throw problem }
        }
        return Set(all.map(\.compared))
    }

    /// Whether the plan was compared with all runs near it. They stay the same until the transaction ends.
    func isCompared(
        _ run: Run, _ path: Polyline, with known: Set<Compared>, in transaction: Transaction
    ) async throws -> Bool {
        try await transaction.execute("select from planning for update")
        let plan = Plan(run: run.id, path: path, start: run.start, end: run.end)
        return try await near(plan, in: transaction).allSatisfy { known.contains($0.compared) }
    }

    /// By the boxes alone.
    private static func isCandidate(_ neighbour: Neighbour, _ path: Polyline, _ shared: SharedPath) -> Bool {
        neighbour.isSameTime && neighbour.box.contains(path.points[0], within: placeRadius)
            || neighbour.isSameDate && shared.mayShare(with: neighbour.box)
    }

    private static func conflict(
        _ neighbour: Neighbour, _ path: Polyline, _ shared: SharedPath, _ other: Polyline
    ) -> Problem? {
        if neighbour.isSameTime, path.points[0].distance(to: other.points[0]) <= placeRadius {
            return Problem(
                .conflict, code: "same-place-and-time", detail: "another run starts here and is under way then")
        }
        if neighbour.isSameDate, shared.share(on: other) >= SharedPath.shareMax {
            return Problem(
                .conflict, code: "shared-path",
                detail: "80% or more of the path are shared with another run on this date")
        }
        return nil
    }

    /// Open runs at the same time or on the same date whose boxes are near. Errors: 409 `too-many-runs-near`.
    private func near(_ plan: Plan, in session: some SQLSession) async throws -> [Neighbour] {
        let box = PathBox(plan.path)
        let isSameTime: SQL = "starts_at < \(plan.end) and ends_at > \(plan.start)"
        let isSameDate: SQL = """
            (starts_at at time zone \(settings.timeZone))::date = (\(plan.start) at time zone \(settings.timeZone))::date
            """
        let rows = try await session.rows(
            """
            select id, plan, \(sql: isSameTime) as is_same_time, \(sql: isSameDate) as is_same_date, south, west, north, east
            from run
            where state = 'open' and id <> \(plan.run)
              and starts_at > \(plan.start - RunDraft.durationMax) and starts_at < \(max(plan.end, plan.start + Self.dayMax))
              and (\(sql: isSameTime) or \(sql: isSameDate))
              and south <= \(box.north + Self.margin) and north >= \(box.south - Self.margin)
              and west <= \(box.east + Self.margin) and east >= \(box.west - Self.margin)
            limit \(Int64(settings.neighboursMax) + 1)
            """)
        guard rows.count <= settings.neighboursMax else {
            throw Problem(
                .conflict, code: "too-many-runs-near",
                detail: "more than \(settings.neighboursMax) runs are near this one on this date: choose another")
        }
        return try rows.map { row in
            Neighbour(
                compared: Compared(run: try row["id"], plan: try row["plan"]), isSameTime: try row["is_same_time"],
                isSameDate: try row["is_same_date"],
                box: PathBox(
                    south: try row["south"], west: try row["west"], north: try row["north"], east: try row["east"]))
        }
    }
}

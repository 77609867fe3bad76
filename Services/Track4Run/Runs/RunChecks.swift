import Domain
import HTTP
import Primitives
import Service

/// `/track4run/v1/run-checks`: whether a course that is being drawn could be a run beside those that there are (RUN-03).
struct RunChecks: Sendable {
    private static let bodyBytesMax = 1 << 20

    let runs: RunRoutes

    func add(to routes: inout ServiceRoutes) {
        let body = HTTPBodyPolicy.buffered(bytesMax: Self.bodyBytesMax)
        routes.on(.post, "\(RunRoutes.prefix)/run-checks", access: .organisers, body: body) { request, _ in
            try .json(try await check(try request.json(limits: RunStore.pathLimits)))
        }
    }

    private struct Sketch: Decodable, Sendable {
        let path: LineString
        let start: Timestamp
        let end: Timestamp
        /// The run that is to be changed: it does not stand in its own way.
        let run: UUID?
    }

    private struct Outcome: Encodable, Sendable {
        /// The code that the run would be refused with; `nil` when it would not be.
        let conflict: String?
    }

    /// Errors: 422 for an impossible course or time, 503 `overloaded`.
    private func check(_ sketch: Sketch) async throws -> Outcome {
        let now = runs.store.clock.now()
        try RunDraft.checkTimes(start: sketch.start, end: sketch.end, deadline: sketch.start, now: now)
        let plan = RunNeighbours.Plan(
            run: sketch.run ?? .random(), path: try CourseRules.path(sketch.path), start: sketch.start, end: sketch.end)
        do {
            _ = try await runs.planning.neighbours.compare(plan)
        } catch let problem as Problem where problem.status == .conflict {
            return Outcome(conflict: problem.code)
        }
        return Outcome(conflict: nil)
    }
}

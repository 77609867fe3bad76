import Primitives

/// What a runner's place in the ranking is decided by; less is better (RUN-10).
struct Standing: Comparable, Sendable {
    let account: UUID
    private let bib: Int
    private let finishedAt: Timestamp?
    private let hasLeft: Bool
    private let hasStarted: Bool
    private let distance: Double
    private let distanceAt: Timestamp

    init(_ runner: RunState.Runner, _ progress: RunnerProgress) {
        account = runner.account
        bib = runner.bib
        finishedAt = progress.finishedAt
        hasLeft = runner.leftAt != nil
        hasStarted = progress.hasStarted
        distance = progress.distance
        distanceAt = progress.distanceAt
    }

    static func < (first: Standing, second: Standing) -> Bool {
        if first.finishedAt != nil || second.finishedAt != nil {
            guard let finish = first.finishedAt else { return false }
            guard let other = second.finishedAt else { return true }
            if finish != other { return finish < other }
        } else if first.hasLeft != second.hasLeft {
            return second.hasLeft
        } else if first.hasStarted != second.hasStarted {
            return first.hasStarted
        } else if first.hasStarted {
            if first.distance != second.distance { return first.distance > second.distance }
            if first.distanceAt != second.distanceAt { return first.distanceAt < second.distanceAt }
        }
        return first.bib < second.bib
    }
}

import Domain
import Primitives

/// A run in a list.
struct RunSummary: Encodable, Sendable {
    let id: UUID
    let code: String
    let name: String
    let place: String
    let organiser: String
    let state: Run.Phase
    let start: Timestamp
    let end: Timestamp
    let enrolmentDeadline: Timestamp
    let participants: Int
    let participantsMax: Int
    let length: Double

    enum CodingKeys: String, CodingKey {
        case id, code, name, place, organiser, state, start, end, participants, enrolmentDeadline, participantsMax
        case length = "length_m"
    }

    init(_ run: Run, at now: Timestamp) {
        id = run.id
        code = run.code
        name = run.name
        place = run.place
        organiser = run.organiserName
        state = run.phase(at: now)
        start = run.start
        end = run.end
        enrolmentDeadline = run.enrolmentDeadline
        participants = run.participants
        participantsMax = run.participantsMax
        length = (run.length * 10).rounded() / 10
    }
}

/// A run with everything that people see of it.
struct RunDetails: Encodable, Sendable {
    struct ShownCheckpoint: Encodable, Sendable {
        let name: String
        let coordinates: [Double]
        let distance: Double

        enum CodingKeys: String, CodingKey {
            case name, coordinates
            case distance = "distance_m"
        }
    }

    let summary: RunSummary
    let description: String
    let clauses: String
    let path: LineString
    let checkpoints: [ShownCheckpoint]

    private enum CodingKeys: String, CodingKey { case description, clauses, path, checkpoints }

    init(_ run: Run, _ course: Course, at now: Timestamp) {
        summary = RunSummary(run, at: now)
        description = run.description
        clauses = run.clauses
        path = LineString(course.path.points)
        checkpoints = course.checkpoints.map { checkpoint in
            let point = course.path.point(at: checkpoint.distance)
            return ShownCheckpoint(
                name: checkpoint.name, coordinates: [point.longitude, point.latitude],
                distance: (checkpoint.distance * 10).rounded() / 10)
        }
    }

    func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(description, forKey: .description)
        try container.encode(clauses, forKey: .clauses)
        try container.encode(path, forKey: .path)
        try container.encode(checkpoints, forKey: .checkpoints)
    }
}

/// A page of a list.
struct RunPage: Encodable, Sendable {
    let runs: [RunSummary]
    /// `nil` on the last page.
    let next: String?
}

/// Somebody's own runs (RUN-05).
struct OwnRuns: Encodable, Sendable {
    struct Enrolled: Encodable, Sendable {
        let run: RunSummary
        let bib: Int
        let state: Enrolment.State
    }

    let organised: [RunSummary]
    let enrolled: [Enrolled]
}

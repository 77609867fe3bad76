import Domain
import Primitives

/// A run as people see it; in lists without the members that need its path.
struct RunView: Encodable, Sendable {
    struct ShownCheckpoint: Encodable, Sendable {
        let name: String
        let coordinates: [Double]
        let distance: Double

        enum CodingKeys: String, CodingKey {
            case name, coordinates
            case distance = "distance_m"
        }
    }

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
    /// `[longitude, latitude]`.
    let startPoint: [Double]
    private(set) var description: String?
    private(set) var clauses: String?
    /// Long: pages draw it from the API and leave it out.
    var path: LineString?
    private(set) var checkpoints: [ShownCheckpoint]?

    enum CodingKeys: String, CodingKey {
        case id, code, name, place, organiser, state, start, end, enrolmentDeadline, participants, participantsMax,
            startPoint, description, clauses, path, checkpoints
        case length = "length_m"
    }

    /// In a list.
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
        startPoint = [run.startPoint.longitude, run.startPoint.latitude]
    }

    /// With everything.
    init(_ run: Run, _ course: Course, at now: Timestamp) {
        self.init(run, at: now)
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
}

/// A page of a list.
struct RunPage: Encodable, Sendable {
    let runs: [RunView]
    /// `nil` on the last page.
    let next: String?
}

/// The runs that somebody organises (RUN-05).
struct OwnRuns: Encodable, Sendable {
    let organised: [RunView]
}

import Contracts
public import Domain
import HTTP
public import Primitives

/// A run as an organiser announces it.
public struct RunForm: Encodable, Sendable {
    /// GeoJSON (RFC 7946): longitude first.
    public struct Path: Encodable, Sendable {
        public var type = "LineString"
        public var coordinates: [[Double]]
        public init(_ line: Polyline) { coordinates = line.points.map { [$0.longitude, $0.latitude] } }
    }

    /// A point on the path that has a name.
    public struct Checkpoint: Encodable, Sendable {
        public var name: String
        /// Longitude first.
        public var coordinates: [Double]
        public init(name: String, at point: Coordinate) {
            self.name = name
            coordinates = [point.longitude, point.latitude]
        }
    }

    public var name: String
    public var description: String
    public var place: String
    public var path: Path
    public var checkpoints: [Checkpoint]?
    public var start: Timestamp
    public var end: Timestamp
    public var enrolmentDeadline: Timestamp
    public var participantsMax: Int
    public var clauses: String

    public init(
        name: String, description: String, place: String, path: Path, checkpoints: [Checkpoint]? = nil,
        start: Timestamp, end: Timestamp, enrolmentDeadline: Timestamp, participantsMax: Int, clauses: String
    ) {
        self.name = name
        self.description = description
        self.place = place
        self.path = path
        self.checkpoints = checkpoints
        self.start = start
        self.end = end
        self.enrolmentDeadline = enrolmentDeadline
        self.participantsMax = participantsMax
        self.clauses = clauses
    }
}

/// The answer to a new run.
public struct RunCreated: Decodable, Sendable {
    public var id: UUID
    /// Short, for people.
    public var code: String
}

/// Who is where.
public struct Ranking: Decodable, Sendable {
    public struct Placing: Decodable, Sendable {
        public var place: Int?
        public var bib: Int
        public var name: String
        public var distance: Double
        public var time: Double?
        public var state: String
        enum CodingKeys: String, CodingKey {
            case place, bib, name, state
            case distance = "distance_m"
            case time = "time_s"
        }
    }
    public var isFinal: Bool
    public var placings: [Placing]
    enum CodingKeys: String, CodingKey {
        case placings
        case isFinal = "final"
    }
}

extension API {
    public func createRun(_ form: RunForm) async throws(SuiteError) -> RunCreated {
        try await call(.post, .track4run, "/runs", form)
    }

    /// The runner's number.
    public func enrol(in run: UUID) async throws(SuiteError) -> Int {
        struct Enrolled: Decodable { var bib: Int }
        return try await call(
            .post, .track4run, "/runs/\(run)/enrolments", ["clauses_accepted": true], as: Enrolled.self
        ).bib
    }

    public func ranking(of run: UUID) async throws(SuiteError) -> Ranking {
        try await call(.get, .track4run, "/runs/\(run)/ranking")
    }
}

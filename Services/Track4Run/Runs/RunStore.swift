import Domain
import JSON
import Postgres
import Primitives

/// Reads and writes runs.
struct RunStore: Sendable {
    let columns: PersonalColumns

    /// A stored value that no version of this service writes.
    struct StoredValueError: Error { let column: String }

    private static let fields: SQL = """
        id, code, organiser_id, organiser_kind, organiser_name, name, description, place, clauses, length_m, starts_at,
        ends_at, enrolment_deadline, participants_max, participants, state, version, started_at is not null as has_started
        """

    /// The runs that `condition` (what follows `from run`) selects.
    func runs(_ condition: SQL, in session: some SQLSession) async throws -> [Run] {
        try await session.rows("select \(sql: Self.fields) from run \(sql: condition)").map { try run($0) }
    }

    private func run(_ row: PostgresRow) throws -> Run {
        guard let kind = AccountKind(rawValue: try row["organiser_kind"]) else {
            throw StoredValueError(column: "organiser_kind")
        }
        guard let state = Run.State(rawValue: try row["state"]) else { throw StoredValueError(column: "state") }
        let id: UUID = try row["id"]
        let (participantsMax, participants): (Int32, Int32) = (try row["participants_max"], try row["participants"])
        return Run(
            id: id, code: try row["code"], organiser: try row["organiser_id"], organiserKind: kind,
            organiserName: try columns.open(try row["organiser_name"], .organiserName, row: [id]),
            name: try row["name"], description: try row["description"], place: try row["place"],
            clauses: try row["clauses"], length: try row["length_m"], start: try row["starts_at"],
            end: try row["ends_at"], enrolmentDeadline: try row["enrolment_deadline"],
            participantsMax: Int(participantsMax), participants: Int(participants), state: state,
            version: try row["version"], hasStarted: try row["has_started"])
    }

    func run(_ id: UUID, in session: some SQLSession) async throws -> Run? {
        try await runs("where id = \(id)", in: session).first
    }

    /// Locks the run for the rest of the transaction: nobody enrols, leaves, checks in or edits meanwhile.
    func lock(_ id: UUID, in transaction: Transaction) async throws -> Run? {
        try await runs("where id = \(id) for update", in: transaction).first
    }

    func run(code: String, in session: some SQLSession) async throws -> Run? {
        try await runs("where code = \(code)", in: session).first
    }

    /// The path and its checkpoints.
    func course(of run: UUID, in session: some SQLSession) async throws -> Course? {
        let row = try await session.queryOne(
            "select path, checkpoints from run where id = \(run)", as: [UInt8].self, [UInt8].self)
        guard let row else { return nil }
        let decoder = JSONDecoder(limits: Self.pathLimits)
        return Course(
            path: try Polyline(try decoder.decode(LineString.self, from: row.0).points),
            checkpoints: try decoder.decode([Checkpoint].self, from: row.1))
    }

    /// Room for a path of `Polyline.pointsMax` points.
    static let pathLimits = JSONLimits(depthMax: 8, bytesMax: 2 << 20, valuesMax: 5 * Polyline.pointsMax)

    /// Adds a run. Fails on `run_code` when the code is taken.
    func insert(_ run: Run, _ course: Course, at now: Timestamp, in transaction: Transaction) async throws {
        let place = try StoredPath(course)
        try await transaction.execute(
            """
            insert into run (id, code, organiser_id, organiser_kind, organiser_name, name, description, place, clauses,
              path, checkpoints, length_m, south, west, north, east, starts_at, ends_at, enrolment_deadline,
              participants_max, created_at)
            values (\(run.id), \(run.code), \(run.organiser), \(run.organiserKind.rawValue),
              \(columns.seal(run.organiserName, .organiserName, row: [run.id])), \(run.name), \(run.description),
              \(run.place), \(run.clauses), \(place.path), \(place.checkpoints), \(run.length), \(place.south),
              \(place.west), \(place.north), \(place.east), \(run.start), \(run.end), \(run.enrolmentDeadline),
              \(Int32(run.participantsMax)), \(now))
            """)
    }

    /// Writes what an organiser can change, as the next version; with a new course, if any.
    func update(_ run: Run, course: Course?, in transaction: Transaction) async throws {
        try await transaction.execute(
            """
            update run set name = \(run.name), description = \(run.description), place = \(run.place),
              clauses = \(run.clauses), starts_at = \(run.start), ends_at = \(run.end),
              enrolment_deadline = \(run.enrolmentDeadline), participants_max = \(Int32(run.participantsMax)),
              version = \(run.version)
            where id = \(run.id)
            """)
        guard let course else { return }
        let place = try StoredPath(course)
        try await transaction.execute(
            """
            update run set path = \(place.path), checkpoints = \(place.checkpoints), length_m = \(course.length),
              south = \(place.south), west = \(place.west), north = \(place.north), east = \(place.east)
            where id = \(run.id)
            """)
    }
}

/// A course as it is stored: its path, and the box around it.
struct StoredPath: Sendable {
    let path: [UInt8]
    let checkpoints: [UInt8]
    let south: Double
    let west: Double
    let north: Double
    let east: Double

    init(_ course: Course) throws(JSONError) {
        path = try JSONEncoder().encode(LineString(course.path.points))
        checkpoints = try JSONEncoder().encode(course.checkpoints)
        let points = course.path.points
        // A path has at least two points.
        south = points.map(\.latitude).min() ?? 0
        west = points.map(\.longitude).min() ?? 0
        north = points.map(\.latitude).max() ?? 0
        east = points.map(\.longitude).max() ?? 0
    }
}

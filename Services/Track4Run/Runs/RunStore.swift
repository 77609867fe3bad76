import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// Reads and writes runs.
struct RunStore: Sendable {
    /// In place of a name.
    static let nobody = "–"

    let keys: SubjectKeys

    /// A stored value that no version of this service writes.
    struct StoredValueError: Error { let column: String }

    private static let fields: SQL = """
        id, code, organiser_id, organiser_kind, organiser_name, company_name, name, description, place, clauses, length_m,
        start_latitude, start_longitude, starts_at, ends_at, enrolment_deadline, participants_max, participants, state,
        version, plan, started_at is not null as has_started
        """

    /// The runs that `condition` (what follows `from run`) selects.
    func runs(_ condition: SQL, in session: some SQLSession) async throws -> [Run] {
        let rows = try await session.rows("select \(sql: Self.fields) from run \(sql: condition)")
        let keys = try await organisersKeys(rows)
        return try rows.map { try run($0, keys) }
    }

    /// A row of a list: its place in the order by start, and the run, if it can be read.
    struct Listed: Sendable {
        let key: RunSelection.Key
        let run: Run?
    }

    /// The same for lists: a run that cannot be read is reported, and keeps its place.
    func listed(
        _ condition: SQL, reporting unreadable: UnreadableRows, in session: some SQLSession
    ) async throws -> [Listed] {
        let rows = try await session.rows("select \(sql: Self.fields) from run \(sql: condition)")
        let keys = try await organisersKeys(rows)
        return try rows.map { row in
            let key = RunSelection.Key(start: try row["starts_at"], id: try row["id"])
            return Listed(key: key, run: unreadable.read("track4run.run", key.id) { try run(row, keys) })
        }
    }

    /// The keys of the individuals among the organisers, by one question.
    private func organisersKeys(_ rows: PostgresRows) async throws -> SubjectKeySet {
        var organisers: Set<UUID> = []
        for row in rows where try row.decode("organiser_name", as: [UInt8]?.self) != nil {
            organisers.insert(try row["organiser_id"])
        }
        return try await keys.keySet(of: organisers)
    }

    private func organiserName(_ row: PostgresRow, _ keys: SubjectKeySet) throws -> String {
        if let company = try row.decode("company_name", as: String?.self) { return company }
        guard let sealed = try row.decode("organiser_name", as: [UInt8]?.self) else { return Self.nobody }
        return try PersonalColumn.organiserName.open(
            sealed, row: [try row["id"]], with: keys.key(of: try row["organiser_id"]))
    }

    private func run(_ row: PostgresRow, _ keys: SubjectKeySet) throws -> Run {
        guard let kind = AccountKind(rawValue: try row["organiser_kind"]) else {
            throw StoredValueError(column: "organiser_kind")
        }
        guard let state = Run.State(rawValue: try row["state"]) else { throw StoredValueError(column: "state") }
        let startPoint = Coordinate(latitude: try row["start_latitude"], longitude: try row["start_longitude"])
        guard let startPoint else { throw StoredValueError(column: "start_latitude") }
        let id: UUID = try row["id"]
        let (participantsMax, participants): (Int32, Int32) = (try row["participants_max"], try row["participants"])
        return Run(
            id: id, code: try row["code"], organiser: try row["organiser_id"], organiserKind: kind,
            organiserName: try organiserName(row, keys),
            name: try row["name"], description: try row["description"], place: try row["place"],
            clauses: try row["clauses"], length: try row["length_m"], startPoint: startPoint,
            start: try row["starts_at"],
            end: try row["ends_at"], enrolmentDeadline: try row["enrolment_deadline"],
            participantsMax: Int(participantsMax), participants: Int(participants), state: state,
            version: try row["version"], plan: try row["plan"], hasStarted: try row["has_started"])
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
        return Course(
            path: try Self.path(row.0),
            checkpoints: try JSONDecoder(limits: Self.pathLimits).decode([Checkpoint].self, from: row.1))
    }

    /// The paths of runs as they are stored.
    func storedPaths(of runs: [UUID], in session: some SQLSession) async throws(PostgresError) -> [UUID: [UInt8]] {
        let rows = try await session.query(
            "select id, path from run where id = any(\(runs))", as: UUID.self, [UInt8].self)
        return Dictionary(rows.map { ($0.0, $0.1) }) { first, _ in first }
    }

    /// A path as it is stored.
    static func path(_ stored: [UInt8]) throws -> Polyline {
        try Polyline(try JSONDecoder(limits: pathLimits).decode(LineString.self, from: stored).points)
    }

    /// Room for a path of `Polyline.pointsMax` points.
    static let pathLimits = JSONLimits(depthMax: 8, bytesMax: 2 << 20, valuesMax: 5 * Polyline.pointsMax)

    /// Adds a run. Fails on `run_code` when the code is taken.
    func insert(_ run: Run, _ course: Course, at now: Timestamp, in transaction: Transaction) async throws {
        let place = try StoredPath(course)
        var sealedName: [UInt8]?
        if !run.isOfCompany {
            let key = try await keys.madeKeySet(of: [run.organiser], in: transaction).key(of: run.organiser)
            sealedName = PersonalColumn.organiserName.seal(run.organiserName, row: [run.id], with: key)
        }
        try await transaction.execute(
            """
            insert into run (id, code, organiser_id, organiser_kind, organiser_name, company_name, name, description, place,
              clauses, path, checkpoints, length_m, start_latitude, start_longitude, south, west, north, east, starts_at, ends_at,
              enrolment_deadline, participants_max, created_at)
            values (\(run.id), \(run.code), \(run.organiser), \(run.organiserKind.rawValue),
              \(sealedName), \(run.isOfCompany ? run.organiserName : nil), \(run.name), \(run.description),
              \(run.place), \(run.clauses), \(place.path), \(place.checkpoints), \(run.length), \(run.startPoint.latitude),
              \(run.startPoint.longitude), \(place.box.south), \(place.box.west), \(place.box.north), \(place.box.east),
              \(run.start), \(run.end), \(run.enrolmentDeadline), \(Int32(run.participantsMax)), \(now))
            """)
    }

    /// Writes what an organiser can change, as the next version; with a new course, if any.
    func update(_ run: Run, course: Course?, in transaction: Transaction) async throws {
        try await transaction.execute(
            """
            update run set name = \(run.name), description = \(run.description), place = \(run.place),
              clauses = \(run.clauses), starts_at = \(run.start), ends_at = \(run.end),
              enrolment_deadline = \(run.enrolmentDeadline), participants_max = \(Int32(run.participantsMax)),
              version = \(run.version), plan = \(run.plan)
            where id = \(run.id)
            """)
        guard let course else { return }
        let place = try StoredPath(course)
        try await transaction.execute(
            """
            update run set path = \(place.path), checkpoints = \(place.checkpoints), length_m = \(course.length),
              start_latitude = \(run.startPoint.latitude), start_longitude = \(run.startPoint.longitude),
              south = \(place.box.south), west = \(place.box.west), north = \(place.box.north), east = \(place.box.east)
            where id = \(run.id)
            """)
    }
}

/// A course as it is stored: its path, and the box around it.
struct StoredPath: Sendable {
    let path: [UInt8]
    let checkpoints: [UInt8]
    let box: PathBox

    init(_ course: Course) throws(JSONError) {
        path = try JSONEncoder().encode(LineString(course.path.points))
        checkpoints = try JSONEncoder().encode(course.checkpoints)
        box = PathBox(course.path)
    }
}

import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Testing

/// A run that has begun, with people who are under way.
enum RunInTheMiddle {
    /// Metres per second.
    static let speed = 3.0

    struct Runner {
        let device: Device
        let path: Polyline
        let start: Timestamp

        /// A fix for each of these seconds after the start, in one upload.
        func run(from first: Int, through last: Int) async throws {
            let points = (first...last).map { path.point(at: Double($0) * speed) }
            try await device.upload([
                .init(
                    type: .position, start: start.wholeMilliseconds,
                    offsets: (first...last).map { Int64($0) * 1000 }, latitudes: points.map(\.latitude),
                    longitudes: points.map(\.longitude))
            ])
        }
    }

    /// Plans a run, lets people check in, and moves its start to some minutes ago, between `before` and `after`.
    static func prepare(
        people: Int, _ suite: RunningSuite, before: () async throws -> Void = {},
        after: () async throws -> Void = {}
    ) async throws -> (run: UUID, runners: [Runner]) {
        var newcomers = Newcomers()
        let organiser = try await suite.company("Podistica", as: .organiser, &newcomers)
        let path = try path()
        let run = try await announce(path, by: organiser)
        let start = Timestamp.now() - .seconds(200)
        var runners: [Runner] = []
        for _ in 0..<people {
            let person = try await suite.individual(newcomers.person(birthYears: 1985...2000))
            let device = try await person.pairDevice(name: "Watch", types: [.position])
            _ = try await person.api.patient.enrol(in: run)
            try await checkIn(person, run)
            runners.append(Runner(device: device, path: path, start: start))
        }
        try await eventually("ingestion watches the runners") {
            try await suite.stored(.ingestion, "select count(*) = \(Int64(people)) from watch where is_watched")
        }
        try await eventually("the live feed is followed") { try await suite.followsLive(.track4run) }
        // The start is moved rather than waited for.
        try await before()
        try await move(run, to: start, suite)
        try await after()
        return (run, runners)
    }

    /// Two kilometres to the east.
    static func path() throws -> Polyline {
        let start = try #require(Coordinate(latitude: 45.4642, longitude: 9.19))
        return try Polyline((0...20).map { start.moved(metres: Double($0) * 100, bearing: 90) })
    }

    /// Those who enrol are asked to check in when the start is near.
    static func announce(
        _ path: Polyline, by organiser: Company, startingIn time: Duration = .seconds(600)
    ) async throws -> UUID {
        let start = Timestamp.now().wholeMilliseconds + time
        return try await organiser.api.patient.createRun(
            RunForm(
                name: "Corsa", description: "", place: "Milano", path: .init(path), start: start,
                end: start + .seconds(3600), enrolmentDeadline: start, participantsMax: 10, clauses: "")
        ).id
    }

    private static func checkIn(_ person: Individual, _ run: UUID) async throws {
        var asked: UUID?
        try await eventually("the check-in is asked for") {
            asked = try await person.api.patient.receivedRequests().first { $0.runID == run }?.id
            return asked != nil
        }
        try await person.api.patient.decide("acceptance", on: try #require(asked))
    }

    private static func move(_ run: UUID, to start: Timestamp, _ suite: RunningSuite) async throws {
        let database = suite.cluster.database(schema: ServiceName.track4run.rawValue)
        try await database.execute(
            """
            update run set starts_at = \(start), enrolment_deadline = \(start), version = version + 1
            where id = \(run)
            """)
        await database.close()
        // Ingestion was told to pass on what is measured from the old start on.
        let watching = suite.cluster.database(schema: ServiceName.ingestion.rawValue)
        try await watching.execute("update watch set measured_from = \(start) where measured_from is not null")
        await watching.close()
    }

    /// Waits until a replica shows all runners where they are after so many seconds.
    static func shows(_ runners: Int, at second: Int, _ run: UUID, _ replica: ServiceProgram) async throws {
        var shown: [Double] = []
        do {
            try await eventually("\(replica.httpPort) shows second \(second)") {
                let answer = try await replica.send(.get, "/track4run/v1/runs/\(run)/ranking")
                guard answer.status == .ok else { return false }
                let placings = try JSONDecoder().decode(JSONValue.self, from: answer.body)["placings"]?.elements ?? []
                shown = placings.compactMap { $0["distance_m"]?.number }
                return shown.count == runners && shown.allSatisfy { abs($0 - Double(second) * speed) < 15 }
            }
        } catch {
            throw ProcessFailure("\(error); distances in metres: \(shown)")
        }
    }
}

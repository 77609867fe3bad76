import Contracts
import Domain
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Testing

extension BadDays {
    @Suite struct Track4RunKillTests {
        /// Metres per second.
        private static let speed = 3.0

        @Test(
            "NFR-03b NFR-04a RUN-09: track4run killed before and during a run: the runner is where the device says",
            .timeLimit(.minutes(1)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query, .track4run]) { suite in
                var newcomers = Newcomers()
                let organiser = try await suite.company("Podistica", as: .organiser, &newcomers)
                let person = try await suite.individual(newcomers.person(birthYears: 1985...2000))
                let device = try await person.pairDevice(name: "Watch", types: [.position])
                let runner = Runner(device: device, path: try Self.path(), start: .now() - .seconds(200))
                let run = try await announce(runner.path, by: organiser)
                _ = try await person.api.enrol(in: run)
                try await checkIn(person, run, suite)

                // The start is moved rather than waited for.
                suite[.track4run].kill()
                try await move(run, to: runner.start, suite)
                try await suite[.track4run].start()
                try await suite.answers(.track4run)

                try await runner.run(from: 1, through: 40)
                try await isSeen(at: 40, run, suite)
                suite[.track4run].kill()
                try await runner.run(from: 41, through: 80)
                try await suite[.track4run].start()
                try await suite.answers(.track4run)
                // Where it was before, and what came while nobody was there; by what is asked and by what is streamed.
                try await isSeen(at: 80, run, suite)
                let spectator = try API(suite.client).live(run)
                let snapshot = try await spectator.first(within: .seconds(10), "The snapshot") {
                    $0.name == "snapshot"
                }
                #expect(try Self.distances(snapshot.event).allSatisfy { abs($0 - 80 * Self.speed) < 15 })
                try await runner.run(from: 81, through: 110)
                let moved = try await spectator.first(from: snapshot.next, within: .seconds(10), "A new position") {
                    $0.name == "positions" && ((try? Self.distances($0).first) ?? 0) > 100 * Self.speed
                }
                #expect(try Self.distances(moved.event).count == 1)
                spectator.stop()
            }
        }

        /// Two kilometres to the east.
        private static func path() throws -> Polyline {
            let start = try #require(Coordinate(latitude: 45.4642, longitude: 9.19))
            return try Polyline((0...20).map { start.moved(metres: Double($0) * 100, bearing: 90) })
        }

        private func announce(_ path: Polyline, by organiser: Company) async throws -> UUID {
            let start = Timestamp.now().wholeMilliseconds + .seconds(600)
            return try await organiser.api.createRun(
                RunForm(
                    name: "Corsa", description: "", place: "Milano", path: .init(path), start: start,
                    end: start + .seconds(3600), enrolmentDeadline: start, participantsMax: 10, clauses: "")
            ).id
        }

        private func checkIn(_ person: Individual, _ run: UUID, _ suite: RunningSuite) async throws {
            var asked: UUID?
            try await eventually("the check-in is asked for") {
                asked = try await person.api.receivedRequests().first { $0.runID == run }?.id
                return asked != nil
            }
            try await person.api.decide("acceptance", on: try #require(asked))
            try await eventually("ingestion watches the runner") {
                try await suite.stored(.ingestion, "select exists (select from watch where is_watched)")
            }
            // What comes before the first look at the feed is not for it.
            try await eventually("the live feed is followed") {
                try await suite.stored(
                    .track4run,
                    "select exists (select from feed_cursor where feed = \(Ingestion.liveFeed) and not is_snapshot)")
            }
        }

        private func move(_ run: UUID, to start: Timestamp, _ suite: RunningSuite) async throws {
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

        /// After so many seconds of running.
        private func isSeen(at second: Int, _ run: UUID, _ suite: RunningSuite) async throws {
            try await eventually("the ranking shows second \(second)") {
                let placings = try await API(suite.client).ranking(of: run).placings
                return placings.count == 1 && abs(placings[0].distance - Double(second) * Self.speed) < 15
            }
        }

        private static func distances(_ event: EventStream.Event) throws -> [Double] {
            try JSONDecoder().decode(JSONValue.self, from: Array(event.data.utf8))["positions"]?.elements
                .compactMap { $0["distance_m"]?.number } ?? []
        }

        private struct Runner {
            let device: Device
            let path: Polyline
            let start: Timestamp

            /// A fix for each of these seconds after the start, in one upload.
            func run(from first: Int, through last: Int) async throws {
                let points = (first...last).map { path.point(at: Double($0) * Track4RunKillTests.speed) }
                try await device.upload([
                    .init(
                        type: .position, start: start.wholeMilliseconds,
                        offsets: (first...last).map { Int64($0) * 1000 }, latitudes: points.map(\.latitude),
                        longitudes: points.map(\.longitude))
                ])
            }
        }
    }
}

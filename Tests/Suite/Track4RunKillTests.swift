import Contracts
import Domain
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension BadDays {
    @Suite struct Track4RunKillTests {
        @Test(
            "NFR-03b NFR-04a RUN-09: track4run killed before and during a run: the runner is where the device says",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query, .track4run]) { suite in
                let (run, runners) = try await RunInTheMiddle.prepare(people: 1, suite) {
                    suite[.track4run].kill()
                } after: {
                    try await suite[.track4run].start()
                    try await suite.answers(.track4run)
                }
                let runner = runners[0]

                try await runner.run(from: 1, through: 40)
                try await isSeen(at: 40, run, suite)
                suite[.track4run].kill()
                try await runner.run(from: 41, through: 80)
                try await suite[.track4run].start()
                try await suite.answers(.track4run)
                // Where it was before, and what came while nobody was there; by what is asked and by what is streamed.
                try await isSeen(at: 80, run, suite)
                let spectator = try API(suite.client).live(run)
                let snapshot = try await spectator.first(within: .patience, "The snapshot") {
                    $0.name == "snapshot"
                }
                #expect(try Self.distances(snapshot.event).allSatisfy { abs($0 - 80 * RunInTheMiddle.speed) < 15 })
                try await runner.run(from: 81, through: 110)
                let moved = try await spectator.first(from: snapshot.next, within: .patience, "A new position") {
                    $0.name == "positions" && ((try? Self.distances($0).first) ?? 0) > 100 * RunInTheMiddle.speed
                }
                #expect(try Self.distances(moved.event).count == 1)
                spectator.stop()
            }
        }

        private func isSeen(at second: Int, _ run: UUID, _ suite: RunningSuite) async throws {
            try await RunInTheMiddle.shows(1, at: second, run, suite[.track4run])
        }

        private static func distances(_ event: EventStream.Event) throws -> [Double] {
            try JSONDecoder().decode(JSONValue.self, from: Array(event.data.utf8))["positions"]?.elements
                .compactMap { $0["distance_m"]?.number } ?? []
        }
    }
}

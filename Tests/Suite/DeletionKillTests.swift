import Contracts
import Domain
import Primitives
import ProcessTesting
import RPC
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension BadDays {
    @Suite struct DeletionKillTests {
        private static let points = 60_000
        private static let spanSeconds = 10_000
        private static let spans = 4

        @Test(
            "NFR-06a NFR-03b: ingestion killed while it deletes spans: all of them are gone in the end, and nothing else",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion]) { suite in
                let person = try await suite.client.call(
                    Accounts.Provision.self, of: .accounts,
                    .init(population: People.population, people: [try People.person(1)])
                ).people[0]
                let api = try await ImportKillTests.api(of: person.accountID, suite)
                let report = try await api.importFile(ImportKillTests.file(Self.points), type: .gpx)
                #expect(report.count(.heartRate) == Self.points)
                var deletions: [UUID] = []
                for number in 0..<Self.spans {
                    let from = ImportKillTests.begin + .seconds(15_000 * number)
                    deletions.append(
                        try await api.deleteSamples([.heartRate], from: from, to: from + .seconds(Self.spanSeconds)))
                }
                suite[.ingestion].kill()
                try await suite[.ingestion].start()
                let query = try suite[.ingestion].client(as: "query", loops: suite.loops)
                let left = Self.points - Self.spans * Self.spanSeconds
                for id in deletions {
                    _ = try await eventually("A deletion is not done", within: .patience) {
                        () async throws(SuiteError) -> Bool? in
                        try await unlessAway { () async throws(SuiteError) in
                            try await api.isDeleted(id) ? true : nil
                        } ?? nil
                    }
                }
                #expect(try await query.heartRateTimes(of: person.accountID).count == left)
                // The same file again brings nothing back.
                let again = try await api.importFile(ImportKillTests.file(Self.points), type: .gpx)
                #expect(again.repeated == Self.points)
                #expect(try await query.heartRateTimes(of: person.accountID).count == left)
                await query.close()
            }
        }
    }
}

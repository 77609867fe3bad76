import Contracts
import Domain
import Primitives
import ProcessTesting
import RPC
import Reactor
import SuiteClient
import Testing

extension BadDays {
    @Suite struct IngestionKillTests {
        private static let deviceCount = 4
        private static let uploadCount = 60
        private static let killCount = 3

        private struct Sent: Hashable {
            let device: Int
            let number: Int
        }

        @Test(
            "NFR-03b NFR-04a ING-02cd: ingestion killed under uploads: nothing acknowledged is lost, nothing is there twice",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion]) { suite in
                let people = try (1...Self.deviceCount).map { try People.person($0) }
                let provisioned = try await suite.client.call(
                    Accounts.Provision.self, of: .accounts, .init(population: People.population, people: people)
                ).people
                let began = Timestamp.now().wholeMilliseconds - .seconds(3600)
                let ledger = Ledger<Sent>()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (device, own) in provisioned.enumerated() {
                        let api = API(suite.client, token: own.accessToken)
                        group.addTask { try await upload(as: api, device, from: began, ledger) }
                    }
                    for kill in 1...Self.killCount {
                        try await ledger.reached(kill * Self.deviceCount * Self.uploadCount / (Self.killCount + 1))
                        suite[.ingestion].kill()
                        try await suite[.ingestion].start()
                    }
                    try await group.waitForAll()
                }
                let query = try suite[.ingestion].client(as: "query", loops: suite.loops)
                for own in provisioned {
                    let times = try await query.heartRateTimes(of: own.accountID)
                    #expect(times == (1...Self.uploadCount).map { Self.time($0, from: began) })
                }
                await query.close()
            }
        }

        private static func time(_ number: Int, from began: Timestamp) -> Timestamp { began + .seconds(number) }

        /// One upload after the other, each sent again under its number until it is acknowledged, as devices do.
        private func upload(as api: API, _ device: Int, from began: Timestamp, _ ledger: Ledger<Sent>) async throws {
            for number in 1...Self.uploadCount {
                let sample = SampleSeries.heartRate(60 + Double(number % 40), at: Self.time(number, from: began))
                try await api.uploadUntilAcknowledged(sample, number: number)
                ledger.change { $0.acknowledged.insert(Sent(device: device, number: number)) }
            }
        }
    }
}

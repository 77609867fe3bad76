import Contracts
import Domain
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import SuiteClient
import Synchronization
import Testing

extension BadDays {
    @Suite struct ShardMoveKillTests {
        private static let deviceCount = 12

        private struct Sent: Hashable {
            let device: Int
            let number: Int
        }

        private final class Course: Sendable {
            let isOver = Mutex(false)
            let last = Mutex<[Int: Int]>([:])
        }

        @Test(
            "NFR-04a ING-02cd: an operator moves a shard to another cluster under uploads, and both the move and the service are killed: nothing acknowledged is lost, nothing is there twice",
            .timeLimit(.minutes(5)))
        func moved() async throws {
            try await RunningSuite.with([.accounts, .ingestion]) { suite in
                let ingestion = suite[.ingestion]
                ingestion.kill()
                try ingestion.configure { $0.replacing(#""settings": {"#, with: #""settings": {"shards": 2, "#) }
                try await ingestion.start()
                try await ingestion.waitUntilReady()
                try await PrivateCluster.with(suite.loops) { other in
                    try await other.start()
                    try await run(suite, ingestion, other)
                }
            }
        }

        private func run(_ suite: RunningSuite, _ ingestion: ServiceProgram, _ other: PrivateCluster) async throws {
            let people = try (1...Self.deviceCount).map { try People.person($0) }
            let provisioned = try await suite.client.call(
                Accounts.Provision.self, of: .accounts, .init(population: People.population, people: people)
            ).people
            let place = other.address.settings(
                schema: "ingestion_1", passwordFile: suite.directory.file("database.password"))
            let began = Timestamp.now().wholeMilliseconds - .seconds(3600)
            let (ledger, course) = (Ledger<Sent>(), Course())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (device, own) in provisioned.enumerated() {
                    let api = API(suite.client, token: own.accessToken)
                    group.addTask { try await upload(as: api, device, from: began, ledger, course) }
                }
                try await ledger.reached(5 * Self.deviceCount)
                for time in [150, 600] {
                    let move = try await ingestion.begin("shards", "move", "1", "--to", place)
                    try await EventLoop.current?.sleep(for: .milliseconds(time))
                    move.end()
                }
                ingestion.kill()
                try await ingestion.start()
                _ = try await ingestion.run("shards", "move", "1", "--to", place)
                try await ledger.reached(ledger.count + 5 * Self.deviceCount)
                course.isOver.withLock { $0 = true }
                try await group.waitForAll()
            }
            let list = try await ingestion.run("shards", "list")
            #expect(list.contains("1: ingestion_1 in \(other.address.name) at \(other.address.hosts[0])"))
            let query = try ingestion.client(as: "query", loops: suite.loops)
            for (device, own) in provisioned.enumerated() {
                let times = try await query.heartRateTimes(of: own.accountID)
                let last = try #require(course.last.withLock { $0[device] })
                #expect(times == (1...last).map { began + .milliseconds(Int64($0) * 100) })
            }
            await query.close()
            let database = other.database(schema: "ingestion_1")
            #expect(try await database.queryOne("select count(*) > 0 from person", as: Bool.self) == true)
            await database.close()
        }

        /// One upload after the other, each sent again under its number until it is acknowledged, as devices do.
        private func upload(
            as api: API, _ device: Int, from began: Timestamp, _ ledger: Ledger<Sent>, _ course: Course
        ) async throws {
            for number in 1... {
                let sample = SampleSeries.heartRate(
                    60 + Double(number % 40), at: began + .milliseconds(Int64(number) * 100))
                try await api.uploadUntilAcknowledged(sample, number: number)
                ledger.change { $0.acknowledged.insert(Sent(device: device, number: number)) }
                course.last.withLock { $0[device] = number }
                if course.isOver.withLock({ $0 }) { return }
                try await EventLoop.current?.sleep(for: .milliseconds(10))
            }
        }
    }
}

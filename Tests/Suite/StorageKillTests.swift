import Contracts
import Domain
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import SuiteClient
import Testing

extension BadDays {
    /// Bad days of the databases under ingestion.
    @Suite struct StorageKillTests {
        /// Of one upload: so many that it is sealed at once.
        private static let readings = 21_000
        private static let deviceCount = 3
        private static let uploadCount = 6

        /// One heart rate a second, each upload after the one before.
        private static func series(_ number: Int, from began: Timestamp) -> SampleSeries {
            SampleSeries(
                type: .heartRate, start: began + .seconds((number - 1) * readings),
                offsets: (0..<readings).map { Int64($0) * 1000 }, values: (0..<readings).map { Double(60 + $0 % 40) })
        }

        private static func times(_ uploads: Int, from began: Timestamp) -> [Timestamp] {
            (0..<uploads * readings).map { began + .seconds($0) }
        }

        private static func people(_ count: Int, _ suite: RunningSuite) async throws -> [(id: UUID, api: API)] {
            try await suite.client.call(
                Accounts.Provision.self, of: .accounts,
                .init(population: People.population, people: try (1...count).map { try People.person($0) })
            ).people.map { ($0.accountID, API(suite.client, token: $0.accessToken)) }
        }

        @Test(
            "NFR-03b NFR-04a ING-02cd ING-10: ingestion and PostgreSQL killed while uploads are sealed: nothing acknowledged is lost, nothing is there twice",
            .timeLimit(.minutes(5)))
        func sealing() async throws {
            try await RunningSuite.with([.accounts, .ingestion]) { suite in
                let people = try await Self.people(Self.deviceCount, suite)
                let began = Timestamp.now().wholeMilliseconds - .seconds(3 * 86_400)
                let ledger = Ledger<[Int]>()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (device, person) in people.enumerated() {
                        group.addTask {
                            for number in 1...Self.uploadCount {
                                try await person.api.uploadUntilAcknowledged(
                                    Self.series(number, from: began), number: number)
                                ledger.change { $0.acknowledged.insert([device, number]) }
                            }
                        }
                    }
                    // What was acknowledged a moment ago is being sealed.
                    for kill in 1...5 {
                        try await ledger.reached(kill * 3)
                        if kill.isMultiple(of: 2) {
                            try await suite.cluster.killAndStart()
                        } else {
                            suite[.ingestion].kill()
                            try await suite[.ingestion].start()
                        }
                    }
                    try await group.waitForAll()
                }
                // Who was waiting to be sealed when the service was killed is sealed with the next large upload.
                let last = Self.uploadCount + 1
                for person in people {
                    try await person.api.uploadUntilAcknowledged(Self.series(last, from: began), number: last)
                }
                try await eventually("everybody is sealed") {
                    try await suite.stored(
                        .ingestion, "select count(distinct person) = \(Int64(Self.deviceCount)) from block")
                }
                let query = try suite[.ingestion].client(as: "query", loops: suite.loops)
                for person in people {
                    let times = try await query.heartRateTimes(of: person.id)
                    #expect(times.count == last * Self.readings)
                    #expect(times == Self.times(last, from: began))
                }
                await query.close()
            }
        }

        /// As `KillPoint` of ingestion names them.
        private static let steps = [
            "received", "grouped", "written", "committed", "seal-read", "seal-computed", "seal-written",
            "seal-committed",
        ]

        @Test(
            "NFR-03b NFR-04a ING-02cd: ingestion killed at every step between receiving and sealing: each upload is there once",
            .timeLimit(.minutes(5)))
        func everyStep() async throws {
            try await RunningSuite.with([.accounts, .ingestion]) { suite in
                let (person, ingestion) = (try await Self.people(1, suite)[0], suite[.ingestion])
                let began = Timestamp.now().wholeMilliseconds - .seconds(4 * 86_400)
                try await person.api.uploadUntilAcknowledged(Self.series(1, from: began), number: 1)
                for (index, step) in Self.steps.enumerated() {
                    let number = index + 2
                    ingestion.kill()
                    try await ingestion.start(killedAt: step)
                    try await eventually("ingestion is killed when it has \(step)", within: .seconds(60)) {
                        _ = try await unlessAway { () async throws(SuiteError) in
                            try await person.api.upload(
                                Upload(upload: number, sentAt: .now(), series: [Self.series(number, from: began)]))
                        }
                        return !ingestion.isRunning
                    }
                    #expect(try await ingestion.waitForEnd() == .signalled(9))
                    try await ingestion.start()
                    try await person.api.uploadUntilAcknowledged(Self.series(number, from: began), number: number)
                }
                let last = Self.steps.count + 2
                try await person.api.uploadUntilAcknowledged(Self.series(last, from: began), number: last)
                try await eventually("all is sealed") {
                    try await suite.stored(
                        .ingestion,
                        """
                        select not exists (
                          select from arrival a join person p on p.number = a.person where a.arrival > p.sealed_through)
                        """)
                }
                let query = try ingestion.client(as: "query", loops: suite.loops)
                #expect(try await query.heartRateTimes(of: person.id) == Self.times(last, from: began))
                await query.close()
            }
        }

        /// The trace counts no test that may be switched off: `FullDiskTests` of ingestion stand for its clauses on any machine.
        @Test(
            "With a full disk uploads are refused; once there is room all goes on, and what was acknowledged is there once",
            .enabled(if: PrivateCluster.canHaveSmallDisk), .timeLimit(.minutes(5)))
        func fullDisk() async throws {
            try await RunningSuite.with([.accounts, .ingestion], diskMegabytes: 160) { suite in
                let person = try await Self.people(1, suite)[0]
                let began = Timestamp.now().wholeMilliseconds - .seconds(30 * 86_400)
                try await person.api.uploadUntilAcknowledged(Self.series(1, from: began), number: 1)
                try suite.cluster.fillDisk()
                var number = 2
                // What is reserved already is used up first.
                while number < 100,
                    try await unlessAway({ () async throws(SuiteError) in
                        try await person.api.upload(
                            Upload(upload: number, sentAt: .now(), series: [Self.series(number, from: began)]))
                    }) != nil
                { number += 1 }
                #expect(number < 100, "nothing was refused")
                try suite.cluster.emptyDisk()
                // Without room for its log PostgreSQL ends.
                try await suite.cluster.killAndStart()
                try await person.api.uploadUntilAcknowledged(Self.series(number, from: began), number: number)
                let query = try suite[.ingestion].client(as: "query", loops: suite.loops)
                let times = try await query.heartRateTimes(of: person.id)
                #expect(times == Self.times(number, from: began))
                await query.close()
            }
        }

        @Test(
            "SOS-05 ING-02: while the key store is away, uploads of people it has seen go on; others are refused, and go on afterwards",
            .timeLimit(.minutes(5)))
        func keyStore() async throws {
            try await RunningSuite.with([.accounts, .ingestion]) { suite in
                try await PrivateCluster.with(suite.loops) { other in
                    try await other.start()
                    let keys = other.database()
                    try await keys.execute("create schema keys")
                    await keys.close()
                    let ingestion = suite[.ingestion]
                    ingestion.kill()
                    let member = #""keystore": {"hosts": ["#
                    try ingestion.configure {
                        $0.replacing(
                            "\(member)\"\(suite.cluster.address.hosts[0])\"",
                            with: "\(member)\"\(other.address.hosts[0])\"")
                    }
                    try await ingestion.start()
                    try await ingestion.waitUntilReady()
                    let people = try await Self.people(2, suite)
                    let began = Timestamp.now().wholeMilliseconds - .seconds(3600)
                    func sample(_ number: Int) -> SampleSeries { .heartRate(60, at: began + .seconds(number)) }
                    try await people[0].api.uploadUntilAcknowledged(sample(1), number: 1)
                    try await other.kill()
                    // For how long they go on, by a clock that a test moves: `KeyStoreAwayTests`.
                    for number in 2...20 {
                        let receipt = try await people[0].api.upload(
                            Upload(upload: number, sentAt: .now(), series: [sample(number)]))
                        #expect(receipt.stored == 1)
                    }
                    let refused = try await unlessAway { () async throws(SuiteError) in
                        try await people[1].api.upload(Upload(upload: 1, sentAt: .now(), series: [sample(1)]))
                    }
                    #expect(refused == nil)
                    try await other.start()
                    try await people[1].api.uploadUntilAcknowledged(sample(1), number: 1)
                    let query = try ingestion.client(as: "query", loops: suite.loops)
                    for (person, count) in zip(people, [20, 1]) {
                        #expect(
                            try await query.heartRateTimes(of: person.id)
                                == (1...count).map { began + .seconds($0) })
                    }
                    await query.close()
                }
            }
        }
    }
}

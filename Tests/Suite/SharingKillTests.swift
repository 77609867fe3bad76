import Contracts
import Domain
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Testing

extension AgainstTheClock {
    /// Two replicas that share the parts of `ingestion.live`, of which one is killed.
    @Suite struct SharingKillTests {
        /// Whether two replicas follow half of the parts each.
        private static let isShared: SQL = """
            select count(*) = 2 and min(parts) = max(parts) from (
              select count(*) as parts from feed_cursor where feed = \(Ingestion.liveFeed) and holder is not null
                and epoch <> '' and not is_snapshot group by holder) h
            """

        @Test(
            "NFR-02 NFR-03b SOS-02: of two dispatchers one is killed: the other takes its people over, and each emergency is one incident",
            .timeLimit(.minutes(5)))
        func dispatchers() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .dispatcher]) { suite in
                let ambulance = try await WebhookReceiver.start(
                    at: suite.hook.address, secret: suite.hook.secret, loops: suite.loops)
                let patients = try await suite.patients(12)
                try await suite.withReplica(of: .dispatcher) { replica in
                    try await eventually("they share the feed") {
                        try await suite.stored(.dispatcher, Self.isShared)
                    }
                    for patient in patients[..<4] { try await patient.collapse() }
                    for patient in patients[..<4] { try await ambulance.call(about: patient) }
                    // Wherever it is with these.
                    for patient in patients[4..<8] { try await patient.collapse() }
                    replica.kill()
                    let killed = Deadline.now()
                    for patient in patients[8...] { try await patient.collapse() }
                    for patient in patients[4...] { try await ambulance.call(about: patient) }
                    // Taken over within 2 s, and called at once.
                    #expect(Deadline.now().since(killed) < .seconds(5))
                }
                for patient in patients {
                    try await eventually("the incident is handed over") {
                        try await patient.individual.api.incidents().map(\.state) == ["handed-over"]
                    }
                }
                await ambulance.stop()
            }
        }

        @Test(
            "NFR-02 NFR-03b RUN-09: of two replicas of track4run one is killed: both show all runners, and the other goes on with them",
            .timeLimit(.minutes(5)))
        func runs() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query, .track4run]) { suite in
                let (run, runners) = try await RunInTheMiddle.prepare(people: 6, suite) {
                    suite[.track4run].kill()
                } after: {
                    try await suite[.track4run].start()
                    try await suite.answers(.track4run)
                }
                try await suite.withReplica(of: .track4run) { replica in
                    try await eventually("they share the feed") {
                        try await suite.stored(.track4run, Self.isShared)
                    }
                    for runner in runners { try await runner.run(from: 1, through: 40) }
                    for program in [suite[.track4run], replica] {
                        try await RunInTheMiddle.shows(runners.count, at: 40, run, program)
                    }
                    for runner in runners { try await runner.run(from: 41, through: 60) }
                    suite[.track4run].kill()
                    for runner in runners { try await runner.run(from: 61, through: 80) }
                    try await RunInTheMiddle.shows(runners.count, at: 80, run, replica)
                    try await suite[.track4run].start()
                    try await suite.answers(.track4run)
                    for runner in runners { try await runner.run(from: 81, through: 100) }
                    for program in [suite[.track4run], replica] {
                        try await RunInTheMiddle.shows(runners.count, at: 100, run, program)
                    }
                }
            }
        }
    }
}

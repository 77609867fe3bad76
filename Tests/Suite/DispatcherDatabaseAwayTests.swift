import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension AgainstTheClock {
    /// The dispatcher's PostgreSQL, with its key store, is away while people need an ambulance.
    @Suite struct DispatcherDatabaseAwayTests {
        /// So long is it away.
        private static let awayTime = Duration.seconds(60)
        /// From the first critical measurement to the hand-over (SOS-05).
        private static let handOverMax = Duration.seconds(5)
        /// An upload holds five readings in as many seconds: so much of that time is over when it is sent.
        private static let measured = Duration.seconds(4)
        /// What the processes of a busy machine may take beside that: no measure of the service.
        private static let slack = Duration.seconds(3)

        private func apart(_ body: @escaping @Sendable (RunningSuite, PrivateCluster) async throws -> Void) async throws
        {
            let names: [ServiceName] = [.accounts, .ingestion, .dispatcher]
            try await RunningSuite.prepared(names) { suite in
                try await suite.cluster.start()
                try await suite.makeSchemas(of: [.dispatcher])
                try await PrivateCluster.with(suite.loops) { other in
                    try await other.start()
                    try await suite.makeSchemas(of: [.accounts, .ingestion], in: other)
                    for name in [ServiceName.accounts, .ingestion] {
                        try suite[name].configure {
                            $0.replacing(suite.cluster.address.hosts[0], with: other.address.hosts[0])
                        }
                    }
                    try await suite.running(names) {
                        for name in names { try await suite[name].waitUntilReady() }
                        try await body(suite, other)
                    }
                }
            }
        }

        @Test(
            "SOS-05a SOS-07a SOS-07c SOS-13a NFR-03b NFR-04a: PostgreSQL away for 60 s: emergencies are handed over within 5 s, accepted and called off, and known afterwards, each as one incident",
            .timeLimit(.minutes(5)), arguments: [Outage.killed, .frozen])
        func away(_ outage: Outage) async throws {
            try await apart { suite, other in
                let ambulance = try await WebhookReceiver.start(
                    at: suite.hook.address, secret: suite.hook.secret, loops: suite.loops)
                let patients = try await suite.patients(4, ingestionIn: other)
                let (early, late, alarmed, before) = (patients[0], patients[1], patients[2], patients[3])
                // All have been seen, but nobody has to have been.
                for patient in patients { try await patient.isWell() }
                try await eventually("all were seen") {
                    try await suite.stored(
                        .dispatcher,
                        "select count(*) = 4 and bool_and(last_vital_at > clock_timestamp() - interval '1 minute') from monitor"
                    )
                }
                // One emergency has begun with the database, and is accepted without it.
                try await before.collapse()
                let begun = try await ambulance.call(about: before)

                try await outage.begin(suite.cluster)
                let gone = Deadline.now()
                try await handOver(of: early, ambulance)
                try await suite.accept(begun)
                try await suite.accept(try await ambulance.call(about: early))
                try await handOver(of: alarmed, ambulance)
                // Others are well meanwhile.
                while Deadline.now().since(gone) < Self.awayTime {
                    try await late.isWell()
                    try await EventLoop.current?.sleep(for: .milliseconds(500))
                }
                try await handOver(of: late, ambulance)

                try await outage.end(suite.cluster)
                for patient in [early, before] { try await patient.incident(becomes: "acknowledged") }
                for patient in [late, alarmed] { try await patient.incident(becomes: "handed-over") }
                try await eventually("nothing is left on the disk") {
                    guard try await suite.stored(.dispatcher, "select count(*) > 0 from journal_entry") else {
                        return false
                    }
                    return try await suite[.dispatcher].ask("/metrics").text.contains("trackme_journal_entries 0\n")
                }
                for patient in patients {
                    let ids = Set(
                        ambulance.calls.filter { $0.fiscalCode == patient.fiscalCode }.map { $0.id.prefix(36) })
                    #expect(ids.count == 1)
                }
                await ambulance.stop()
            }
        }

        private func handOver(of patient: Patient, _ ambulance: WebhookReceiver) async throws {
            let began = Timestamp.now()
            try await patient.collapse()
            let call = try await ambulance.call(about: patient)
            let time = call.arrived - began + Self.measured
            #expect(time < Self.handOverMax + Self.slack)
            print("handed over \(time) after the first critical measurement, the database being away")
        }
    }
}

import Contracts
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Testing

extension AgainstTheClock {
    /// Accounts is killed and stays away while people need an ambulance.
    @Suite struct AccountsAwayTests {
        /// So long is it away before anything happens: whoever asks it has noticed.
        private static let awayTime = Duration.seconds(10)
        /// From the first critical measurement to the hand-over (SOS-05).
        private static let handOverMax = Duration.seconds(5)
        /// An upload holds five readings in as many seconds: so much of that time is over when it is sent.
        private static let measured = Duration.seconds(4)

        @Test(
            "SOS-05a SOS-06a SOS-07a: an emergency is handed over within 5 s, with name, fiscal code and place; also when accounts is killed and away",
            .timeLimit(.minutes(5)))
        func away() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .dispatcher]) { suite in
                let ambulance = try await WebhookReceiver.start(
                    at: suite.hook.address, secret: suite.hook.secret, loops: suite.loops)
                let patients = try await suite.patients(2)
                let (patient, earlier) = (patients[0], patients[1])
                // Each reading is sent when it is measured, and no time is added.
                try await earlier.isWell()
                let first = try await earlier.collapsesLive()
                let time = try await ambulance.call(about: earlier).arrived - first
                #expect(time < Self.handOverMax)
                print("handed over \(time) after the first critical measurement")
                try await patient.isWell()
                suite[.accounts].kill()
                let gone = Deadline.now()
                while Deadline.now().since(gone) < Self.awayTime {
                    try await patient.isWell()
                    try await EventLoop.current?.sleep(for: .milliseconds(500))
                }
                let began = Timestamp.now()
                try await patient.collapse()
                // The first message already says who it is.
                let call = try await ambulance.call(about: patient)
                #expect(ambulance.calls.first { $0.id.prefix(36) == call.id.prefix(36) }?.id == call.id)
                #expect(call.body["incident"]?["message"]?.text == "alert")
                let timeAway = call.arrived - began + Self.measured
                #expect(timeAway < Self.handOverMax)
                print("handed over \(timeAway) after the first critical measurement, accounts being away")
                #expect(call.body["position"]?["accuracy_m"]?.number == 8)
                let person = call.body["person"]
                #expect("\(person?["name"]?.text ?? "") \(person?["surname"]?.text ?? "")" == patient.individual.name)
                #expect(person?["fiscal_code"]?.text == patient.fiscalCode)
                #expect(!suite[.accounts].isRunning)
                try await eventually("it is one incident, and handed over") {
                    try await suite.stored(
                        .dispatcher,
                        """
                        select count(*) = 1 and bool_and(state = 'handed-over') from incident
                        where account = \(patient.individual.id)
                        """)
                }
                await ambulance.stop()
            }
        }
    }
}

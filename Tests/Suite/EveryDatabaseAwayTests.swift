import Contracts
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension AgainstTheClock {
    /// The PostgreSQL of all services is away while somebody needs an ambulance.
    @Suite struct EveryDatabaseAwayTests {
        /// From the first critical measurement to the hand-over (SOS-05).
        private static let handOverMax = Duration.seconds(5)

        @Test(
            "SOS-05a SOS-07a SOS-07c: every PostgreSQL away: what ingestion cannot store is judged, handed over within 5 s, and one incident afterwards",
            .timeLimit(.minutes(5)), arguments: [Outage.killed, .frozen])
        func away(_ outage: Outage) async throws {
            try await RunningSuite.with([.accounts, .ingestion, .dispatcher]) { suite in
                let ambulance = try await WebhookReceiver.start(
                    at: suite.hook.address, secret: suite.hook.secret, loops: suite.loops)
                let patient = try #require(try await suite.patients(1).first)
                try await patient.isWell()
                try await eventually("the monitor has seen it") {
                    try await suite.stored(
                        .dispatcher, "select count(*) = 1 from monitor where last_vital_at is not null")
                }
                try await outage.begin(suite.cluster)
                let readings = try await patient.collapsesUnstored()
                let call = try await ambulance.call(about: patient)
                let time = call.arrived - readings[0].series.start
                #expect(time < Self.handOverMax)
                print("handed over \(time) after the first critical measurement, every database being away")
                let cause = call.body["incident"]?["causes"]?.elements.first
                #expect(cause?["is_provisional"] == .bool(true))

                try await outage.end(suite.cluster)
                try await eventually("the device has sent all of it again") {
                    for reading in readings {
                        guard (try? await patient.device.send([reading.series], number: reading.number)) != nil else {
                            return false
                        }
                    }
                    return true
                }
                try await eventually("it is one incident, handed over, and rests on what is stored") {
                    try await suite.stored(
                        .dispatcher,
                        """
                        select count(*) = 1 and bool_and(state = 'handed-over' and exists (
                          select from incident_step s where s.incident = i.id and s.kind = 'stored')) from incident i
                        where account = \(patient.individual.id)
                        """)
                }
                #expect(Set(ambulance.calls.map { $0.id.prefix(36) }).count == 1)
                await ambulance.stop()
            }
        }
    }
}

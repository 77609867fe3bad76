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
    @Suite struct DispatcherKillTests {
        @Test(
            "NFR-03b NFR-04a SOS-07a: the dispatcher killed before, during and at a hand-over: each emergency is one incident",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .dispatcher]) { suite in
                let ambulance = try await WebhookReceiver.start(
                    at: suite.hook.address, secret: suite.hook.secret, loops: suite.loops)
                let patients = try await suite.patients(3)
                let dispatcher = suite[.dispatcher]

                // Nobody listens while it happens.
                dispatcher.kill()
                try await patients[0].collapse()
                try await dispatcher.start()
                try await ambulance.call(about: patients[0])
                // It is killed while it happens, wherever it was.
                try await patients[1].collapse()
                dispatcher.kill()
                try await dispatcher.start()
                try await ambulance.call(about: patients[1])
                // It is killed as soon as the ambulance service was called.
                try await patients[2].collapse()
                try await ambulance.call(about: patients[2])
                dispatcher.kill()
                try await dispatcher.start()
                try await suite.answers(.dispatcher)

                for patient in patients {
                    try await patient.incident(becomes: "handed-over")
                    try await suite.accept(try await ambulance.call(about: patient))
                    try await patient.incident(becomes: "acknowledged")
                }
                check(ambulance.calls, patients)
                await ambulance.stop()
            }
        }

        /// One incident for each patient, however many alerts tell of it: the first message for a hook is an alert,
        /// also when news of the incident have made it a later one meanwhile.
        private func check(_ calls: [WebhookReceiver.Call], _ patients: [Patient]) {
            let alerts = calls.filter { $0.body["incident"]?["message"]?.text == "alert" }
            var ids: [String: Set<String>] = [:]
            for call in alerts {
                ids[call.fiscalCode ?? "", default: []].insert(call.body["incident"]?["id"]?.text ?? "")
            }
            #expect(Set(ids.keys) == Set(patients.map { $0.fiscalCode }))
            #expect(ids.values.allSatisfy { $0.count == 1 }, "\(ids)")
            #expect(Set(alerts.map { $0.body["incident"]?["id"]?.text }).count == patients.count)
        }
    }
}

import Contracts
import Domain
import JSON
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension AgainstTheClock {
    /// What a device learns of its wearer from the answers to its uploads, and what it does by its own token.
    @Suite struct WearerTests {
        /// How long after the commit a change has to be in the answer to an upload.
        private static let toldMax = Duration.seconds(1)

        @Test(
            "SOS-04ab SOS-08c SOS-12a SOS-13e: a device is told by its next uploads that its wearer is alerted and that help is called, calls it off, and raises an SOS",
            .timeLimit(.minutes(5)))
        func told() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .dispatcher]) { suite in
                let ambulance = try await WebhookReceiver.start(
                    at: suite.hook.address, secret: suite.hook.secret, loops: suite.loops)
                let patient = try #require(try await suite.patients(1).first)
                // Until ingestion hears the dispatcher it does not know that all is well.
                _ = try await becomes(nil, "at-once", patient, within: .patience)

                try await patient.device.upload([.heartRate(32)])
                _ = try await becomes("alerted", "three-per-second", patient, rate: 32, within: Self.toldMax)
                try await patient.collapse()
                let call = try await ambulance.call(about: patient)
                let told = try await becomes("handed-over", "three-per-second", patient, rate: 70, within: Self.toldMax)
                #expect(told?.incident?.description == call.body["incident"]?["id"]?.text)
                try await patient.device.api.patient.callOff(try #require(told?.incident))
                _ = try await becomes(nil, "at-once", patient, rate: 70, within: Self.toldMax)

                try await patient.device.api.patient.callForHelp(.random())
                let pressed = try await becomes(
                    "handed-over", "three-per-second", patient, rate: 70, within: .patience)
                #expect(pressed?.incident != told?.incident)
                await ambulance.stop()
            }
        }

        /// Uploads until the answer says so.
        private func becomes(
            _ state: String?, _ sampling: String, _ patient: Patient, rate: Double = 70, within time: Duration
        ) async throws -> UploadReceipt.SOS? {
            let deadline = Deadline.after(time)
            while true {
                let isLast = deadline.hasPassed
                let receipt = try await patient.device.upload([.heartRate(rate)])
                if receipt.sos?.state == state, receipt.sampling == sampling { return receipt.sos }
                try #require(!isLast, "\(String(describing: receipt.sos?.state)), \(receipt.sampling)")
                try await EventLoop.current?.sleep(for: .milliseconds(50))
            }
        }
    }
}

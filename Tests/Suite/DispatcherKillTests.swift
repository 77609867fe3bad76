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
        private static let phone = PhoneNumber("+390212345678")
        private static let home = Coordinate(latitude: 45.4642, longitude: 9.19)

        private struct Patient: Sendable {
            let individual: Individual
            let device: Device
        }

        @Test(
            "NFR-03 NFR-04 SOS-07a: the dispatcher killed before, during and at a hand-over: each emergency is one incident",
            .timeLimit(.minutes(1)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .dispatcher]) { suite in
                let ambulance = try await WebhookReceiver.start(
                    at: suite.hook.address, secret: suite.hook.secret, loops: suite.loops)
                let patients = try await enrolled(3, in: suite)
                let dispatcher = suite[.dispatcher]

                // Nobody listens while it happens.
                dispatcher.kill()
                try await collapse(patients[0])
                try await dispatcher.start()
                try await called(ambulance, about: patients[0])
                // It is killed while it happens, wherever it was.
                try await collapse(patients[1])
                dispatcher.kill()
                try await dispatcher.start()
                try await called(ambulance, about: patients[1])
                // It is killed as soon as the ambulance service was called.
                try await collapse(patients[2])
                try await called(ambulance, about: patients[2])
                dispatcher.kill()
                try await dispatcher.start()
                try await suite.answers(.dispatcher)

                for patient in patients {
                    try await becomes("handed-over", patient)
                    try await accept(ambulance, patient, suite)
                    try await becomes("acknowledged", patient)
                }
                check(ambulance.calls, patients)
                await ambulance.stop()
            }
        }

        private func enrolled(_ count: Int, in suite: RunningSuite) async throws -> [Patient] {
            var newcomers = Newcomers()
            let people = (0..<count).map { _ in newcomers.person(birthYears: 1940...1955) }
            let phone = try #require(Self.phone)
            let patients = try await withThrowingTaskGroup(of: Patient.self) { group in
                for person in people {
                    group.addTask {
                        let individual = try await suite.individual(person)
                        let device = try await individual.pairDevice(name: "Band", types: [.position, .heartRate])
                        try await individual.api.patient.enrol(
                            EnrolmentForm(
                                clausesVersion: API.termsVersion, callbackPhone: phone,
                                contacts: [.init(name: "A daughter", phone: phone, email: individual.email)]))
                        return Patient(individual: individual, device: device)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try await eventually("ingestion watches all") {
                try await suite.stored(
                    .ingestion, "select count(*) = \(Int64(count)) from watch where is_watched")
            }
            // What comes before the first look at the feed is not for it.
            try await eventually("the live feed is followed") {
                try await suite.stored(
                    .dispatcher,
                    "select exists (select from feed_cursor where feed = \(Ingestion.liveFeed) and not is_snapshot)")
            }
            return patients
        }

        /// Five low readings in as many seconds, the last just now, in one upload.
        private func collapse(_ patient: Patient) async throws {
            let home = try #require(Self.home)
            let now = Timestamp.now().wholeMilliseconds
            let offsets = (0..<5).map { Int64($0) * 1000 }
            try await patient.device.upload([
                .init(
                    type: .heartRate, start: now - .seconds(4), offsets: offsets, values: offsets.map { _ in 32 }),
                .position(home, at: now, accuracy: 8),
            ])
        }

        @discardableResult
        private func called(_ ambulance: WebhookReceiver, about patient: Patient) async throws -> WebhookReceiver.Call {
            let code = patient.individual.fiscalCode.description
            return try await ambulance.first(within: .seconds(20), "The ambulance service's call") {
                Self.person($0) == code
            }
        }

        private func accept(_ ambulance: WebhookReceiver, _ patient: Patient, _ suite: RunningSuite) async throws {
            let reply = try await called(ambulance, about: patient).body["reply"]
            let url = try #require(reply?["acceptance_url"]?.text)
            let hook = try #require(reply?["hook"]?.text)
            let token = try #require(reply?["token"]?.text)
            try await API(suite.client).post(
                ["hook": hook, "token": token, "decision": "accepted"], to: url, signedWith: suite.hook.secret)
        }

        /// The person sees one incident, in this state.
        private func becomes(_ state: String, _ patient: Patient) async throws {
            try await eventually("the incident is \(state)") {
                try await patient.individual.api.incidents().map(\.state) == [state]
            }
        }

        /// One incident for each patient, however many alerts tell of it: the first message for a hook is an alert,
        /// also when news of the incident have made it a later one meanwhile.
        private func check(_ calls: [WebhookReceiver.Call], _ patients: [Patient]) {
            let alerts = calls.filter { $0.body["incident"]?["message"]?.text == "alert" }
            var ids: [String: Set<String>] = [:]
            for call in alerts {
                ids[Self.person(call) ?? "", default: []].insert(call.body["incident"]?["id"]?.text ?? "")
            }
            #expect(Set(ids.keys) == Set(patients.map { $0.individual.fiscalCode.description }))
            #expect(ids.values.allSatisfy { $0.count == 1 }, "\(ids)")
            #expect(Set(alerts.map { $0.body["incident"]?["id"]?.text }).count == patients.count)
        }

        private static func person(_ call: WebhookReceiver.Call) -> String? {
            call.body["person"]?["fiscal_code"]?.text
        }
    }
}

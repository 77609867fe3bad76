import Contracts
import Domain
import Primitives
import ProcessTesting
import SuiteClient
import Testing

extension AgainstTheClock {
    /// What people are told of requests, through all services.
    @Suite struct RequestNoticeTests {
        /// REQ-04.
        private static let timeMax = Duration.seconds(10)
        private static let reason = "Il cuore com'è: studio 4711"

        /// What stands in inbox and mail.
        private struct Words {
            /// Of what is asked for: for what, for how long and how often.
            let received: [String]
            let accepted: String
            let withdrawn: String

            init(_ language: Language) {
                switch language {
                case .italian:
                    received = ["Frequenza cardiaca", "in abbonamento", "un valore per ogni ora", "appena arriva"]
                    (accepted, withdrawn) = ("è stata accettata", "il consenso è stato revocato")
                case .english:
                    received = ["Heart rate", "as a subscription", "one value for each hour", "as soon as it comes"]
                    (accepted, withdrawn) = ("was accepted", "the consent was withdrawn")
                }
            }
        }

        @Test(
            "REQ-04ab REQ-07a REQ-10d: within ten seconds a request is in inbox and mail of that person alone, in its language, and each answer in the third party's",
            .timeLimit(.minutes(3)))
        func told() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query]) { suite in
                var newcomers = Newcomers()
                for language in Language.allCases {
                    let company = try await suite.company(
                        "Cardio \(language.rawValue)", as: .thirdParty, &newcomers, language)
                    try await told(suite, Words(language), company, language, &newcomers)
                }
            }
        }

        private func told(
            _ suite: RunningSuite, _ words: Words, _ company: Company, _ language: Language,
            _ newcomers: inout Newcomers
        ) async throws {
            let program = try await company.program(name: "Asking", scopes: ["requests"])
            let person = try await suite.individual(newcomers.person(birthYears: 1960...1990), language)
            let other = try await suite.individual(newcomers.person(birthYears: 1960...1990))
            // Requests are for what is there (REQ-03).
            let now = Timestamp.now().wholeMilliseconds
            for somebody in [person, other] {
                let device = try await somebody.pairDevice(name: "Watch", types: [.heartRate])
                try await device.api.uploadUntilAcknowledged(.heartRate(61, at: now - .seconds(60)), number: 1)
            }
            let request = try await program.createRequest(
                RequestForm(
                    email: person.email, dataTypes: [.heartRate], from: now - .seconds(7 * 86_400),
                    to: now + .seconds(86_400), mode: "subscription", reason: Self.reason, granularity: "hour")
            ).id
            // Who asks, and why.
            let asked = [Self.reason, company.name] + words.received
            try await isTold("request-received", asked, person.api, at: person.email, suite)
            #expect(try await other.api.inbox().allSatisfy { $0.template != "request-received" })
            #expect(try suite.mails(to: other.email, with: Self.reason).isEmpty)
            #expect(try await other.api.receivedRequests().isEmpty)

            let (accepted, withdrawn) = (["\(request)", words.accepted], ["\(request)", words.withdrawn])
            try await person.api.decide("acceptance", on: request)
            try await isTold("request-accepted", accepted, company.api, at: company.email, suite)
            try await person.api.decide("withdrawal", on: request)
            try await isTold("request-withdrawn", withdrawn, company.api, at: company.email, suite)
            try await isTold("request-withdrawn", withdrawn, person.api, at: person.email, suite)
        }

        /// Once in the inbox, and in a mail, from now on within the time.
        private func isTold(
            _ template: String, _ words: [String], _ api: API, at address: EmailAddress, _ suite: RunningSuite
        ) async throws {
            let watch = Stopwatch()
            try await eventually("\(template) is in the inbox", within: Self.timeMax) {
                try await api.inbox().contains { $0.template == template }
            }
            let messages = try await api.inbox().filter { $0.template == template }
            try #require(messages.count == 1)
            for word in words { #expect(messages[0].text.joined.contains(word), "\(word): \(messages[0].text)") }
            try await eventually("\(template) is mailed", within: Self.timeMax) {
                try suite.mails(to: address, with: words[0]).contains { mail in
                    words.allSatisfy { mail.text.joined.contains($0) }
                }
            }
            #expect(watch.elapsed < Self.timeMax)
        }
    }
}

extension RunningSuite {
    fileprivate func mails(to address: EmailAddress, with word: String) throws(SuiteError) -> [Mail] {
        let mailbox = Mailbox(directory: client.configuration.mailDirectory, since: .now() - .seconds(600))
        return try mailbox.mails(to: address).filter { $0.text.joined.contains(word) }
    }
}

extension String {
    /// Without the breaks of its lines: mail breaks them where it likes.
    fileprivate var joined: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension BadDays {
    /// The PostgreSQL of accounts is away while people use it.
    @Suite struct DatabaseAwayTests {
        private static let registrations = 8
        /// A mail that was claimed when PostgreSQL went is due again 2 minutes later.
        private static let mailTime = Duration.seconds(180)

        private struct Call: Sendable {
            let service: ServiceName
            let method: HTTPMethod
            let path: String
            var token: String?
            var json: String?
        }

        /// Runs `body` beside all services, of which accounts has a PostgreSQL of its own.
        private func apart(
            _ body: @escaping @Sendable (RunningSuite, PrivateCluster) async throws -> Void
        ) async throws {
            try await RunningSuite.prepared(ServiceName.allCases) { suite in
                try await suite.cluster.start()
                try await suite.makeSchemas(of: ServiceName.allCases.filter { $0 != .accounts })
                try await PrivateCluster.with(suite.loops) { own in
                    try await own.start()
                    try await suite.makeSchemas(of: [.accounts], in: own)
                    try suite[.accounts].configure {
                        $0.replacing(suite.cluster.address.hosts[0], with: own.address.hosts[0])
                    }
                    try await suite.running(ServiceName.allCases) {
                        for name in ServiceName.allCases { try await suite[name].waitUntilReady() }
                        try await body(suite, own)
                    }
                }
            }
        }

        @Test(
            "NFR-03b NFR-04a ACC-07 ACC-12b: accounts' PostgreSQL away while people register, log in and leave: errors in words and in time, others go on, nothing acknowledged is lost",
            .timeLimit(.minutes(5)))
        func away() async throws {
            try await apart { suite, own in
                var newcomers = Newcomers()
                let (_, program) = try await suite.thirdParty(&newcomers)
                let leaving = try await suite.personWithEverything(program, &newcomers)
                let staying = try await suite.personWithEverything(program, &newcomers)
                let accounts = try #require(suite[.accounts].processID)
                let people = (0..<Self.registrations).map { _ in newcomers.person(birthYears: 1960...1990) }
                let (mailbox, ledger) = (suite.mailbox, Ledger<Int>())

                // It goes in the middle of registrations, and of an erasure that query has not done yet.
                let (begun, registering) = try await HeldStatement.with(
                    "update of items", on: "erasure", of: [.query], suite
                ) { held in
                    let begun = try await leaving.individual.api.patient.erase(password: RunningSuite.password)
                    try await held.reached(by: 1)
                    let registering = try register(people, ledger, suite)
                    try await ledger.reached(1)
                    try await own.kill()
                    return (begun, registering)
                }
                try await registering.value
                try await refuses(suite, program, staying, begun)
                try await goesOn(suite, staying)
                try await eventually("query has tried to report") {
                    try await suite.stored(
                        .query,
                        """
                        select attempts > 0 and reported_at is null from erasure where account = \(leaving.individual.id)
                        """)
                }

                try await own.start()
                try await suite[.accounts].waitUntilReady()
                #expect(suite[.accounts].processID == accounts)
                let receipt = try await suite.completedReceipt(begun.receiptToken)
                #expect(receipt.items(of: .query)["requests"]?.count == 1)
                var members: [Individual] = []
                for (number, person) in people.enumerated() {
                    members.append(
                        try await member(
                            person, wasAcknowledged: ledger.books.acknowledged.contains(number), mailbox, suite))
                }
                try await isServedAgain(suite, program, leaving, staying, newcomer: try #require(members.first))
            }
        }

        /// Registers people at the same time, each once. One who is refused by what is away has to try again.
        private func register(
            _ people: [SimulatedPerson], _ ledger: Ledger<Int>, _ suite: RunningSuite
        ) throws -> Task<Void, any Error> {
            try #require(EventLoop.current).throwingTask {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, person) in people.enumerated() {
                        group.addTask {
                            let form = person.form(password: RunningSuite.password)
                            let account = try await unlessAway { () async throws(SuiteError) in
                                try await API(suite.client).register(form)
                            }
                            ledger.change {
                                if account == nil { $0.unknown.insert(number) } else { $0.acknowledged.insert(number) }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        /// Every call that needs the database is answered in time, with words and a time to try again.
        private func refuses(
            _ suite: RunningSuite, _ program: API, _ staying: Patient, _ begun: ErasureBegun
        ) async throws {
            let token = staying.individual.api.token
            let login = #"{"login": "\#(staying.individual.email)", "password": "\#(RunningSuite.password)"}"#
            let request = """
                {"fiscal_code": "\(staying.fiscalCode)", "data_types": ["heart-rate"],
                 "from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z", "mode": "once", "reason": "A study"}
                """
            let calls = [
                Call(service: .accounts, method: .post, path: "/accounts/v1/sessions", json: login),
                Call(service: .accounts, method: .get, path: "/accounts/v1/devices", token: token),
                Call(
                    service: .accounts, method: .post, path: "/accounts/v1/pairings",
                    json: #"{"name": "Watch", "data_types": ["heart-rate"]}"#),
                Call(
                    service: .accounts, method: .post, path: "/accounts/v1/erasure-receipts",
                    json: #"{"token": "\#(begun.receiptToken)"}"#),
                Call(
                    service: .accounts, method: .post, path: "/accounts/v1/me/erasures", token: token,
                    json: #"{"password": "\#(RunningSuite.password)", "scope": "collected-data"}"#),
                // Who is looked up is asked of accounts.
                Call(service: .query, method: .post, path: "/query/v1/requests", token: program.token, json: request),
            ]
            // What a handler may take, and what it may take to end.
            let timeouts = HTTPServerConfiguration.Timeouts()
            let answerTime = timeouts.handler + timeouts.handlerGrace
            try await withThrowingTaskGroup(of: Void.self) { group in
                for call in calls {
                    group.addTask {
                        let watch = Stopwatch()
                        let answer = try await suite[call.service].send(
                            call.method, call.path, token: call.token, json: call.json)
                        #expect(watch.elapsed < answerTime, "\(call.path)")
                        #expect(answer.status == .serviceUnavailable, "\(call.path): \(answer.text)")
                        let seconds = try #require(answer.fields["Retry-After"].flatMap { Int($0) }, "\(call.path)")
                        #expect((1...60).contains(seconds), "\(call.path)")
                        let problem = try JSONDecoder().decode(JSONValue.self, from: answer.body)
                        #expect(problem["detail"]?.text?.isEmpty == false, "\(call.path): \(answer.text)")
                        // Said before the handler's time is over.
                        if call.service == .accounts { #expect(problem["code"]?.text == "database-unavailable") }
                        #expect(!answer.text.contains("postgres"), "\(call.path): \(answer.text)")
                    }
                }
                try await group.waitForAll()
            }
            let query = try suite[.accounts].client(as: "query", loops: suite.loops)
            let error = await #expect(throws: RPCError.self) {
                try await query.call(
                    Accounts.Find.self, .init(fiscalCode: staying.individual.fiscalCode), deadline: .after(.seconds(3)))
            }
            #expect(error?.code == .deadline || error?.code == .unavailable)
            await query.close()
            #expect(try await suite[.accounts].ask("/healthz").status == .ok)
            #expect(try await suite[.accounts].ask("/readyz").status == .serviceUnavailable)
        }

        /// Tokens are checked everywhere else: devices upload, people see what is theirs.
        private func goesOn(_ suite: RunningSuite, _ staying: Patient) async throws {
            let api = staying.individual.api
            for round in 1...10 {
                try await staying.device.upload([.heartRate(60 + Double(round))])
                #expect(try await api.latest().contains { $0.type == .heartRate })
                #expect(try await api.receivedRequests().count == 1)
                #expect(try await api.incidents().isEmpty)
            }
        }

        /// Who was told to be registered is, and got the mail; who was not can be, as if nothing had been.
        private func member(
            _ person: SimulatedPerson, wasAcknowledged: Bool, _ mailbox: Mailbox, _ suite: RunningSuite
        ) async throws -> Individual {
            let api = API(suite.client).patient
            if !wasAcknowledged {
                do throws(SuiteError) { _ = try await api.register(person.form(password: RunningSuite.password)) } catch
                {
                    // The commit was done, and only its answer lost.
                    guard case .refused(_, .conflict, _, _) = error else { throw error }
                }
            }
            let link = try await mailbox.link(to: person.email, containing: "/confirm#", within: Self.mailTime)
            try await api.confirm(link: link)
            let member = try await Individual.logIn(person, password: RunningSuite.password, api: api)
            #expect(try await member.api.patient.devices().isEmpty)
            return member
        }

        private func isServedAgain(
            _ suite: RunningSuite, _ program: API, _ leaving: Patient, _ staying: Patient, newcomer: Individual
        ) async throws {
            let query = try suite[.accounts].client(as: "query", loops: suite.loops)
            let found = try await query.call(
                Accounts.Find.self, .init(fiscalCode: staying.individual.fiscalCode), deadline: .after(.seconds(10)))
            #expect(found.accountID == staying.individual.id)
            let error = await #expect(throws: RPCError.self) {
                try await query.call(
                    Accounts.Find.self, .init(fiscalCode: leaving.individual.fiscalCode), deadline: .after(.seconds(10))
                )
            }
            #expect(error?.code == .notFound)
            await query.close()
            #expect(try await staying.individual.api.patient.devices().count == 1)
            _ = try await API(suite.client).patient.logIn(
                staying.individual.email.description, password: RunningSuite.password)
            // Third parties are served again once revocations are heard.
            let device = try await newcomer.pairDevice(name: "Watch", types: [.heartRate])
            try await device.upload([.heartRate(61)])
            let now = Timestamp.now().wholeMilliseconds
            _ = try await program.patient.createRequest(
                RequestForm(
                    fiscalCode: newcomer.fiscalCode, dataTypes: [.heartRate], from: now - .seconds(3600),
                    to: now - .seconds(1800), mode: "once", reason: "Another study"))
        }
    }
}

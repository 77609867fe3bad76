import Contracts
import Domain
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension BadDays {
    /// Erasures through the whole suite (ACC-12).
    @Suite struct ErasureKillTests {
        private static let followers: [ServiceName] = [.ingestion, .query, .dispatcher, .track4run]

        /// Somebody with something in every service: samples, a consent, an enrolment in AutomatedSOS.
        private func person(_ suite: RunningSuite, _ program: API, _ newcomers: inout Newcomers) async throws -> Patient
        {
            let individual = try await suite.individual(newcomers.person(birthYears: 1950...1960))
            let device = try await individual.pairDevice(name: "Watch", types: [.heartRate, .position])
            try await device.upload([.heartRate(61)])
            let phone = try #require(PhoneNumber("+390212345678"))
            try await individual.api.patient.enrol(
                EnrolmentForm(
                    clausesVersion: API.termsVersion, callbackPhone: phone,
                    contacts: [.init(name: "A daughter", phone: phone, email: individual.email)]))
            let now = Timestamp.now().wholeMilliseconds
            let request = try await program.patient.createRequest(
                RequestForm(
                    fiscalCode: individual.fiscalCode, dataTypes: [.heartRate], from: now - .seconds(3600),
                    to: now + .seconds(86_400), mode: "subscription", reason: "A study of hearts"))
            try await individual.api.patient.decide("acceptance", on: request.id)
            return Patient(individual: individual, device: device)
        }

        private func isComplete(_ token: String, _ suite: RunningSuite) async throws -> Bool {
            try await API(suite.client).patient.erasureReceipt(token).completedAt != nil
        }

        @Test(
            "ACC-12b ACC-12c NFR-03b: each service killed while somebody leaves does its part when it is back, once; nothing is left",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with(ServiceName.allCases) { suite in
                var newcomers = Newcomers()
                let company = try await suite.company("Cardio", as: .thirdParty, &newcomers)
                let program = try await company.program(name: "Following", scopes: ["requests"])
                for service in Self.followers {
                    let leaving = try await person(suite, program, &newcomers)
                    let staying = try await person(suite, program, &newcomers)
                    suite[service].kill()
                    let begun = try await leaving.individual.api.patient.erase(password: RunningSuite.password)
                    // The others do not wait for it.
                    try await eventually("all others have reported") {
                        let receipt = try await API(suite.client).patient.erasureReceipt(begun.receiptToken)
                        return receipt.services.allSatisfy { ($0.erasedAt != nil) != ($0.service == service.rawValue) }
                    }
                    #expect(try await !isComplete(begun.receiptToken, suite))
                    try await suite[service].start()
                    // In the middle of its part, or beside it.
                    suite[service].kill()
                    try await suite[service].start()
                    try await suite.answers(service)
                    try await eventually("the erasure is complete") { try await isComplete(begun.receiptToken, suite) }

                    let receipt = try await API(suite.client).erasureReceipt(begun.receiptToken)
                    #expect(receipt.items(of: .query)["requests"]?.count == 1)
                    #expect(receipt.items(of: .dispatcher)["sos-enrolment"]?.count == 1)
                    #expect(receipt.items(of: .ingestion)["recent-uploads"]?.count == 1)
                    await #expect(throws: SuiteError.self) { try await leaving.device.upload([.heartRate(62)]) }
                    try await staying.device.upload([.heartRate(63)])
                    try await isGone(leaving.individual.id, suite)
                    let stays: SQL = "select count(*) = 1 from request where individual_id = \(staying.individual.id)"
                    #expect(try await suite.stored(.query, stays))
                    try await isNowhere(
                        [
                            leaving.individual.email.description, leaving.fiscalCode, "390212345678", "A daughter",
                            "A study of hearts",
                        ], suite)
                }
            }
        }

        private func isGone(_ account: UUID, _ suite: RunningSuite) async throws {
            let rows: [(ServiceName, SQL)] = [
                (.accounts, "select count(*) = 0 from account where id = \(account)"),
                (.accounts, "select count(*) = 0 from device where account = \(account)"),
                (.ingestion, "select count(*) = 1 from person where account_id = \(account) and erased_at is not null"),
                (
                    .ingestion,
                    """
                    select count(*) = 0 from arrival a join person p on p.number = a.person
                    where p.account_id = \(account)
                    """
                ), (.query, "select count(*) = 0 from request where individual_id = \(account)"),
                (.query, "select count(*) = 0 from access where individual_id = \(account)"),
                (.dispatcher, "select count(*) = 0 from enrolment where account = \(account)"),
                (.dispatcher, "select count(*) = 1 from erasure where account = \(account)"),
            ]
            for (service, question) in rows { #expect(try await suite.stored(service, question), "\(service)") }
            try await isNamedNowhere(account, suite)
        }

        /// What a neighbour said last may come after the erasure: the second pass, 20 minutes later, takes it.
        private static let fedLate: Set<String> = ["watch", "run_watch", "feed_gap"]

        /// No column that is not marked as a tombstone has the account's id, once what was on its way is gone.
        private func isNamedNowhere(_ account: UUID, _ suite: RunningSuite) async throws {
            let database = suite.cluster.database()
            var named: [String] = []
            let deadline = Deadline.after(.patience)
            repeat {
                named = try await columns(naming: account, in: database)
                if !named.isEmpty { try await EventLoop.current?.sleep(for: .milliseconds(100)) }
            } while !named.isEmpty && !deadline.hasPassed
            #expect(named == [])
            await database.close()
        }

        private func columns(naming account: UUID, in database: Database) async throws -> [String] {
            var named: [String] = []
            for (schema, marks) in try ColumnMarks.all() {
                let columns = try await ColumnMarks.columns(of: schema, in: database)
                for column in marks.emptied(of: columns) where !Self.fedLate.contains(column.table) {
                    let found = try await database.queryOne(
                        """
                        select exists (select from \(identifier: schema).\(identifier: column.table)
                          where \(identifier: column.name) = \(account))
                        """, as: Bool.self)
                    if found == true { named.append("\(schema).\(column)") }
                }
            }
            return named
        }

        /// No file of the database and no log holds the words.
        private func isNowhere(_ words: [String], _ suite: RunningSuite) async throws {
            let database = suite.cluster.database()
            try await database.execute("checkpoint")
            await database.close()
            for word in words {
                for (place, more) in [
                    (suite.cluster.data, ["--exclude-dir=pg_wal"]), (suite.directory.path, ["--include=*.log"]),
                ] {
                    let output = suite.directory.file("found.txt")
                    let grep = try await ChildProcess.start(
                        ["grep", "-rlF"] + more + ["-e", word, place], output: output)
                    // 1: nothing was found.
                    #expect(try await grep.waitForEnd(within: .seconds(60)) == .exited(1), "\(word)")
                }
            }
        }
    }
}

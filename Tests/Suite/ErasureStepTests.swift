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
    /// Erasures that are broken off at chosen points (ACC-12).
    @Suite struct ErasureStepTests {
        private static let followers: [ServiceName] = [.ingestion, .query, .dispatcher, .track4run]

        /// Runs `body` beside all services, with one who leaves, and the run in which that one is.
        private func leaving(
            _ body: @escaping @Sendable (RunningSuite, Patient) async throws -> Void
        ) async throws {
            try await RunningSuite.with(ServiceName.allCases) { suite in
                var newcomers = Newcomers()
                let (program, run) = try await suite.programAndRun(&newcomers)
                try await body(suite, try await suite.personWithEverything(program, in: run, &newcomers))
            }
        }

        /// What each service has of somebody who is there.
        private func isThere(_ account: UUID, _ services: [ServiceName], _ suite: RunningSuite) async throws {
            let rows: [ServiceName: SQL] = [
                .accounts: "select count(*) = 1 from account where id = \(account)",
                .ingestion: """
                select count(*) = 1 from arrival a join person p on p.number = a.person
                where p.account_id = \(account) and p.erased_at is null
                """,
                .query: "select count(*) = 1 from request where individual_id = \(account) and state = 'accepted'",
                .dispatcher: "select count(*) = 1 from enrolment where account = \(account)",
                .track4run: "select count(*) = 1 from enrolment where runner_id = \(account)",
            ]
            for service in services {
                let none: SQL = "select count(*) = 0 from erasure where account = \(account)"
                #expect(try await suite.stored(service, none), "\(service)")
                #expect(try await suite.stored(service, try #require(rows[service])), "\(service)")
                #expect(try await suite.hasKey(of: account, service), "\(service)")
            }
        }

        /// The erasure is done once everywhere, and nothing is left.
        private func isErased(_ patient: Patient, _ receipt: ErasureReceipt, _ suite: RunningSuite) async throws {
            #expect(receipt.services.allSatisfy { $0.erasedAt != nil })
            #expect(receipt.services.map(\.service).sorted() == ServiceName.allCases.map(\.rawValue).sorted())
            #expect(receipt.items(of: .accounts)["account"]?.count == 1)
            #expect(receipt.items(of: .accounts)["devices"]?.count == 1)
            #expect(receipt.items(of: .ingestion)["recent-uploads"]?.count == 1)
            #expect(receipt.items(of: .query)["requests"]?.count == 1)
            #expect(receipt.items(of: .dispatcher)["sos-enrolment"]?.count == 1)
            #expect(receipt.items(of: .track4run)["enrolments"]?.count == 1)
            let account = patient.individual.id
            for service in Self.followers {
                let once: SQL = """
                    select count(*) = 1 and bool_and(reported_at is not null) from erasure where account = \(account)
                    """
                #expect(try await suite.stored(service, once), "\(service)")
            }
            for service in ServiceName.allCases {
                #expect(try await !suite.hasKey(of: account, service), "\(service)")
            }
            try await suite.isGone(account)
            try await suite.isNowhere(patient)
        }

        @Test(
            "ACC-12b ACC-12c NFR-03b NFR-04a: services killed before the commit of their part, and between it and the report, have done it once",
            .timeLimit(.minutes(5)))
        func parts() async throws {
            try await leaving { suite, patient in
                let account = patient.individual.id
                // The last statement of a part.
                let (event, table) = ("update of items", "erasure")
                let (begun, broken) = try await HeldStatement.with(event, on: table, of: Self.followers, suite) {
                    held in
                    let begun = try await patient.individual.api.patient.erase(password: RunningSuite.password)
                    let waiting = try await held.reached(by: Self.followers.count)
                    for service in Self.followers { suite[service].kill() }
                    return (begun, waiting)
                }
                try await suite.areGone(broken)
                try await isThere(account, Self.followers, suite)

                // Accounts goes away while they are at it again.
                try await HeldStatement.with(event, on: table, of: Self.followers, suite) { held in
                    for service in Self.followers { try await suite[service].start() }
                    try await held.reached(by: Self.followers.count)
                    suite[.accounts].kill()
                }
                let isUnreported: SQL = """
                    select count(*) = 1 and bool_and(reported_at is null) from erasure where account = \(account)
                    """
                for service in Self.followers {
                    try await eventually("\(service) has done its part") {
                        try await suite.stored(service, isUnreported)
                    }
                }
                for service in Self.followers { suite[service].kill() }
                try await suite[.accounts].start()
                try await suite.answers(.accounts)
                let open = try await suite.receipt(begun.receiptToken)
                #expect(open.completedAt == nil)
                #expect(open.services.filter { $0.erasedAt != nil }.map(\.service) == [ServiceName.accounts.rawValue])

                for service in Self.followers { try await suite[service].start() }
                for service in Self.followers { try await suite.answers(service) }
                try await isErased(patient, try await suite.completedReceipt(begun.receiptToken), suite)
            }
        }

        @Test(
            "ACC-12b ACC-12c NFR-04a: accounts killed before its commit has erased nothing; killed when the key is destroyed, it completes",
            .timeLimit(.minutes(5)))
        func accounts() async throws {
            try await leaving { suite, patient in
                let (account, api) = (patient.individual.id, patient.individual.api)
                let mailbox = suite.mailbox
                // The last statement of the transaction that erases.
                let broken = try await HeldStatement.with(
                    "update of completed_at", on: "erasure", of: [.accounts], suite
                ) { held in
                    let answer = try await erase(as: api)
                    let waiting = try await held.reached(by: 1)
                    suite[.accounts].kill()
                    await #expect(throws: SuiteError.self) { try await answer.value }
                    return waiting
                }
                try await suite.areGone(broken)
                try await suite[.accounts].start()
                try await suite.answers(.accounts)
                try await isThere(account, ServiceName.allCases, suite)
                #expect(try await api.patient.devices().count == 1)

                // The note that the key is destroyed.
                let noted = try await HeldStatement.with(
                    "update of done_at", on: "key_destruction", of: [.accounts], onlyOf: true, suite
                ) { held in
                    let answer = try await erase(as: api)
                    let waiting = try await held.reached(by: 1)
                    #expect(try await !suite.hasKey(of: account, .accounts))
                    suite[.accounts].kill()
                    await #expect(throws: SuiteError.self) { try await answer.value }
                    return waiting
                }
                try await suite.areGone(noted)
                let isOpen: SQL = """
                    select count(*) = 1 from erasure_report
                    where service = \(ServiceName.accounts.rawValue) and erased_at is null
                    """
                #expect(try await suite.stored(.accounts, isOpen))
                try await suite[.accounts].start()
                try await suite.answers(.accounts)
                // The answer was lost with the process; the mail has the receipt.
                let link = try await mailbox.link(
                    to: patient.individual.email, containing: "/receipt#", within: .patience)
                let token = String(try #require(link.split(separator: "#").last))
                try await isErased(patient, try await suite.completedReceipt(token), suite)
            }
        }

        /// Begins, without trying again.
        private func erase(as api: API) async throws -> Task<ErasureBegun, any Error> {
            try #require(EventLoop.current).throwingTask {
                try await api.erase(password: RunningSuite.password)
            }
        }
    }
}

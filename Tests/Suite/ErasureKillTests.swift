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

        @Test(
            "ACC-12b ACC-12c NFR-03b: each service killed while somebody leaves does its part when it is back, once; nothing is left",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with(ServiceName.allCases) { suite in
                var newcomers = Newcomers()
                let (_, program) = try await suite.thirdParty(&newcomers)
                for service in Self.followers {
                    let leaving = try await suite.personWithEverything(program, &newcomers)
                    let staying = try await suite.personWithEverything(program, &newcomers)
                    suite[service].kill()
                    let begun = try await leaving.individual.api.patient.erase(password: RunningSuite.password)
                    // The others do not wait for it.
                    try await eventually("all others have reported") {
                        let receipt = try await suite.receipt(begun.receiptToken)
                        return receipt.services.allSatisfy { ($0.erasedAt != nil) != ($0.service == service.rawValue) }
                    }
                    #expect(try await suite.receipt(begun.receiptToken).completedAt == nil)
                    try await suite[service].start()
                    // In the middle of its part, or beside it.
                    suite[service].kill()
                    try await suite[service].start()
                    try await suite.answers(service)

                    let receipt = try await suite.completedReceipt(begun.receiptToken)
                    #expect(receipt.items(of: .query)["requests"]?.count == 1)
                    #expect(receipt.items(of: .dispatcher)["sos-enrolment"]?.count == 1)
                    #expect(receipt.items(of: .ingestion)["recent-uploads"]?.count == 1)
                    await #expect(throws: SuiteError.self) { try await leaving.device.upload([.heartRate(62)]) }
                    try await staying.device.upload([.heartRate(63)])
                    try await suite.isGone(leaving.individual.id)
                    let stays: SQL = "select count(*) = 1 from request where individual_id = \(staying.individual.id)"
                    #expect(try await suite.stored(.query, stays))
                    try await suite.isNowhere(leaving)
                }
            }
        }
    }
}

import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import ProcessTesting
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension BadDays {
    /// A backup from before an erasure is restored (ACC-12b).
    @Suite struct RestoredBackupTests {
        private static let restored: [ServiceName] = [.accounts, .query]

        private func person(_ suite: RunningSuite, _ program: API, _ newcomers: inout Newcomers) async throws
            -> Individual
        {
            let individual = try await suite.individual(newcomers.person(birthYears: 1950...1960))
            let device = try await individual.pairDevice(name: "Watch", types: [.heartRate])
            try await device.upload([.heartRate(61)])
            let now = Timestamp.now().wholeMilliseconds
            _ = try await program.patient.createRequest(
                RequestForm(
                    fiscalCode: individual.fiscalCode, dataTypes: [.heartRate], from: now - .seconds(3600),
                    to: now + .seconds(86_400), mode: "subscription", reason: "A study of hearts"))
            return individual
        }

        private func tool(_ suite: RunningSuite, _ name: String, _ arguments: String...) async throws {
            let address = suite.cluster.address
            try await suite.cluster.run(
                name, arguments,
                ["PGUSER": address.user, "PGPASSWORD": address.password, "PGDATABASE": address.name])
        }

        /// As deploy/README.md says: the schema, and the next generation of its feeds.
        private func restore(_ service: ServiceName, _ suite: RunningSuite) async throws {
            let database = suite.cluster.database()
            try await database.execute("drop schema \(identifier: service.rawValue) cascade")
            try await tool(
                suite, "psql", "--quiet", "--set=ON_ERROR_STOP=1", "--file=\(suite.directory.file("\(service).sql"))")
            try await database.execute(
                "update \(identifier: service.rawValue).feed_state set generation = generation + 1")
            await database.close()
        }

        @Test(
            "ACC-12b: Who left after the backup that is restored is erased again, and nothing is served until then",
            .timeLimit(.minutes(5)))
        func restored() async throws {
            try await RunningSuite.with(ServiceName.allCases) { suite in
                var newcomers = Newcomers()
                let company = try await suite.company("Cardio", as: .thirdParty, &newcomers)
                let program = try await company.program(name: "Following", scopes: ["requests"])
                let leaving = try await person(suite, program, &newcomers)
                let staying = try await person(suite, program, &newcomers)
                for service in Self.restored {
                    try await tool(
                        suite, "pg_dump", "--schema=\(service)", "--file=\(suite.directory.file("\(service).sql"))")
                }
                let begun = try await leaving.api.patient.erase(password: RunningSuite.password)
                try await eventually("the erasure is complete") {
                    try await API(suite.client).patient.erasureReceipt(begun.receiptToken).completedAt != nil
                }
                for service in Self.restored { suite[service].kill() }
                for service in Self.restored { try await restore(service, suite) }
                let isBack: SQL = "select count(*) = 1 from request where individual_id = \(leaving.id)"
                #expect(try await suite.stored(.query, isBack))

                // Accounts is away: whom query has again is not known.
                try await suite[.query].start()
                try await suite.answers(.query)
                let withheld = try await suite[.query].send(.get, "/openapi.json")
                #expect(withheld.status == .serviceUnavailable && withheld.text.contains("restoring"))
                #expect(withheld.fields["Retry-After"] != nil)

                try await suite[.accounts].start()
                let rows: [(ServiceName, SQL)] = [
                    (.accounts, "select count(*) = 0 from account where id = \(leaving.id)"),
                    (.accounts, "select count(*) = 1 from erasure where account = \(leaving.id)"),
                    (.query, "select count(*) = 0 from request where individual_id = \(leaving.id)"),
                    (.query, "select count(*) = 1 from request where individual_id = \(staying.id)"),
                ]
                for (service, question) in rows {
                    try await eventually("\(service) is without the erased") {
                        try await suite.stored(service, question)
                    }
                }
                for service in Self.restored {
                    try await eventually("\(service) serves again") {
                        try await suite[service].send(.get, "/openapi.json").status == .ok
                    }
                }
            }
        }
    }
}

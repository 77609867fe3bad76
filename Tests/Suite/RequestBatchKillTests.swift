import Contracts
import Domain
import Postgres
import Primitives
import ProcessTesting
import Reactor
import SuiteClient
import Testing

extension BadDays {
    @Suite struct RequestBatchKillTests {
        private static let peopleCount = 200
        /// Uploads at the same time.
        private static let together = 20

        @Test(
            "NFR-03b NFR-04a REQ-01 REQ-09a: query killed in the middle of a batch: with the same key it goes on, and each person has one request and one message",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query]) { suite in
                var newcomers = Newcomers()
                let company = try await suite.company("Cardio", as: .thirdParty, &newcomers)
                let program = try await company.program(name: "Asking", scopes: ["requests"])
                let people = try (1...Self.peopleCount).map { try People.person($0) }
                try await provide(people, suite)
                let now = Timestamp.now().wholeMilliseconds
                let form = RequestBatchForm(
                    people: people.map { .init($0.fiscalCode) }, dataTypes: [.heartRate],
                    from: now - .seconds(7 * 86_400), to: now + .seconds(86_400), mode: "subscription",
                    reason: "A study")
                let key = "\(UUID.random())"

                let asking = try #require(EventLoop.current).throwingTask {
                    try await program.createRequests(form, key: key)
                }
                try await eventually("some are asked") {
                    try await suite.stored(.query, "select count(*) >= 40 from request")
                }
                let waiting = try await HeldStatement.with("insert", on: "request", of: [.query], suite) { held in
                    let waiting = try await held.reached(by: 1)
                    suite[.query].kill()
                    return waiting
                }
                try await suite.areGone(waiting)
                await #expect(throws: SuiteError.self) { try await asking.value }
                let count = Int64(Self.peopleCount)
                #expect(try await suite.stored(.query, "select count(*) between 40 and \(count - 1) from request"))

                try await letGo("update notice set due_at = now() where attempts > 0", suite)
                try await suite[.query].start()
                try await suite.answers(.query)
                try await isHeldByTheDead(program, form, key, suite)
                let items = try await program.patient.createRequests(form, key: key)
                #expect(items.count == people.count)
                #expect(items.allSatisfy { $0.status == 201 && $0.state == "pending" })
                let ids = items.compactMap(\.id)
                #expect(Set(ids).count == people.count)
                let isOneEach: SQL = """
                    select count(*) = \(count) and count(distinct individual_id) = \(count)
                      and bool_and(id = any(\(ids))) from request
                    """
                #expect(try await suite.stored(.query, isOneEach))
                #expect(try await program.patient.createRequests(form, key: key) == items)
                #expect(try await suite.stored(.query, isOneEach))
                try await isToldOnce(suite)
            }
        }

        /// People whose heart rate is collected.
        private func provide(_ people: [Accounts.Provision.Person], _ suite: RunningSuite) async throws {
            let provisioned = try await suite.client.call(
                Accounts.Provision.self, of: .accounts, .init(population: People.population, people: people)
            ).people
            let time = Timestamp.now() - .seconds(60)
            for start in stride(from: 0, to: provisioned.count, by: Self.together) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for own in provisioned[start..<min(start + Self.together, provisioned.count)] {
                        let api = API(suite.client, token: own.accessToken)
                        group.addTask { try await api.uploadUntilAcknowledged(.heartRate(61, at: time), number: 1) }
                    }
                    try await group.waitForAll()
                }
            }
        }

        /// What the dead process had taken up is everybody's again here at once, and not after its time.
        private func letGo(_ statement: SQL, _ suite: RunningSuite) async throws {
            let database = suite.cluster.database(schema: ServiceName.query.rawValue)
            try await database.execute(statement)
            await database.close()
        }

        /// Nobody else goes on with the key while the process that is dead might.
        private func isHeldByTheDead(
            _ program: API, _ form: RequestBatchForm, _ key: String, _ suite: RunningSuite
        ) async throws {
            do throws(SuiteError) {
                _ = try await program.patient.createRequests(form, key: key)
                Issue.record("two processes may go on with one key")
            } catch {
                guard error.code == "idempotency-key-in-use" else { throw error }
            }
            try await letGo("update idempotency set held_until = now() where answer is null", suite)
        }

        private func isToldOnce(_ suite: RunningSuite) async throws {
            let count = Int64(Self.peopleCount)
            try await eventually("no message waits") {
                try await suite.stored(.query, "select not exists (select from notice)")
            }
            let isOneEach: SQL = """
                select count(*) = \(count) and count(distinct account) = \(count) from message
                where template = 'request-received'
                """
            #expect(try await suite.stored(.accounts, isOneEach))
        }
    }
}

import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import ReactorTesting
import SuiteClient
import Testing

extension BadDays {
    /// A backup from before an erasure is restored (ACC-12b).
    @Suite struct RestoredBackupTests {
        private struct People: Sendable {
            let leaving: Patient
            let staying: Patient
            /// Erases the collected data, and stays.
            let renewing: Patient

            /// Questions that are true once a service is without what was erased, and still has the rest.
            func rows(_ service: ServiceName) -> [SQL] {
                let (left, stays) = (leaving.individual.id, staying.individual.id)
                return switch service {
                case .accounts:
                    [
                        "select count(*) = 0 from account where id = \(left)",
                        "select count(*) = 1 from erasure where account = \(left)",
                        "select count(*) = 1 from account where id = \(stays)",
                    ]
                case .ingestion:
                    [
                        Self.arrivals(of: left, are: 0), Self.arrivals(of: stays, are: 1),
                        Self.arrivals(of: renewing.individual.id, are: 0),
                        "select count(*) = 1 from person where account_id = \(left) and erased_at is not null",
                        "select count(*) = 0 from device where account_id = \(left)",
                    ]
                case .query:
                    [
                        "select count(*) = 0 from request where individual_id = \(left)",
                        "select count(*) = 1 from request where individual_id = \(stays)",
                    ]
                case .dispatcher:
                    [
                        "select count(*) = 0 from enrolment where account = \(left)",
                        "select count(*) = 1 from enrolment where account = \(stays)",
                    ]
                case .track4run:
                    [
                        "select count(*) = 0 from enrolment where runner_id = \(left)",
                        "select count(*) = 0 from runner where account_id = \(left)",
                        "select count(*) = 1 from enrolment where runner_id = \(stays)",
                    ]
                }
            }

            /// Is true once the backup is read in.
            func isBack(_ service: ServiceName) -> [SQL] {
                let left = leaving.individual.id
                return switch service {
                case .accounts: ["select count(*) = 1 from account where id = \(left)"]
                case .ingestion:
                    [Self.arrivals(of: left, are: 1), Self.arrivals(of: renewing.individual.id, are: 1)]
                case .query: ["select count(*) = 1 from request where individual_id = \(left)"]
                case .dispatcher: ["select count(*) = 1 from enrolment where account = \(left)"]
                case .track4run: ["select count(*) = 1 from enrolment where runner_id = \(left)"]
                }
            }

            static func arrivals(of account: UUID, are count: Int64) -> SQL {
                """
                select count(*) = \(count) from arrival a join person p on p.number = a.person
                where p.account_id = \(account)
                """
            }
        }

        /// Runs `body` with three people, of whom `backUp` saw all, and of whom one has left since, and one has erased the
        /// collected data; all services are down then.
        private func erased(
            backUp: @escaping @Sendable (RunningSuite) async throws -> Void,
            _ body: @escaping @Sendable (RunningSuite, People) async throws -> Void
        ) async throws {
            try await RunningSuite.with(ServiceName.allCases) { suite in
                var newcomers = Newcomers()
                let (program, run) = try await suite.programAndRun(&newcomers)
                let people = People(
                    leaving: try await suite.personWithEverything(program, in: run, &newcomers),
                    staying: try await suite.personWithEverything(program, in: run, &newcomers),
                    renewing: try await suite.personWithEverything(program, in: run, &newcomers))
                try await backUp(suite)
                let erasures = [
                    try await people.leaving.individual.api.patient.erase(password: RunningSuite.password),
                    try await people.renewing.individual.api.patient.erase(
                        .collectedData, password: RunningSuite.password),
                ]
                for begun in erasures { try await suite.completedReceipt(begun.receiptToken) }
                for service in ServiceName.allCases { suite[service].kill() }
                try await body(suite, people)
            }
        }

        private func start(_ services: [ServiceName], _ suite: RunningSuite) async throws {
            for service in services { try await suite[service].start() }
            for service in services { try await suite.answers(service) }
        }

        private func restore(_ services: [ServiceName], _ suite: RunningSuite, _ people: People) async throws {
            for service in services {
                try await suite.restore(service)
                for question in people.isBack(service) {
                    #expect(try await suite.stored(service, question), "\(service): \(question)")
                }
            }
        }

        private func isWithheld(_ service: ServiceName, _ suite: RunningSuite) async throws {
            let withheld = try await suite[service].send(.get, "/openapi.json")
            #expect(withheld.status == .serviceUnavailable && withheld.text.contains("restoring"), "\(service)")
            #expect(withheld.fields["Retry-After"] != nil)
        }

        /// Waits until a service serves; what was erased is gone then.
        private func servesWithoutTheErased(
            _ service: ServiceName, _ suite: RunningSuite, _ people: People
        ) async throws {
            try await eventually("\(service) serves again") {
                try await suite[service].send(.get, "/openapi.json").status == .ok
            }
            for question in people.rows(service) {
                #expect(try await suite.stored(service, question), "\(service): \(question)")
            }
        }

        /// A call by a neighbour that is refused while what was erased may be there again.
        private func refusal<R>(_ call: () async throws(RPCError) -> R) async -> RPCError.Code? {
            do throws(RPCError) { _ = try await call() } catch { return error.code }
            return nil
        }

        @Test(
            "ACC-12b: Who left after the backup that is restored is erased again, and nothing is served until then",
            .timeLimit(.minutes(5)))
        func accountsAndQuery() async throws {
            let restored: [ServiceName] = [.accounts, .query]
            try await erased { suite in
                for service in restored { try await suite.backUp(service.rawValue) }
            } _: { suite, people in
                try await restore(restored, suite, people)
                // Accounts is away: whom query has again is not known.
                try await start([.query], suite)
                try await isWithheld(.query, suite)

                // Accounts is back, and does not know either, as long as it cannot ask the others: in its second round query
                // could have read all that it publishes.
                try await start([.accounts], suite)
                for service in [ServiceName.dispatcher, .ingestion, .track4run] {
                    try await eventually("accounts has asked \(service) twice") {
                        let lines = try suite[.accounts].log.split(separator: "\n")
                        return lines.count {
                            $0.contains("does not tell its erasures") && $0.contains("\"\(service)\"")
                        } > 1
                    }
                }
                for service in restored { try await isWithheld(service, suite) }
                let query = try suite[.accounts].client(as: "query", loops: suite.loops)
                let left = Accounts.Find.Params(fiscalCode: people.leaving.individual.fiscalCode)
                let withheld = await refusal { () async throws(RPCError) in
                    try await query.call(Accounts.Find.self, left, deadline: .after(.seconds(10)))
                }
                #expect(withheld == .unavailable)

                try await start([.ingestion, .dispatcher, .track4run], suite)
                for service in restored { try await servesWithoutTheErased(service, suite, people) }
                let gone = await refusal { () async throws(RPCError) in
                    try await query.call(Accounts.Find.self, left, deadline: .after(.seconds(10)))
                }
                #expect(gone == .notFound)
                await query.close()
            }
        }

        @Test(
            "ACC-12b ACC-12f: Ingestion, dispatcher and track4run restored from before an erasure serve only when they have done it again",
            .timeLimit(.minutes(5)))
        func others() async throws {
            let restored: [ServiceName] = [.ingestion, .dispatcher, .track4run]
            try await erased { suite in
                for service in restored { try await suite.backUp(service.rawValue) }
            } _: { suite, people in
                try await restore(restored, suite, people)
                try await start([.query] + restored, suite)
                for service in restored { try await isWithheld(service, suite) }
                let query = try suite[.ingestion].client(as: "query", loops: suite.loops)
                // The consent to others' reading may outlive the collected data.
                for person in [people.renewing, people.leaving] {
                    let withheld = await refusal { () async throws(RPCError) in
                        try await query.call(
                            Ingestion.Read.self, .everything(of: person), deadline: .after(.seconds(10)))
                    }
                    #expect(withheld == .unavailable)
                }
                try await start([.accounts], suite)
                for service in restored { try await servesWithoutTheErased(service, suite, people) }
                try await servesWithoutTheErased(.query, suite, people)
                #expect(try await query.heartRateTimes(of: people.renewing.individual.id).isEmpty)
                #expect(try await query.heartRateTimes(of: people.staying.individual.id).count == 1)
                let gone = await refusal { () async throws(RPCError) in
                    try await query.call(
                        Ingestion.Read.self, .everything(of: people.leaving), deadline: .after(.seconds(10)))
                }
                #expect(gone == .notFound)
                await query.close()
                // What is collected from then on is kept.
                try await people.renewing.device.api.uploadUntilAcknowledged(.heartRate(62), number: 100)
                #expect(
                    try await suite.stored(.ingestion, People.arrivals(of: people.renewing.individual.id, are: 1)))
            }
        }

        @Test(
            "ACC-12b: Keys of who left that come back with a backup of the key stores are destroyed again, and nobody else's",
            .timeLimit(.minutes(5)))
        func keyStores() async throws {
            try await erased { suite in
                for service in ServiceName.allCases { try await suite.backUp(suite.keySchema(of: service)) }
            } _: { suite, people in
                let (left, stays) = (people.leaving.individual.id, people.staying.individual.id)
                for service in ServiceName.allCases {
                    #expect(try await !suite.hasKey(of: left, service), "\(service)")
                    try await suite.restoreKeys(of: service)
                    #expect(try await suite.hasKey(of: left, service), "\(service)")
                }
                try await start(ServiceName.allCases, suite)
                // Of the dispatcher alarms begin without the key store.
                for service in ServiceName.allCases where service != .dispatcher {
                    #expect(try await !suite.hasKey(of: left, service), "\(service)")
                }
                try await eventually("the dispatcher's key is destroyed, too") {
                    try await !suite.hasKey(of: left, .dispatcher)
                }
                for service in ServiceName.allCases {
                    try await servesWithoutTheErased(service, suite, people)
                    #expect(try await suite.hasKey(of: stays, service), "\(service)")
                }
                // What they seal can be read.
                #expect(try await people.staying.individual.api.patient.latest().count == 1)
                #expect(try await people.staying.individual.api.patient.receivedRequests().count == 1)
            }
        }
    }
}

extension Ingestion.Read.Params {
    fileprivate static func everything(of patient: Patient) -> Self {
        .init(
            accountID: patient.individual.id, types: [.heartRate], from: Timestamp(milliseconds: 0), to: .now(),
            after: .beginning, limit: 100, waitMilliseconds: 0, reason: .init(purpose: "test"))
    }
}

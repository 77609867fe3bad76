import Contracts
import HTTP
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting
import RPC
import Reactor
import SuiteClient
import Testing

extension BadDays {
    @Suite struct ServiceStartTests {
        @Test(
            "NFR-03b: services started before their database, their schemas and each other come up by themselves",
            .timeLimit(.minutes(5)))
        func wrongOrder() async throws {
            let neighbours = ServiceName.allCases.filter { $0 != .accounts }
            try await RunningSuite.prepared(ServiceName.allCases) { suite in
                try await suite.running(ServiceName.allCases) {
                    for name in ServiceName.allCases {
                        try await suite[name].waitForLog("waiting for the database")
                        // Alive, so that nobody restarts it, and not ready.
                        #expect(try await suite[name].ask("/healthz").status == .ok)
                        #expect(try await suite[name].ask("/readyz").status == .serviceUnavailable)
                    }
                    try await suite.cluster.start()
                    try await suite.makeSchemas(of: neighbours)
                    // Ready without accounts, and saying so.
                    for name in neighbours { try await suite[name].waitUntilReady { $0.contains("degraded") } }
                    try await suite[.accounts].waitForLog("has no schema")
                    try await suite.makeSchemas(of: [.accounts])
                    for name in ServiceName.allCases {
                        try await suite[name].waitUntilReady { !$0.contains("unreachable") }
                    }
                    try await together(suite)
                    for name in ServiceName.allCases {
                        suite[name].terminate()
                        #expect(try await suite[name].waitForEnd() == .exited(0))
                    }
                }
            }
        }

        /// A token that accounts has given is understood by the others, which have to ask for the keys: a device may not
        /// do these things, but it is known.
        private func together(_ suite: RunningSuite) async throws {
            let provisioned = try await suite.client.call(
                Accounts.Provision.self, of: .accounts,
                .init(population: People.population, people: [try People.person(1)]))
            let token = try #require(provisioned.people.first?.accessToken)
            let paths: [ServiceName: String] = [
                .ingestion: "/ingestion/v1/me/latest", .query: "/query/v1/requests",
                .dispatcher: "/dispatcher/v1/enrolment", .track4run: "/track4run/v1/me/runs",
            ]
            for (name, path) in paths {
                try await eventually("\(name) knows the keys of accounts") {
                    try await suite[name].send(.get, path, token: token).status == .forbidden
                }
                #expect(try await suite[name].send(.get, path, token: "stranger").status == .unauthorized)
            }
        }

        @Test(
            "NFR-10b: a schema that is too new is refused with one sentence", .timeLimit(.minutes(5)),
            arguments: ServiceName.allCases)
        func tooNew(_ name: ServiceName) async throws {
            try await ServiceProgram.prepared(name.rawValue) { service, test in
                try await service.start("migrate")
                try await #require(service.waitForEnd() == .exited(0))
                let words = try service.log
                try await test.database.execute(
                    """
                    insert into schema_version (number, name, checksum)
                    select max(number) + later, 'later', '' from schema_version, generate_series(1, 2) later
                    group by later
                    """)
                try await service.running {
                    #expect(try await service.waitForEnd() == .exited(65))
                    let said = try service.log.dropFirst(words.count).split(separator: "\n")
                    #expect(said.count == 1)
                    #expect(said.first?.contains("newer") == true, "\(said)")
                }
            }
        }

        @Test(
            "NFR-10b: migrate brings all of a service's schemas up to date, those of the key store and of shards, too",
            .timeLimit(.minutes(5)), arguments: [ServiceName.accounts, .ingestion, .query, .track4run])
        func migratesAll(_ name: ServiceName) async throws {
            try await ServiceProgram.prepared(name.rawValue) { service, test in
                try await service.start("migrate")
                try await #require(service.waitForEnd() == .exited(0))
                #expect(!service.furtherSchemas.isEmpty)
                for schema in service.furtherSchemas {
                    let count = try await test.database.queryOne(
                        "select count(*) from \(identifier: schema).schema_version", as: Int.self)
                    #expect(count.map { $0 > 0 } == true, "\(schema)")
                }
                try await service.start("check", "--connect")
                #expect(try await service.waitForEnd() == .exited(0))
            }
        }

        @Test(
            "NFR-03: SIGTERM lets a request in flight finish, accepts nothing new, and the service ends well",
            .timeLimit(.minutes(5)))
        func stopsInOrder() async throws {
            try await ServiceProgram.ready("accounts") { accounts, test in
                let loop = try #require(EventLoop.current)
                let answer = try await test.database.transaction { transaction in
                    try await transaction.execute("lock table account in access exclusive mode")
                    let request = loop.throwingTask {
                        try await accounts.send(
                            .post, "/accounts/v1/confirmations", json: #"{"email":"anna@example.org"}"#)
                    }
                    try await eventually("the request waits for the lock") {
                        try await transaction.queryOne(
                            """
                            select exists (select from pg_locks
                              where relation = 'account'::regclass and not granted)
                            """, as: Bool.self) == true
                    }
                    accounts.terminate()
                    try await accounts.waitForLog("\"stopping\"")
                    await #expect(throws: HTTPClientError.self) {
                        try await accounts.send(.get, "/openapi.json")
                    }
                    #expect(accounts.isRunning)
                    return request
                }
                #expect(try await answer.value.status == .accepted)
                #expect(try await accounts.waitForEnd() == .exited(0))
            }
        }
    }
}

import Contracts
import HTTP
import Postgres
import PostgresTesting
import ProcessTesting
import RPC
import Reactor
import Testing

extension BadDays {
    @Suite struct ServiceStartTests {
        @Test(
            "NFR-03: services started before their database, their schemas and each other come up by themselves",
            .timeLimit(.minutes(2)))
        func wrongOrder() async throws {
            try await EventLoopGroup.withLoops(1) { loops in
                try await TestDirectory.with { directory in
                    try await PrivateCluster.with(loops) { cluster in
                        let accounts = try ServiceProgram(
                            "accounts", in: directory, database: cluster.address, schema: "accounts")
                        let query = try ServiceProgram(
                            "query", in: directory, database: cluster.address, schema: "query",
                            statisticsSchema: "statistics", peers: ["accounts": accounts.rpcPort])
                        try await query.running {
                            try await query.waitForLog("waiting for the database")
                            try await cluster.start()
                            let database = cluster.database()
                            for schema in ["query", "statistics"] {
                                try await database.execute("create schema \(identifier: schema)")
                            }
                            // Ready without its neighbour, and saying so.
                            try await query.waitUntilReady { $0.contains("degraded") }
                            try await accounts.running {
                                try await accounts.waitForLog("has no schema")
                                try await database.execute("create schema accounts")
                                try await accounts.waitUntilReady()
                                try await together(accounts, query, loops)
                                for service in [query, accounts] {
                                    service.terminate()
                                    #expect(try await service.waitForEnd() == .exited(0))
                                }
                            }
                            await database.close()
                        }
                    }
                }
            }
        }

        /// A token that accounts has given is understood by the query service, which has to ask for the keys: a device
        /// may not list requests, but it is known.
        private func together(
            _ accounts: ServiceProgram, _ query: ServiceProgram, _ loops: EventLoopGroup
        ) async throws {
            let simulator = try accounts.client(as: "simulator", loops: loops)
            let provisioned = try await simulator.call(
                Accounts.Provision.self, .init(people: [try People.person(1)]), deadline: nil)
            await simulator.close()
            let token = try #require(provisioned.people.first?.accessToken)
            try await eventually("query knows the keys of accounts") {
                try await query.send(.get, "/query/v1/requests", token: token).status == .forbidden
            }
            let stranger = try await query.send(.get, "/query/v1/requests", token: "stranger")
            #expect(stranger.status == .unauthorized)
            try await query.waitUntilReady { !$0.contains("unreachable") }
        }

        @Test(
            "NFR-10: a schema that is too new is refused with one sentence", .timeLimit(.minutes(1)),
            arguments: ["accounts", "query"])
        func tooNew(_ name: String) async throws {
            try await TestDatabase.with { test in
                try await TestDirectory.with { directory in
                    let service = try ServiceProgram(
                        name, in: directory, database: .shared(), schema: test.schema)
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
        }

        @Test(
            "NFR-03: SIGTERM lets a request in flight finish, accepts nothing new, and the service ends well",
            .timeLimit(.minutes(1)))
        func stopsInOrder() async throws {
            try await TestDatabase.with { test in
                try await TestDirectory.with { directory in
                    let accounts = try ServiceProgram(
                        "accounts", in: directory, database: .shared(), schema: test.schema)
                    try await accounts.running {
                        try await accounts.waitUntilReady()
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
                            await #expect(throws: HTTPClientError.self) { try await accounts.send(.get, "/healthz") }
                            #expect(accounts.isRunning)
                            return request
                        }
                        #expect(try await answer.value.status == .accepted)
                        #expect(try await accounts.waitForEnd() == .exited(0))
                    }
                }
            }
        }
    }
}

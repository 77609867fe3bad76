import Contracts
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting
import RPC
import Reactor
import Testing

extension BadDays {
    @Suite struct ServiceKillTests {
        private static let notificationCount = 280
        private static let killCount = 6

        /// A person whose account was acknowledged.
        private struct Registered: Hashable {
            let number: Int
            let account: UUID
        }

        @Test(
            "NFR-03 NFR-04a ACC-17: accounts and its PostgreSQL killed in turn: the acknowledged is there and mailed",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await PrivateCluster.withDirectory { cluster, directory in
                try await cluster.start()
                let database = cluster.database()
                let schemas = ServiceSchemas(of: "accounts")
                for schema in schemas.all(of: "accounts") {
                    try await database.execute("create schema \(identifier: schema)")
                }
                try await AuditTables.make(beside: "accounts", in: database)
                await database.close()
                let accounts = try ServiceProgram(
                    "accounts", in: directory, database: cluster.address, schemas: schemas)
                try await accounts.running { try await run(accounts, directory, cluster, cluster.loops) }
            }
        }

        private func run(
            _ accounts: ServiceProgram, _ directory: TestDirectory, _ cluster: PrivateCluster, _ loops: EventLoopGroup
        ) async throws {
            try await accounts.waitUntilReady()
            let simulator = try accounts.client(as: "simulator", loops: loops)
            let query = try accounts.client(as: "query", loops: loops)
            let (notified, registered) = (Ledger<UUID>(), Ledger<Registered>())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for first in [0, 5000] {
                    group.addTask {
                        try await work(from: first, registered, through: simulator, notified, through: query)
                    }
                }
                for kill in 1...Self.killCount {
                    try await notified.reached(kill * Self.notificationCount / (Self.killCount + 1))
                    if kill % 2 == 0 {
                        try await cluster.killAndStart()
                    } else {
                        accounts.kill()
                        try await accounts.start()
                    }
                }
                try await group.waitForAll()
            }
            for person in registered.books.acknowledged {
                let code = try People.person(person.number).fiscalCode
                let found = try await query.call(Accounts.Find.self, .init(fiscalCode: code), deadline: nil)
                #expect(found.accountID == person.account)
            }
            try await checkMail(in: directory, notified.books)
            await simulator.close()
            await query.close()
        }

        /// The outbox goes out, also what waited while everything was down: each mail at least once, and then under the
        /// same id.
        private func checkMail(in directory: TestDirectory, _ books: Ledger<UUID>.Books) async throws {
            // What was on its way when accounts was killed is left to it for two minutes.
            try await eventually("all that was acknowledged is mailed", within: .seconds(180)) {
                // SECONDS.ID.trackme
                let names = directory.list("mail/new").map { String($0.split(separator: ".")[1]) }
                return Set(names.compactMap { UUID($0) }).isSuperset(of: books.acknowledged)
            }
            let ids = try directory.list("mail/new").map { name in
                let text = try directory.read("mail/new/\(name)")
                let line = text.split(separator: "\r\n").first { $0.hasPrefix("Message-ID: <") } ?? ""
                return UUID(String(line.dropFirst(13).prefix { $0 != "@" })) ?? .random()
            }
            #expect(Set(ids).count == ids.count, "a mail under two names")
            #expect(Set(ids).subtracting(books.acknowledged).isSubset(of: books.unknown))
        }

        /// One person after the other, and for each some messages under ids of their own. Nothing is tried again but by
        /// the client itself.
        private func work(
            from first: Int, _ registered: Ledger<Registered>, through simulator: RPCClient,
            _ notified: Ledger<UUID>, through query: RPCClient
        ) async throws {
            var number = first
            while notified.count < Self.notificationCount {
                try Task.checkCancellation()
                number += 1
                let person = try People.person(number)
                let made = try await outcome { () async throws(RPCError) in
                    try await simulator.call(
                        Accounts.Provision.self, .init(population: People.population, people: [person]),
                        deadline: .after(.seconds(10)))
                }
                guard let account = made?.people.first?.accountID else { continue }
                let acknowledged = Registered(number: number, account: account)
                registered.change { $0.acknowledged.insert(acknowledged) }
                for _ in 0..<5 {
                    let id = UUID.random()
                    let params = Accounts.Notify.Params(
                        id: id, accountID: account, template: "request-refused",
                        values: ["company": "Salus", "request_id": "1"], email: true)
                    let sent = try await outcome { () async throws(RPCError) in
                        try await query.call(Accounts.Notify.self, params, deadline: .after(.seconds(10)))
                    }
                    notified.change { if sent == nil { $0.unknown.insert(id) } else { $0.acknowledged.insert(id) } }
                }
            }
        }

        /// `nil` for a failure that killing explains; any other is this test's own mistake.
        private func outcome<R>(_ call: () async throws(RPCError) -> R) async throws -> R? {
            do throws(RPCError) { return try await call() } catch {
                guard error.isRetryable || error.code == .internal else { throw error }
                return nil
            }
        }
    }
}

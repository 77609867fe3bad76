import Contracts
import Domain
import HTTP
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting
import Reactor
import Security
import SuiteClient

/// Services as their real executables on a PostgreSQL of their own, and those who use them from outside. Everything is
/// thrown away afterwards.
struct RunningSuite: Sendable {
    /// Of everybody.
    static let password = "quattro-passi-al-lago"

    let loops: EventLoopGroup
    let directory: TestDirectory
    let cluster: PrivateCluster
    let client: Suite
    /// The ambulance service that the dispatcher's hooks file names: where it listens, and its secret.
    let hook: (address: String, secret: WebhookSecret)
    private let programs: [ServiceName: ServiceProgram]
    private let hooks: String
    private let ports: [ServiceName: UInt16]

    subscript(_ name: ServiceName) -> ServiceProgram {
        guard let program = programs[name] else { preconditionFailure("\(name) is not part of this test") }
        return program
    }

    /// Runs `body` beside `names`, which are ready then. The other services are not there. PostgreSQL's disk is as small as
    /// said.
    static func with(
        _ names: [ServiceName], diskMegabytes: Int? = nil,
        _ body: @escaping @Sendable (RunningSuite) async throws -> Void
    ) async throws {
        try await prepared(names, diskMegabytes: diskMegabytes) { suite in
            try await suite.cluster.start()
            try await suite.makeSchemas(of: names)
            try await suite.running(names) {
                for name in names { try await suite[name].waitUntilReady() }
                try await body(suite)
            }
        }
    }

    /// The same with nothing started yet, not even PostgreSQL.
    static func prepared(
        _ names: [ServiceName], diskMegabytes: Int? = nil,
        _ body: @escaping @Sendable (RunningSuite) async throws -> Void
    ) async throws {
        try await PrivateCluster.withDirectory(diskMegabytes: diskMegabytes) { cluster, directory in
            let suite = try RunningSuite(names, cluster.loops, directory, cluster)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(suite)) } catch { outcome = .failure(error) }
            await suite.client.close()
            try outcome.get()
        }
    }

    private init(
        _ names: [ServiceName], _ loops: EventLoopGroup, _ directory: TestDirectory, _ cluster: PrivateCluster
    ) throws {
        (self.loops, self.directory, self.cluster) = (loops, directory, cluster)
        hook = ("127.0.0.1:\(try Ports.free())", .random())
        try directory.write("hook.secret", hook.secret.text)
        hooks = """
            {"hooks": [{"name": "ambulance", "url": "http://\(hook.address)/incidents", "area": null,
              "secret_file": "\(directory.file("hook.secret"))", "allow_private": true}]}
            """
        var ports: [ServiceName: UInt16] = [:]
        for name in ServiceName.allCases { ports[name] = try Ports.free() }
        var programs: [ServiceName: ServiceProgram] = [:]
        for name in names {
            let peers = ports.filter { $0.key != name }.map { ($0.key.rawValue, $0.value) }
            programs[name] = try ServiceProgram(
                name.rawValue, in: directory, database: cluster.address,
                schemas: ServiceSchemas(of: name.rawValue), hooks: hooks, rpcPort: ports[name],
                peers: Dictionary(uniqueKeysWithValues: peers))
        }
        self.programs = programs
        self.ports = ports
        try ServiceProgram.writeClientConfiguration(of: Array(programs.values), in: directory)
        client = try Suite(try .read(directory: directory.path), loops: loops)
    }

    // MARK: Life

    /// In the suite's PostgreSQL, or in another one.
    func makeSchemas(of names: [ServiceName], in other: PrivateCluster? = nil) async throws {
        let database = (other ?? cluster).database()
        for name in names {
            for schema in ServiceSchemas(of: name.rawValue).all(of: name.rawValue) {
                try await database.execute("create schema \(identifier: schema)")
            }
            try await AuditTables.make(beside: name.rawValue, in: database)
        }
        await database.close()
    }

    /// Starts them, whether they will be ready or not, and ends them after `body`.
    func running(_ names: [ServiceName], _ body: () async throws -> Void) async throws {
        guard let first = names.first else { return try await body() }
        try await self[first].running { try await running(Array(names.dropFirst()), body) }
    }

    /// Runs `body` beside another replica of a service, which is ready then.
    func withReplica(of name: ServiceName, _ body: (ServiceProgram) async throws -> Void) async throws {
        try await TestDirectory.with { other in
            let peers = ports.filter { $0.key != name }.map { ($0.key.rawValue, $0.value) }
            let replica = try ServiceProgram(
                name.rawValue, in: other, database: cluster.address,
                schemas: ServiceSchemas(of: name.rawValue), hooks: hooks,
                peers: Dictionary(uniqueKeysWithValues: peers))
            for key in ["field.key", "blind-index.key"] {
                try other.write("\(name.rawValue).\(key)", try directory.read("\(name.rawValue).\(key)"))
            }
            try await replica.running {
                try await replica.waitUntilReady()
                try await body(replica)
            }
        }
    }

    /// Whether a service has come to the live feed. What comes before its first look is not for it.
    func followsLive(_ name: ServiceName) async throws -> Bool {
        try await stored(
            name,
            """
            select count(*) > 0 and bool_and(epoch <> '' and not is_snapshot) from feed_cursor
            where feed = \(Ingestion.liveFeed)
            """)
    }

    /// Waits until a service that is started again by somebody else answers.
    func answers(_ name: ServiceName) async throws {
        try await eventually("\(name) answers") { (try? await self[name].ask("/readyz").status) == .ok }
    }

    /// What a service has stored, in the suite's PostgreSQL or in another one.
    func stored(_ name: ServiceName, _ question: SQL, in other: PrivateCluster? = nil) async throws -> Bool {
        let database = (other ?? cluster).database(schema: name.rawValue)
        let answer: Result<Bool?, any Error>
        do { answer = .success(try await database.queryOne(question, as: Bool.self)) } catch {
            answer = .failure(error)
        }
        await database.close()
        return try answer.get() ?? false
    }

    // MARK: People

    /// What is mailed from now on.
    var mailbox: Mailbox { Mailbox(directory: client.configuration.mailDirectory) }

    func individual(_ person: SimulatedPerson, _ language: Language = .italian) async throws -> Individual {
        try await .register(
            person, password: Self.password, language: language, api: API(client), mailbox: mailbox)
    }

    func company(
        _ name: String, as kind: AccountKind, _ newcomers: inout Newcomers, _ language: Language = .italian
    ) async throws -> Company {
        var form = newcomers.company(name, password: Self.password)
        form.language = language
        return try await .register(form, as: kind, api: API(client), mailbox: mailbox)
    }

    /// A company that asks people for data, and its program.
    func thirdParty(_ newcomers: inout Newcomers) async throws -> (company: Company, program: API) {
        let company = try await company("Cardio", as: .thirdParty, &newcomers)
        return (company, try await company.program(name: "Following", scopes: ["requests"]))
    }
}

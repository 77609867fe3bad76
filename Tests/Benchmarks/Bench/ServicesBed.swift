import Contracts
import Glibc
import LoadGenerator
import Postgres
import PostgresTesting
import Primitives
import ProcessTesting
import RPC
import Reactor
import Security
import SuiteClient

/// Real services on schemas of their own in the bench's PostgreSQL, thrown away afterwards.
struct ServicesBed: Sendable {
    /// As `deploy/` configures them.
    static let connections = 16
    private static let closingMax = Duration.seconds(900)

    let loops: EventLoopGroup
    let directory: TestDirectory
    /// The process that started PostgreSQL's others.
    let postgres: Int32
    /// The services, in the order in which they were started.
    let names: [ServiceName]
    /// The PostgreSQL of those services that have one apart, to be stopped and frozen.
    let apart: PrivateCluster?
    private let programs: [ServiceName: ServiceProgram]
    private let databases: [ServiceName: Database]

    /// A service's schemas.
    struct Schemas: Sendable {
        let named: ServiceSchemas
        let all: [String]

        init(of service: ServiceName) {
            named = ServiceSchemas(of: service.rawValue, prefix: "bench_\(getpid())_")
            all = named.all(of: service.rawValue)
        }

        var own: String { named.own }
    }

    subscript(_ name: ServiceName) -> ServiceProgram {
        guard let program = programs[name] else { preconditionFailure("\(name) is not part of this benchmark") }
        return program
    }

    func schemas(of name: ServiceName) -> Schemas { Schemas(of: name) }

    /// On a service's schema.
    func database(of name: ServiceName) -> Database {
        guard let database = databases[name] else { preconditionFailure("\(name) is not part of this benchmark") }
        return database
    }

    /// Signs access tokens.
    var key: Ed25519Key {
        get throws { try SigningKeyRing.load(directory.file("signing.pem")).current }
    }

    /// Runs `body` beside services, which are ready then.
    /// - `peers`: RPC ports of neighbours that the bench plays.
    /// - `hooks`: the dispatcher's hooks file, which may name files that it writes.
    /// - `apart`: services whose PostgreSQL is another one, as durable as the bench's.
    /// - `configured`: what else becomes of each configuration file.
    static func with<R: Sendable>(
        _ names: [ServiceName], peers: [String: UInt16] = [:],
        hooks: @escaping @Sendable (TestDirectory) throws -> String = { _ in #"{"hooks": []}"# },
        apart: Set<ServiceName> = [], configured: @escaping @Sendable (String) -> String = { $0 },
        _ body: @escaping @Sendable (ServicesBed) async throws -> R
    ) async throws -> R {
        // The services work on both cores, and so does the load.
        Side.both.pin()
        defer { Side.client.pin() }
        return try await EventLoopGroup.withLoops(1) { loops in
            try await TestDirectory.with { directory in
                try await withCluster(!apart.isEmpty, loops) { cluster in
                    let bed = try await ServicesBed(
                        names, peers, try hooks(directory), apart, cluster, loops, directory)
                    let outcome: Result<R, any Error>
                    do {
                        for name in names { try bed[name].configure { configured(Self.configured($0)) } }
                        outcome = .success(try await bed.running(names[...]) { try await body(bed) })
                    } catch { outcome = .failure(error) }
                    await bed.end()
                    return try outcome.get()
                }
            }
        }
    }

    private static func withCluster<R: Sendable>(
        _ isWanted: Bool, _ loops: EventLoopGroup, _ body: @Sendable (PrivateCluster?) async throws -> R
    ) async throws -> R {
        guard isWanted else { return try await body(nil) }
        return try await PrivateCluster.with(loops) { cluster in
            try await cluster.start("fsync=on", "shared_buffers=128MB", "max_connections=200")
            return try await body(cluster)
        }
    }

    private init(
        _ names: [ServiceName], _ peers: [String: UInt16], _ hooks: String, _ apart: Set<ServiceName>,
        _ cluster: PrivateCluster?, _ loops: EventLoopGroup, _ directory: TestDirectory
    ) async throws {
        let shared = try DatabaseAddress.shared()
        // All services of the bed read one file with a password; the cluster apart asks for none.
        var other = cluster?.address ?? shared
        other.password = shared.password
        var ports: [ServiceName: UInt16] = [:]
        for name in names { ports[name] = try Ports.free() }
        var programs: [ServiceName: ServiceProgram] = [:]
        var databases: [ServiceName: Database] = [:]
        for name in names {
            let own = Schemas(of: name)
            let address = apart.contains(name) ? other : shared
            var configuration = DatabaseConfiguration(
                connectionInfo: address.connectionInfo, searchPath: [own.own], applicationName: own.own)
            configuration.connectionsPerLoopMax = 4
            configuration.queryTime = .seconds(300)
            let database = Database(configuration, loops: loops)
            for schema in own.all { try await database.execute("create schema \(identifier: schema)") }
            try await AuditTables.make(beside: own.own, in: database)
            let others = ports.filter { $0.key != name }.map { ($0.key.rawValue, $0.value) }
            programs[name] = try ServiceProgram(
                name.rawValue, in: directory, database: address, schemas: own.named,
                hooks: hooks, rpcPort: ports[name], peers: peers.merging(others) { $1 })
            databases[name] = database
        }
        (self.loops, self.directory) = (loops, directory)
        (self.names, self.apart) = (names, cluster)
        (self.programs, self.databases) = (programs, databases)
        let name = names.first { !apart.contains($0) } ?? names.first
        guard let own = try await name.flatMap({ databases[$0] })?.queryOne("select pg_backend_pid()", as: Int32.self)
        else {
            throw BenchError.failed("PostgreSQL tells no process")
        }
        postgres = try ProcessorTime.parent(of: own)
    }

    private func end() async {
        for (name, database) in databases {
            let own = schemas(of: name)
            for schema in own.all + [AuditTables.schema(beside: own.own)] {
                do { try await database.execute("drop schema \(identifier: schema) cascade") } catch {
                    emit("note: the schema \(schema) is left: \(error)")
                }
            }
            await database.close()
        }
    }

    /// Starts them and ends them after `body`.
    private func running<R: Sendable>(
        _ names: ArraySlice<ServiceName>, _ body: () async throws -> R
    ) async throws -> R {
        guard let first = names.first else { return try await body() }
        return try await self[first].running {
            try await self[first].waitUntilReady()
            return try await running(names.dropFirst(), body)
        }
    }

    private static func configured(_ text: String) -> String {
        text.replacing("\"connections_max\": 6", with: "\"connections_max\": \(connections)")
            .replacing("\"level\": \"info\"", with: "\"level\": \"warning\"")
            // A loop per processor.
            .replacing("\"loops\": 1", with: "\"loops\": 0")
    }

    func process(_ name: ServiceName) throws -> Int32 {
        guard let process = self[name].processID else { throw BenchError.failed("\(name) does not run") }
        return process
    }

    // MARK: Using it

    /// Calls a service's methods with the certificate of `caller`, which is closed afterwards.
    func calling<R: Sendable>(
        _ name: ServiceName, as caller: String, _ body: (RPCClient) async throws -> R
    ) async throws -> R {
        let client = try self[name].client(as: caller, loops: loops)
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(client)) } catch { outcome = .failure(error) }
        await client.close()
        return try outcome.get()
    }

    /// The suite as its clients see it.
    func withSuite<R: Sendable>(_ body: (Suite) async throws -> R) async throws -> R {
        try ServiceProgram.writeClientConfiguration(of: Array(programs.values), in: directory)
        let suite = try Suite(try .read(directory: directory.path), loops: loops)
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(suite)) } catch { outcome = .failure(error) }
        await suite.close()
        return try outcome.get()
    }

    /// Has ingestion seal all that has come, of so many people at least, and close what days are over.
    func closeDays(sealing people: Int) async throws {
        try await calling(.ingestion, as: "simulator") { client in
            let yesterday = Timestamp.now().dateUTC.adding(days: -1)
            let deadline = Deadline.after(Self.closingMax)
            while !(try await client.call(
                Ingestion.CloseDays.self, .init(through: yesterday, waitMilliseconds: 20_000),
                deadline: .after(.seconds(30))
            ).isDone) {
                guard !deadline.hasPassed else { throw BenchError.failed("the days were not closed") }
            }
            let sealed = try await database(of: .ingestion).queryOne(
                "select count(*) from person where sealed_through > 0", as: Int.self)
            guard sealed ?? 0 >= people else { throw BenchError.failed("\(sealed ?? 0) people are sealed") }
        }
    }
}

extension ServicesBed {
    private static let population = "bench-population-that-is-made-here"
    private static let provisionMax = Duration.seconds(90)

    /// Registers people in accounts, which is part of the bed: account and device of each.
    func provision(_ people: [Accounts.Provision.Person]) async throws -> [(account: UUID, device: UUID)] {
        try await calling(.accounts, as: "simulator") { client in
            var made: [(account: UUID, device: UUID)] = []
            for first in stride(from: 0, to: people.count, by: Accounts.Provision.peopleMax) {
                let some = Array(people[first..<min(people.count, first + Accounts.Provision.peopleMax)])
                let answer = try await client.call(
                    Accounts.Provision.self, .init(population: Self.population, people: some, tokens: false),
                    deadline: .after(Self.provisionMax)
                ).people
                guard answer.count == some.count else { throw BenchError.failed("people are missing") }
                made += answer.map { ($0.accountID, $0.deviceID) }
            }
            return made
        }
    }
}

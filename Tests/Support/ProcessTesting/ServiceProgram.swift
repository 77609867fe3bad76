public import ReactorTesting
public import HTTP
public import RPC
public import Reactor
import Synchronization

/// A service as its real executable, on ports of its own.
public final class ServiceProgram: Sendable {
    /// What a service is asked for here takes no longer.
    private static let requestTime = Duration.seconds(20)

    public let name: String
    public let httpPort: UInt16
    public let rpcPort: UInt16
    public let operatorsPort: UInt16
    private let program: String
    private let directory: TestDirectory
    private let configuration: ServiceFiles
    private let process = Mutex<ChildProcess?>(nil)

    /// - `hooks`: the file with the ambulance services' hooks (dispatcher).
    /// - `stopGraceSeconds`: how long it serves on after SIGTERM.
    /// - `rpcPort`: a free one unless given.
    /// - `peers`: the RPC ports of its neighbours, which may not be there.
    public init(
        _ name: String, in directory: TestDirectory, database: DatabaseAddress, schemas: ServiceSchemas,
        hooks: String = #"{"hooks": []}"#, stopGraceSeconds: Int = 0,
        rpcPort: UInt16? = nil,
        peers: [String: UInt16] = [:]
    ) throws {
        self.name = name
        self.directory = directory
        program = "\(try TestEnvironment.programs())/trackme-\(name)"
        (httpPort, self.rpcPort) = (try Ports.free(), try rpcPort ?? Ports.free())
        operatorsPort = try Ports.free()
        configuration = ServiceFiles(
            service: name, directory: directory, httpPort: httpPort, rpcPort: self.rpcPort,
            operatorsPort: operatorsPort, database: database,
            schemas: schemas, hooks: hooks, stopGraceSeconds: stopGraceSeconds,
            peers: peers)
        try configuration.write()
    }

    /// Beside its own.
    public var furtherSchemas: [String] { Array(configuration.schemas.all(of: name).dropFirst()) }

    /// The directory of the certificates that services and tests use.
    public static func certificates() throws -> String { try CertificateFiles.directory() }

    /// Writes `simulator.json`, by which a client finds the services.
    public static func writeClientConfiguration(of services: [ServiceProgram], in directory: TestDirectory) throws {
        let tls = try certificates()
        let addresses = services.map { "\"\($0.name)\": \"http://127.0.0.1:\($0.httpPort)\"" }
        let peers = services.map { "\"\($0.name)\": [\"127.0.0.1:\($0.rpcPort)\"]" }
        try directory.write(
            "simulator.json",
            """
            {
              "service": "simulator", "public": {\(addresses.joined(separator: ", "))},
              "internal": {
                "certificate_file": "\(tls)/simulator.pem", "key_file": "\(tls)/simulator.key",
                "authority_file": "\(tls)/ca.pem"
              },
              "peers": {\(peers.joined(separator: ", "))},
              "mail_directory": "\(directory.file("mail"))", "demo_file": "\(directory.file("demo.txt"))",
              "signing_key_file": "\(directory.file("signing.pem"))",
              "sandbox": {"listen": "127.0.0.1:0", "file": "\(directory.file("sandbox"))"}
            }
            """)
    }

    // MARK: Life

    /// Runs `body` and ends what is left of the service after it. Call on a loop.
    public func running<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        let outcome: Result<R, any Error>
        do {
            try await start()
            outcome = .success(try await body())
        } catch {
            let words = (try? log.suffix(2000)) ?? ""
            outcome = .failure(ProcessFailure("\(String(reflecting: error)); the log of \(name): \(words)"))
        }
        process.withLock { $0 }?.end()
        return try outcome.get()
    }

    /// Starts it, whether it will be ready or not; with a subcommand and its arguments instead of `serve`.
    public func start(_ command: String...) async throws {
        let command = command.isEmpty ? ["serve"] : command
        try await launch(command)
    }

    /// Starts it so that it kills itself at a step of its work: the executable is a debug build.
    public func start(killedAt step: String) async throws { try await launch(["serve"], ["TRACKME_KILL_AT": step]) }

    private func launch(_ command: [String], _ environment: [String: String] = [:]) async throws {
        let started = try await ChildProcess.start(
            [program] + command + ["--config", configuration.path], output: directory.file("\(name).log"),
            environment: environment)
        process.withLock { $0 = started }
    }

    /// Starts a subcommand beside the service. To be ended by the test.
    public func begin(_ command: String...) async throws -> ChildProcess {
        try await ChildProcess.start(
            [program] + command + ["--config", configuration.path], output: directory.file("\(name)-command.log"))
    }

    /// The same with the content of a file as its input.
    public func begin(input file: String, _ command: String...) async throws -> ChildProcess {
        try await ChildProcess.start(
            ["sh", "-c", #"exec "$@" <"$0""#, file, program] + command + ["--config", configuration.path],
            output: directory.file("\(name)-command.log"))
    }

    /// Runs a subcommand beside the service, which must succeed; what it and those before it have said.
    public func run(_ command: String...) async throws -> String {
        let output = directory.file("\(name)-command.log")
        do {
            try await ChildProcess.run([program] + command + ["--config", configuration.path], output: output)
        } catch { throw ProcessFailure("\(error): \((try? directory.read("\(name)-command.log").suffix(500)) ?? "")") }
        return try directory.read("\(name)-command.log")
    }

    /// Ends it with SIGKILL. No effect when it does not run.
    public func kill() { process.withLock { $0 }?.end() }

    /// Asks it to stop.
    public func terminate() { process.withLock { $0 }?.signal(15) }

    /// Edits its configuration.
    public func configure(_ change: (String) -> String) throws {
        try directory.write("\(name).json", change(try directory.read("\(name).json")))
    }

    /// Asks it to read its configuration again, which `change` edits before.
    public func reload(_ change: (String) -> String = { $0 }) throws {
        try configure(change)
        process.withLock { $0 }?.signal(1)
    }

    public func waitForEnd(within time: Duration = .patience) async throws -> ChildProcess.Ending {
        guard let process = process.withLock({ $0 }) else { throw ProcessFailure("\(name) was not started") }
        return try await process.waitForEnd(within: time)
    }

    public var isRunning: Bool { process.withLock { $0 }?.isRunning ?? false }

    /// While it runs.
    public var processID: Int32? {
        process.withLock { process in process.flatMap { $0.isRunning ? $0.id : nil } }
    }

    /// What it has said so far.
    public var log: String {
        get throws { try directory.read("\(name).log") }
    }

    /// Waits until its log has `words`.
    public func waitForLog(_ words: String, within time: Duration = .patience) async throws {
        let deadline = Deadline.after(time)
        while try !log.contains(words) {
            guard !deadline.hasPassed else { throw ProcessFailure("\(name) never said \(words)") }
            try await EventLoop.current?.sleep(for: .milliseconds(10))
        }
    }

    // MARK: Asking

    /// Calls its methods with the certificate of `caller`. To be closed by the test.
    public func client(as caller: String, loops: EventLoopGroup) throws -> RPCClient {
        let tls = try Self.certificates()
        return RPCClient(
            RPCClientConfiguration(service: name, endpoints: [Endpoint(host: "127.0.0.1", port: rpcPort)]),
            loops: loops,
            tls: try TLSContext.client(
                authorityFile: "\(tls)/ca.pem", certificateFile: "\(tls)/\(caller).pem", keyFile: "\(tls)/\(caller).key"
            ))
    }

    /// Waits until `/readyz` says so, and returns its words.
    @discardableResult
    public func waitUntilReady(
        within time: Duration = .patience, where holds: (String) -> Bool = { _ in true }
    ) async throws -> String {
        let deadline = Deadline.after(time)
        while !deadline.hasPassed {
            guard isRunning else { throw ProcessFailure("\(name) has ended") }
            if let response = try? await ask("/readyz"), response.status == .ok, holds(response.text) {
                return response.text
            }
            try await EventLoop.current?.sleep(for: .milliseconds(20))
        }
        throw ProcessFailure("\(name) was not ready within \(time)")
    }

    /// Asks its operators' listener. Call on a loop.
    public func ask(_ path: String) async throws -> HTTPClientResponse {
        try await send(.get, path, port: operatorsPort)
    }

    /// Sends one request over a connection of its own. Call on a loop.
    public func send(
        _ method: HTTPMethod, _ path: String, token: String? = nil, json: String? = nil, port: UInt16? = nil
    ) async throws -> HTTPClientResponse {
        guard let loop = EventLoop.current, let url = HTTPURL("http://127.0.0.1:\(port ?? httpPort)\(path)") else {
            throw ProcessFailure("no loop, or no path: \(path)")
        }
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        let client = HTTPClient(on: loop, configuration: configuration)
        defer { client.close() }
        var fields: HTTPFields = ["Accept": "application/json"]
        if let token { fields["Authorization"] = "Bearer \(token)" }
        if json != nil { fields["Content-Type"] = "application/json" }
        return try await client.send(
            HTTPClientRequest(method, url, fields: fields, body: Array((json ?? "").utf8)),
            deadline: .after(Self.requestTime))
    }
}

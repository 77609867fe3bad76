import Glibc
import HTTP
import JSON
import Postgres
import PostgresTesting
import RPC
import Reactor
import ReactorTesting
@testable import Service
import ServiceTesting
import Testing

@Suite struct LifecycleTests {
    private typealias Configuration = ServiceConfiguration<EchoService.Settings>

    private func load(_ files: TestFiles, _ schema: String, migrate: Bool = true) throws -> Configuration {
        let path = try EchoService.configurationFile(
            files, schema: schema, database: try TestDatabase.connectionInfo()
        ) { $0["database"] = $0["database"]?.with("migrate", .bool(migrate)) }
        return try Configuration.load(file: path, for: "accounts")
    }

    private func get(
        _ path: String, at port: UInt16, on loop: EventLoop
    ) async throws -> HTTPClientResponse {
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        let client = HTTPClient(on: loop, configuration: configuration)
        defer { client.close() }
        let url = try #require(HTTPURL("http://127.0.0.1:\(port)\(path)"))
        return try await client.send(HTTPClientRequest(.get, url), deadline: .after(.seconds(5)))
    }

    @Test("NFR-10: it starts, answers HTTP and RPC, stops, and starts again on the same schema")
    func startAndStopTwice() async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                let configuration = try load(files, test.schema)
                let loop = test.loops.loops[0]
                for _ in 0..<2 {
                    let sink = MemoryLogSink()
                    let service = try await RunningService.start(
                        EchoService.self, configuration, loops: test.loops, log: Log(service: "accounts", sink: sink))
                    #expect(try await get("/readyz", at: service.operatorsPort, on: loop).status == .ok)
                    #expect(try await get("/accounts/v1/greeting", at: service.httpPort, on: loop).status == .ok)
                    let tls = try operatorTLS(configuration)
                    let client = RPCClient(
                        RPCClientConfiguration(
                            service: "accounts", endpoints: [Endpoint(host: "127.0.0.1", port: service.rpcPort)]),
                        loops: test.loops, tls: tls)
                    #expect(try await client.call(EchoService.Echo.self, ["a": "b"]) == ["a": "b"])
                    await client.close()
                    let metrics = try await get("/metrics", at: service.operatorsPort, on: loop)
                    let text = String(decoding: metrics.body, as: UTF8.self)
                    #expect(
                        text.contains(
                            #"trackme_http_requests_total{method="GET",route="/accounts/v1/greeting",status="200"} 1"#))
                    #expect(
                        text.contains(
                            #"trackme_rpc_server_calls_total{method="echo.echo",caller="operator",code="ok"} 1"#))
                    #expect(text.contains("trackme_build_info{version=\"\(ServiceVersion.current)\"} 1\n"))
                    try await service.reload(configuration)
                    await service.stop()
                    await service.stop()
                    await #expect(throws: (any Error).self) {
                        try await get("/healthz", at: service.operatorsPort, on: loop)
                    }
                    let messages = sink.lines.joined()
                    for message in ["ready", "configuration read again", "stopping", "stopped"] {
                        #expect(messages.contains("\"message\":\"\(message)\""), "\(message)")
                    }
                }
            }
        }
    }

    @Test("SOS-01 NFR-02: other services are answered while the loops that serve people are busy")
    func neighbourLoops() async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                let configuration = try load(files, test.schema)
                let own = try EventLoopGroup(count: 2)
                let service = try await own.loops[0].throwingTask {
                    try await RunningService.start(
                        EchoService.self, configuration, loops: own, neighbourLoops: 1,
                        log: Log(service: "accounts", sink: MemoryLogSink()))
                }.value
                let client = RPCClient(
                    RPCClientConfiguration(
                        service: "accounts", endpoints: [Endpoint(host: "127.0.0.1", port: service.rpcPort)]),
                    loops: test.loops, tls: try operatorTLS(configuration))
                let gate = Gate()
                own.loops[0].execute { gate.wait() }
                // The tasks and the connections of people are on the loop that stands still.
                for text in ["a", "b", "c"] {
                    #expect(try await client.call(EchoService.Echo.self, ["a": text]) == ["a": text])
                }
                gate.open()
                #expect(
                    try await get("/accounts/v1/greeting", at: service.httpPort, on: test.loops.loops[0]).status == .ok)
                await client.close()
                await own.loops[0].task { await service.stop() }.value
                own.shutdown()
            }
        }
    }

    @Test("NFR-03: log level, passwords and neighbours change while it runs; what cannot change is named")
    func reload() async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                func configuration(
                    _ change: (inout [String: JSONValue]) -> Void = { _ in }
                ) throws -> Configuration {
                    let path = try EchoService.configurationFile(
                        files, schema: test.schema, database: try TestDatabase.connectionInfo(), change: change)
                    return try Configuration.load(file: path, for: "accounts")
                }
                let first = try configuration()
                let (sink, loop) = (MemoryLogSink(), test.loops.loops[0])
                let log = Log(service: "accounts", sink: sink)
                let service = try await RunningService.start(EchoService.self, first, loops: test.loops, log: log)
                let away = try await get("/accounts/v1/neighbour", at: service.httpPort, on: loop)
                #expect(away.status == .serviceUnavailable)
                let neighbour = try await neighbour(first, test.loops)
                try await service.reload(
                    try configuration {
                        $0["log"] = ["level": "debug"]
                        $0["peers"] = [
                            "query": .array([.string("127.0.0.1:\(neighbour.port)")]), "track4run": ["127.0.0.1:1"],
                        ]
                        $0["loops"] = 2
                        $0["database"] = $0["database"]?.with("connections_max", 5)
                    })
                #expect(log.level == .debug)
                let there = try await get("/accounts/v1/neighbour", at: service.httpPort, on: loop)
                #expect(there.status == .ok)
                let told = sink.lines.last { $0.contains("only a restart takes up") } ?? ""
                for name in ["loops", "database.connections_max", "peers.track4run"] { #expect(told.contains(name)) }
                #expect(!told.contains("log.level") && !told.contains("peers.query"))

                try files.write("database.password", "")
                await #expect(throws: ConfigurationError.self) { try await service.reload(first) }
                #expect(log.level == .debug)
                #expect(try await get("/readyz", at: service.operatorsPort, on: loop).status == .ok)
                await service.stop()
                await neighbour.stop(grace: .zero)
            }
        }
    }

    /// A service `query` that echoes.
    private func neighbour(_ configuration: Configuration, _ loops: EventLoopGroup) async throws -> RPCServer {
        let directory = configuration.internalListener.keyFile.replacing("/accounts.key", with: "")
        var router = RPCRouter()
        router.register(EchoService.Echo.self, allow: ["accounts"]) { params, _ in params }
        return try await RPCServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), loops: loops,
            tls: try .server(
                certificateFile: "\(directory)/query.pem", keyFile: "\(directory)/query.key",
                clientAuthorityFile: "\(directory)/ca.pem"), router: router,
            configuration: RPCServerConfiguration(clientNames: ["accounts"]))
    }

    @Test("NFR-03c: a service that is to stop says so first, and serves on for its time of grace")
    func grace() async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                let path = try EchoService.configurationFile(
                    files, schema: test.schema, database: try TestDatabase.connectionInfo()
                ) { $0["stopping"] = ["grace_s": 1, "total_s": 5] }
                let loop = test.loops.loops[0]
                let service = try await RunningService.start(
                    EchoService.self, try Configuration.load(file: path, for: "accounts"), loops: test.loops,
                    log: Log(service: "accounts", sink: MemoryLogSink()))
                let before = try await get("/accounts/v1/greeting", at: service.httpPort, on: loop)
                #expect(before.fields["connection"] != "close")
                let began = Deadline.now()
                let stopped = loop.task { await service.stop() }
                while try await get("/readyz", at: service.operatorsPort, on: loop).status == .ok {
                    #expect(Deadline.now().since(began) < .seconds(1))
                }
                let meanwhile = try await get("/accounts/v1/greeting", at: service.httpPort, on: loop)
                #expect(meanwhile.status == .ok && meanwhile.fields["connection"] == "close")
                #expect(Deadline.now().since(began) < .seconds(1))
                await stopped.value
                #expect((Duration.seconds(1)..<Duration.seconds(5)).contains(Deadline.now().since(began)))
                await #expect(throws: (any Error).self) {
                    try await get("/accounts/v1/greeting", at: service.httpPort, on: loop)
                }
            }
        }
    }

    @Test("NFR-03: one budget holds for all of stopping, whatever does not end by itself")
    func budget() async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                let path = try EchoService.configurationFile(
                    files, schema: test.schema, database: try TestDatabase.connectionInfo()
                ) { $0["stopping"] = ["grace_s": 0, "total_s": 2] }
                let loop = test.loops.loops[0]
                let service = try await RunningService.start(
                    EchoService.self, try Configuration.load(file: path, for: "accounts"), loops: test.loops,
                    log: Log(service: "accounts", sink: MemoryLogSink()))
                let (began, port) = (EventCounter(), service.httpPort)
                let endless = loop.task {
                    began.raise()
                    return try? await get("/accounts/v1/endless", at: port, on: loop).status
                }
                _ = await began.wait(after: 0)
                try await loop.sleep(for: .milliseconds(100))
                let from = Deadline.now()
                await service.stop()
                #expect(Deadline.now().since(from) < .milliseconds(2500))
                _ = await endless.value
            }
        }
    }

    private func operatorTLS(_ configuration: Configuration) throws -> TLSContext {
        let directory = configuration.internalListener.keyFile.replacing("/accounts.key", with: "")
        return try TLSContext.client(
            authorityFile: "\(directory)/ca.pem", certificateFile: "\(directory)/operator.pem",
            keyFile: "\(directory)/operator.key")
    }

    @Test("NFR-03: started before its database, it waits, says so, and comes up by itself")
    func waitsForDatabase() async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                let late = "\(test.schema)_late"
                let configuration = try load(files, late)
                let (sink, pacing) = (MemoryLogSink(), ManualPacing())
                let database = test.another { $0.searchPath = [late] }
                let preparation = SchemaPreparation(
                    configuration.database, EchoService.migrations, log: Log(service: "accounts", sink: sink),
                    pacing: pacing)
                let waiting = test.loops.loops[0].throwingTask { try await preparation.prepare(database) }
                #expect(await pacing.reached(pauses: 1))
                #expect(sink.lines.first?.contains("waiting for the database") == true)
                #expect(sink.lines.first?.contains("has no schema") == true)
                try await test.database.execute("create schema \(identifier: late)")
                pacing.tick()
                try await waiting.value
                #expect(sink.lines.last?.contains("schema migrated") == true)
                await database.close()
                try await test.database.execute("drop schema \(identifier: late) cascade")
            }
        }
    }

    @Test("NFR-10b: with migrate false it refuses a schema that is too old; a newer one is refused too")
    func schemaVersion() async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                let configuration = try load(files, test.schema, migrate: false)
                let log = Log(service: "accounts", sink: MemoryLogSink())
                await #expect(throws: MigrationError.pending([1])) {
                    _ = try await RunningService.start(EchoService.self, configuration, loops: test.loops, log: log)
                }
                let newer = EchoService.migrations + (2...3).map { Migration($0, "m\($0)", Array("select 1".utf8)) }
                try await Migrations(schema: test.schema, newer).run(on: test.database)
                let tooNew = await #expect(throws: MigrationError.self) {
                    _ = try await RunningService.start(EchoService.self, configuration, loops: test.loops, log: log)
                }
                #expect(tooNew.map { ExitCode($0) } == .schema)
            }
        }
    }

    @Test("an address in use is a sentence, and nothing is left behind")
    func addressInUse() async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                var configuration = try load(files, test.schema)
                let log = Log(service: "accounts", sink: MemoryLogSink())
                let first = try await RunningService.start(EchoService.self, configuration, loops: test.loops, log: log)
                configuration.publicListener.listen = Endpoint(host: "127.0.0.1", port: first.httpPort)
                let taken = configuration
                let error = await #expect(throws: StartError.self) {
                    _ = try await RunningService.start(EchoService.self, taken, loops: test.loops, log: log)
                }
                #expect(error?.description.contains("cannot listen at 127.0.0.1:\(first.httpPort)") == true)
                #expect(error?.description.contains("Address already in use") == true)
                await first.stop()
            }
        }
    }

    @Test("migrate, check and a subcommand of the service")
    func operations() async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                let configuration = try load(files, test.schema)
                let sink = MemoryLogSink()
                func perform(_ action: Command.Action) async throws {
                    try await Operations.perform(
                        EchoService.self, action, configuration, loops: test.loops,
                        log: Log(service: "accounts", sink: sink))
                }
                try await perform(.check(connects: false))
                await #expect(throws: MigrationError.pending([1])) { try await perform(.check(connects: true)) }
                try await perform(.migrate)
                try await perform(.check(connects: true))
                try await perform(.own("count", ["all"]))
                #expect(sink.lines.last?.contains(#""count":0,"arguments":1"#) == true)
            }
        }
    }
}

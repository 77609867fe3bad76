import Glibc
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import Reactor
import ReactorTesting
import Security
@testable import Service
import ServiceTesting
import Testing

/// What a running service takes up of a configuration that is read again; log level, neighbours and what cannot change are in
/// `LifecycleTests`.
@Suite struct ReloadTests {
    private typealias Configuration = ServiceConfiguration<EchoService.Settings>

    private struct World: Sendable {
        let test: TestDatabase
        let files: TestFiles
        let service: RunningService

        func configuration(_ change: (inout [String: JSONValue]) throws -> Void = { _ in }) throws -> Configuration {
            let path = try EchoService.configurationFile(
                files, schema: test.schema, database: try TestDatabase.connectionInfo(), change: change)
            return try Configuration.load(file: path, for: "accounts")
        }

        /// Over a connection of its own.
        func get(_ path: String, operators: Bool = false) async throws -> HTTPClientResponse {
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            let client = HTTPClient(on: test.loops.loops[0], configuration: configuration)
            defer { client.close() }
            let port = operators ? service.operatorsPort : service.httpPort
            let url = try #require(HTTPURL("http://127.0.0.1:\(port)\(path)"))
            return try await client.send(HTTPClientRequest(.get, url), deadline: .after(.seconds(5)))
        }
    }

    private func with(
        _ change: @escaping @Sendable (inout [String: JSONValue], TestFiles) throws -> Void = { _, _ in },
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await TestFiles.with { files in
            try await TestDatabase.with { test in
                let path = try EchoService.configurationFile(
                    files, schema: test.schema, database: try TestDatabase.connectionInfo()
                ) { try change(&$0, files) }
                let service = try await RunningService.start(
                    EchoService.self, try Configuration.load(file: path, for: "accounts"), loops: test.loops,
                    log: Log(service: "accounts", sink: MemoryLogSink()))
                let outcome: Result<Void, any Error>
                do { outcome = .success(try await body(World(test: test, files: files, service: service))) } catch {
                    outcome = .failure(error)
                }
                await service.stop()
                try outcome.get()
            }
        }
    }

    @Test("NFR-03: limits of the HTTP server change while it runs, also for connections that exist")
    func limits() async throws {
        try await with { world in
            func reload(_ limits: JSONValue) async throws {
                try await world.service.reload(
                    try world.configuration { $0["public"] = $0["public"]?.with("limits", limits) })
            }
            let stream = try await ByteStream.connect(
                to: Endpoint(host: "127.0.0.1", port: world.service.httpPort), deadline: .after(.seconds(5)))
            func ask(_ path: String) async throws -> String {
                let request = "GET /accounts/v1/\(path) HTTP/1.1\r\nHost: a\r\n\r\n"
                try await stream.write(Array(request.utf8), deadline: .after(.seconds(5)))
                var input = ByteBuffer()
                try await stream.read(into: &input, deadline: .after(.seconds(5)))
                return input.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            #expect(try await ask("greeting").hasPrefix("HTTP/1.1 200 "))
            try await reload(["connections_max": 1, "handler_s": 1])
            #expect(try await world.get("/accounts/v1/greeting").status == .serviceUnavailable)
            let late = try await ask("slow")
            #expect(late.hasPrefix("HTTP/1.1 503 ") && late.contains("deadline-exceeded"))
            stream.close()
            try await reload(["connections_max": 10])
            #expect(try await world.get("/accounts/v1/greeting").status == .ok)
        }
    }

    @Test(
        "NFR-03: passwords of databases change while it runs, of its own and of further ones",
        arguments: ["database", "second"])
    func databasePassword(name: String) async throws {
        let change: @Sendable (inout [String: JSONValue], TestFiles) throws -> Void = { members, files in
            let file = files.path("second.password")
            try files.write("second.password", try Self.text(of: files.path("database.password")))
            let one = members["database"]?.with("connections_max", 1)
            members["database"] = one
            members["settings"] = members["settings"]?.with(
                "second", one?.with("password_file", .string(file)) ?? .null)
        }
        try await with(change) { world in
            let path = name == "database" ? "/accounts/v1/session" : "/accounts/v1/second-session"
            let session = try #require(Int32(try await world.get(path).text))
            let configuration = try world.configuration { try change(&$0, world.files) }
            let right = try Self.text(of: world.files.path("\(name).password"))
            try world.files.write("\(name).password", "another")
            try await world.service.reload(configuration)
            // Its only connection ends, and the next statement needs another one.
            let ended = try await world.test.database.queryOne("select pg_terminate_backend(\(session))", as: Bool.self)
            #expect(ended == true)
            #expect(try await world.get(path).status != .ok)
            try world.files.write("\(name).password", right)
            try await world.service.reload(configuration)
            #expect(try await world.get(path).status == .ok)
        }
    }

    @Test("NFR-05d: field keys change while it runs: the new one seals, the old one still opens until it is taken away")
    func fieldKeys() async throws {
        try await with { world in
            func seal() async throws -> [UInt8] {
                try #require(Base64.url.decode(try await world.get("/accounts/v1/sealed").text))
            }
            func opens(_ sealed: [UInt8]) async throws -> Bool {
                try await world.get("/accounts/v1/opened/\(Base64.url.encode(sealed))").status == .ok
            }
            let first = try await seal()
            #expect(first.starts(with: [1, 1] + Array("1".utf8)))
            // The ring's directory, with the only key there was until now under its name.
            try world.files.write("1.key", try Self.text(of: world.files.path("field.key")))
            try world.files.write("new.key", Base64.standard.encode(randomBytes(32)))
            try world.files.write("current", "new")
            var ring = try world.configuration()
            ring.keys.fieldKeyFile = world.files.directory
            try await world.service.reload(ring)
            let second = try await seal()
            #expect(second.starts(with: [1, 3] + Array("new".utf8)))
            #expect(try await opens(first))
            #expect(try await opens(second))
            unlink(world.files.path("1.key"))
            try await world.service.reload(ring)
            #expect(try await !opens(first))
            #expect(try await opens(second))
        }
    }

    @Test("NFR-05a: operators see when the public listener's certificate ends, and that a renewed one lasts longer")
    func publicCertificate() async throws {
        try await with({ members, files in
            try Self.copy("expired", to: files)
            members["public"] = Self.https(members, files)
        }) { world in
            func daysLeft() async throws -> Double {
                let text = try await world.get("/metrics", operators: true).text
                let line = text.split(separator: "\n").first {
                    $0.hasPrefix(#"trackme_certificate_days_left{listener="public"}"#)
                }
                return try #require(line?.split(separator: " ").last.flatMap { Double($0) })
            }
            #expect(try await daysLeft() < 0)
            try Self.copy("accounts", to: world.files)
            try await world.service.reload(
                try world.configuration { $0["public"] = Self.https($0, world.files) })
            let days = try await daysLeft()
            #expect(days > 0 && days < 400)
        }
    }

    private static func https(_ members: [String: JSONValue], _ files: TestFiles) -> JSONValue? {
        members["public"]?.with("certificate_file", .string(files.path("public.pem")))
            .with("key_file", .string(files.path("public.key")))
    }

    /// A test certificate and its key as those of the public listener.
    private static func copy(_ name: String, to files: TestFiles) throws {
        let directory = try CertificateFiles.directory()
        for ending in ["pem", "key"] {
            try files.write("public.\(ending)", try text(of: "\(directory)/\(name).\(ending)"))
        }
    }

    private static func text(of file: String) throws -> String {
        String(decoding: try SmallFile.read(file, bytesMax: 1 << 16), as: UTF8.self)
    }
}

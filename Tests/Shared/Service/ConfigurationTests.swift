import HTTP
import JSON
import Postgres
import Reactor
@testable import Service
import Testing

@Suite struct ConfigurationTests {
    private typealias Configuration = ServiceConfiguration<EchoService.Settings>

    private func load(
        _ change: (inout [String: JSONValue]) -> Void = { _ in }
    ) async throws -> Result<Configuration, ConfigurationError> {
        try await TestFiles.with { files in
            let path = try EchoService.configurationFile(files, change: change)
            do throws(ConfigurationError) {
                return .success(try Configuration.load(file: path, for: "accounts"))
            } catch { return .failure(error) }
        }
    }

    private func sentence(_ change: (inout [String: JSONValue]) -> Void) async throws -> String {
        switch try await load(change) {
        case .success: "no error"
        case .failure(let error): error.description
        }
    }

    @Test("NFR-10: the file that deploy writes is read")
    func wellFormed() async throws {
        let configuration = try await load().get()
        #expect(configuration.service == "accounts")
        #expect(configuration.publicListener.listen.host == "127.0.0.1")
        #expect(configuration.publicListener.baseURL == "http://127.0.0.1:8101")
        #expect(configuration.database.hosts == ["127.0.0.1:1"])
        #expect(configuration.database.migrate)
        #expect(configuration.peers["query"]?.first?.port == 1)
        #expect(configuration.log.level == .info)
        #expect(configuration.settings.greeting == "hello")
    }

    @Test("an unknown member is refused with its path, at every level")
    func unknownMember() async throws {
        let top = try await sentence { $0["colour"] = "red" }
        #expect(top.contains("colour"))
        let nested = try await sentence { $0["database"] = $0["database"]?.with("pasword_file", "x") }
        #expect(nested.contains("$.database.pasword_file"))
        let own = try await sentence { $0["settings"] = ["greeting": "a", "more": 1] }
        #expect(own.contains("$.settings.more"))
    }

    @Test("NFR-10: limits of the HTTP server are configuration; what is left out has a default")
    func publicLimits() async throws {
        let text: JSONValue = [
            "connections_max": 100, "requests_per_network_max": 7, "body_memory_mib": 2, "handler_s": 3,
        ]
        let configuration = try await load { $0["public"] = $0["public"]?.with("limits", text) }.get()
        let server = configuration.publicListener.serverConfiguration
        #expect(server.connectionsMax == 100 && server.requestsPerNetworkMax == 7)
        #expect(server.bufferedBodyBytesMax == 2 << 20 && server.timeouts.handler == .seconds(3))
        #expect(server.timeouts.idle == HTTPServerConfiguration.Timeouts().idle)
        let none = try await sentence { $0["public"] = $0["public"]?.with("limits", ["connections_max": 0]) }
        #expect(none.contains("$.public.limits.connections_max") && none.contains("from 1 to"))
        let half = try await sentence { $0["public"] = $0["public"]?.with("certificate_file", "/tmp/a.pem") }
        #expect(half.contains("certificate_file and key_file, or neither"))
    }

    @Test("NFR-10: where the pages' static files are is configuration; without it a service has no pages")
    func assets() async throws {
        #expect(try await load().get().publicListener.assets == nil)
        let given = try await load { $0["public"] = $0["public"]?.with("assets", "/assets/0123456789abcdef") }
        #expect(try given.get().publicListener.assets == "/assets/0123456789abcdef")
        for wrong in ["", "/", "assets/1", "/assets/", "/ass ets", "/asseté", "/a\nb"] {
            let message = try await sentence { $0["public"] = $0["public"]?.with("assets", .string(wrong)) }
            #expect(message.contains("$.public.assets") && message.contains("begins with a slash"), "\(wrong)")
        }
    }

    @Test("each mistake has a sentence that names the place")
    func mistakes() async throws {
        let port = try await sentence { $0["public"] = $0["public"]?.with("listen", "127.0.0.1:99999") }
        #expect(port.contains("$.public.listen") && port.contains("port from 0 to 65535"))
        let url = try await sentence { $0["public"] = $0["public"]?.with("base_url", "http://a/") }
        #expect(url.contains("$.public.base_url"))
        let proxy = try await sentence { $0["public"] = $0["public"]?.with("trusted_proxies", ["10.0.0.0/64"]) }
        #expect(proxy.contains("$.public.trusted_proxies") && proxy.contains("10.0.0.0/8"))
        let host = try await sentence { $0["database"] = $0["database"]?.with("hosts", ["localhost"]) }
        #expect(host.contains("$.database.hosts") && host.contains("HOST:PORT"))
        let size = try await sentence { $0["feeds"] = ["a.b": ["bytes_max": 1]] }
        #expect(size.contains("$.feeds.a.b.bytes_max") || size.contains("bytes_max"))
        let misspelt = try await sentence { $0["feeds"] = ["a.b": ["age_max": 1]] }
        #expect(misspelt.contains("age_max"))
        for hosts in [["db.example:5432"], ["localhost:5432"], ["/run/pg:5432", "10.0.0.1:5432"]] as [JSONValue] {
            let plain = try await sentence { $0["database"] = $0["database"]?.with("hosts", hosts) }
            #expect(plain.contains("$.database.authority_file") && plain.contains("TLS"))
        }
        let none = try await sentence { $0["database"] = $0["database"]?.with("hosts", []) }
        #expect(none.contains("1 to 16 hosts"))
        let connections = try await sentence { $0["database"] = $0["database"]?.with("connections_max", 0) }
        #expect(connections.contains("$.database.connections_max") && connections.contains("1 to 500"))
        let loops = try await sentence { $0["loops"] = 257 }
        #expect(loops.contains("$.loops") && loops.contains("0 to 256"))
        let tokens = try await sentence { $0["cached_tokens"] = 10 }
        #expect(tokens.contains("$.cached_tokens") && tokens.contains("1000 to 100000000"))
        let level = try await sentence { $0["log"] = ["level": "loud"] }
        #expect(level.contains("$.log.level") && level.contains("debug, info, warning, error"))
        let peer = try await sentence { $0["peers"] = ["query": ["127.0.0.1:0"]] }
        #expect(peer.contains("$.peers.query[0]"))
        let service = try await sentence { $0["service"] = "query" }
        #expect(service.contains("this program is \"accounts\", but the file is for \"query\""))
        let missing = try await sentence { $0["database"] = nil }
        #expect(missing.contains("$.database"))
    }

    @Test("a file that is missing, a directory or not JSON is said to be so")
    func files() async throws {
        try await TestFiles.with { files in
            func sentence(_ path: String) -> String {
                do throws(ConfigurationError) {
                    _ = try Configuration.load(file: path, for: "accounts")
                    return "no error"
                } catch { return error.description }
            }
            #expect(
                sentence(files.path("none.json"))
                    == "\(files.path("none.json")) cannot be used: No such file or directory.")
            #expect(sentence(files.directory) == "\(files.directory) cannot be used: not a regular file.")
            let broken = try files.write("broken.json", "{\"service\": ")
            #expect(sentence(broken).hasPrefix("The configuration file \(broken) is not valid: "))
        }
    }

    @Test("NFR-05: a secret that everybody can read is refused, and no sentence holds one")
    func secrets() async throws {
        try await TestFiles.with { files in
            let path = try EchoService.configurationFile(files)
            let configuration = try Configuration.load(file: path, for: "accounts")

            try files.write("database.password", "hunter2", mode: 0o644)
            let password = #expect(throws: ConfigurationError.self) {
                try configuration.database.configuration(application: "accounts", loops: 1)
            }
            #expect(password?.description.contains("accessible to everybody") == true)
            #expect(password?.description.contains("hunter2") == false)

            try files.write("field.key", "short")
            let key = #expect(throws: ConfigurationError.self) { try configuration.keys.load() }
            #expect(key?.description.contains("field.key: not 32 bytes in base64") == true)
            #expect(key?.description.contains("short") == false)
        }
    }

    @Test("a certificate that is missing, or not the key's, is refused when checking")
    func certificates() async throws {
        try await TestFiles.with { files in
            var path = try EchoService.configurationFile(files) {
                $0["internal"] = $0["internal"]?.with("certificate_file", "/nowhere/a.pem")
            }
            let missing = #expect(throws: ConfigurationError.self) {
                try Configuration.load(file: path, for: "accounts").internalListener.tls()
            }
            #expect(missing?.description == "/nowhere/a.pem cannot be used: No such file or directory.")
            path = try EchoService.configurationFile(files) {
                let other = "\($0["internal"]?["key_file"] ?? .null)".contains("query") ? "accounts" : "query"
                guard case .string(let key)? = $0["internal"]?["key_file"] else { return }
                $0["internal"] = $0["internal"]?.with(
                    "key_file", .string(key.replacing("accounts.key", with: "\(other).key")))
            }
            let foreign = #expect(throws: ConfigurationError.self) {
                try Configuration.load(file: path, for: "accounts").internalListener.tls()
            }
            #expect(foreign?.description.contains("certificate cannot be used") == true)
        }
    }

    @Test("the connection string escapes what libpq would take for its own")
    func connectionString() async throws {
        try await TestFiles.with { files in
            let path = try EchoService.configurationFile(files) {
                $0["database"] = $0["database"]?.with("hosts", ["/run/pg:5432", "[::1]:5433"]).with(
                    "connections_max", 9)
            }
            try files.write("database.password", #"it's a \ "#)
            let settings = try Configuration.load(file: path, for: "accounts").database
            let configuration = try settings.configuration(application: "accounts", loops: 4)
            #expect(
                configuration.connectionInfo
                    == #"host='/run/pg,::1' port='5432,5433' dbname='d' user='u' password='it\'s a \\' sslmode='disable'"#
            )
            #expect(configuration.connectionsPerLoopMax == 2)
            #expect(configuration.searchPath == ["accounts"])
        }
    }
}

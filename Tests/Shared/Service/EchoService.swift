import Contracts
import Glibc
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import Testing

/// A small service to start and stop.
enum EchoService: ServiceDefinition {
    struct Settings: Decodable, Sendable {
        var greeting: String
        /// A database beside its own.
        var second: DatabaseSettings?
    }

    enum Echo: RPCMethod {
        typealias Params = [String: String]
        typealias Result = [String: String]
        static let name = "echo.echo"
        static let isIdempotent = true
    }

    static let name = "accounts"
    static let migrations = [Migration(1, "notes", Array("create table note (text text not null)".utf8))]
    static let openAPI = Array(#"{"openapi": "3.1.0"}"#.utf8)

    static let subcommands = [
        Subcommand<EchoService>("count", "counts the notes") { context, arguments in
            let count = try await context.database.queryOne("select count(*) from note", as: Int.self)
            context.log.info(
                "notes", ["count": .integer(Int64(count ?? 0)), "arguments": .integer(Int64(arguments.count))])
        }
    ]

    static func check(_ settings: Settings) throws(ConfigurationError) {
        guard !settings.greeting.isEmpty else { throw ConfigurationError("The greeting is empty.") }
    }

    static func build(_ context: ServiceContext<Settings>) async throws -> ServiceParts {
        var parts = ServiceParts()
        var second: Database?
        if let settings = context.settings.second {
            second = try await context.openDatabase(settings, migrations: migrations)
        }
        parts.rpc.register(Echo.self, allow: ["query", "operator"]) { params, _ in params }
        parts.http { [second] routes in
            routes.on(.get, "/accounts/v1/greeting", access: .anyone) { _ in .text(context.settings.greeting) }
            routes.on(.get, "/accounts/v1/me", access: .account(.individual, scope: .requests)) { _, caller in
                .text(caller.account.description)
            }
            routes.on(.get, "/accounts/v1/trace", access: .anyone) { _ in
                .text(RequestScope.current.map { "\($0.trace)" } ?? "none")
            }
            routes.on(.get, "/accounts/v1/notes/:id", access: .anyone) { request in
                let found = try await context.database.queryOne(
                    "select text from note where text = \(try request.parameter("id"))", as: String.self)
                guard let found else { throw Problem.notFound }
                return .text(found)
            }
            routes.on(.get, "/accounts/v1/endless", access: .anyone, deadline: .seconds(60)) { _ in
                try await EventLoop.current?.sleep(for: .seconds(60))
                return .text("late")
            }
            routes.on(.get, "/accounts/v1/slow", access: .anyone) { _ in
                try await EventLoop.current?.sleep(for: .seconds(60))
                return .text("late")
            }
            routes.on(.get, "/accounts/v1/session", access: .anyone) { _ in
                let session = try await context.database.queryOne("select pg_backend_pid()", as: Int32.self)
                return .text("\(session ?? 0)")
            }
            routes.on(.get, "/accounts/v1/second-session", access: .anyone) { _ in
                let session = try await second?.queryOne("select pg_backend_pid()", as: Int32.self)
                return .text("\(session ?? 0)")
            }
            let (cipher, place) = (FieldCipher(context.keys.fields), FieldLocation("accounts.note.text", row: []))
            routes.on(.get, "/accounts/v1/sealed", access: .anyone) { _ in
                .text(Base64.url.encode(cipher.seal("secret", at: place)))
            }
            routes.on(.get, "/accounts/v1/opened/:sealed", access: .anyone) { request in
                guard let sealed = Base64.url.decode(try request.parameter("sealed")) else { throw Problem.notFound }
                return .text(try cipher.openText(sealed, at: place))
            }
            routes.on(.get, "/accounts/v1/broken", access: .anyone) { _ in throw Broken() }
            routes.on(.get, "/accounts/v1/neighbour", access: .anyone) { _ in
                .text(try await context.peers["query"].call(Echo.self, ["a": "b"])["a"] ?? "")
            }
        }
        parts.tasks = [
            .periodic("count-notes", every: .seconds(1), pacing: context.pacing) {
                try await context.database.execute("insert into note values ('tick')")
            }
        ]
        return parts
    }

    struct Broken: Error {}
}

extension EchoService {
    /// A configuration file with everything it names, for the schema `schema` of the test cluster.
    static func configurationFile(
        _ files: TestFiles, schema: String = "accounts",
        database info: String = "host=127.0.0.1 port=1 user=u password=p dbname=d",
        change: (inout [String: JSONValue]) throws -> Void = { _ in }
    ) throws -> String {
        var words: [String: String] = [:]
        for word in info.split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { words[String(parts[0])] = String(parts[1]) }
        }
        let tls = try CertificateFiles.directory()
        let key = Base64.standard.encode(randomBytes(32))
        try files.write("database.password", words["password"] ?? "none")
        try files.write("field.key", key)
        try files.write("blind-index.key", key)
        var members: [String: JSONValue] = [
            "service": "accounts",
            "public": ["listen": "127.0.0.1:0", "base_url": "http://127.0.0.1:8101"],
            "internal": [
                "listen": "127.0.0.1:0", "certificate_file": .string("\(tls)/accounts.pem"),
                "key_file": .string("\(tls)/accounts.key"), "authority_file": .string("\(tls)/ca.pem"),
            ],
            "operators": ["listen": "127.0.0.1:0"],
            "stopping": ["grace_s": 0, "total_s": 5],
            "database": [
                "hosts": [.string("\(words["host"] ?? "127.0.0.1"):\(words["port"] ?? "5432")")],
                "name": .string(words["dbname"] ?? "d"), "user": .string(words["user"] ?? "u"),
                "password_file": .string(files.path("database.password")), "schema": .string(schema),
                "connections_max": 4,
            ],
            "peers": ["query": ["127.0.0.1:1"]],
            "loops": 1,
            "log": ["level": "info"],
            "keys": [
                "field_key_file": .string(files.path("field.key")),
                "blind_index_key_file": .string(files.path("blind-index.key")),
            ],
            "settings": ["greeting": "hello"],
        ]
        try change(&members)
        return try files.write(
            "accounts.json", String(decoding: try JSONEncoder().encode(members), as: UTF8.self), mode: 0o644)
    }
}

extension JSONValue {
    /// With one member of an object replaced or added.
    func with(_ key: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let object) = self else { return self }
        var members = Dictionary(uniqueKeysWithValues: object.members.map { ($0.key, $0.value) })
        members[key] = value
        let bytes = try! JSONEncoder().encode(members)
        return try! JSONDecoder().decode(JSONValue.self, from: bytes)
    }
}

import Contracts
import Domain
import Postgres
import Primitives
import ProcessTesting
import RPC
import Reactor
import Security

/// What `accounts.find` would be without audit: the same call, the same look-up in the same tables, and nothing else.
enum PlainDirectory {
    /// Arguments of `serve-directory`.
    static func arguments(_ bed: ServicesBed) -> [String] {
        ["serve-directory", bed.schemas(of: .accounts).own, bed.directory.file("accounts.blind-index.key")]
    }

    /// Prints its port.
    static func serve(_ loops: EventLoopGroup) async throws {
        guard CommandLine.arguments.count == 4 else { throw BenchError.failed("serve-directory SCHEMA KEYFILE") }
        let (schema, file) = (CommandLine.arguments[2], CommandLine.arguments[3])
        let key = try SecretKey.load(file: file)
        let codes = BlindIndex(master: key, column: "accounts.person.fiscal_code")
        let emails = BlindIndex(master: key, column: "accounts.account.email")
        // As the service beside it.
        let own = try EventLoopGroup(count: 2)
        var configuration = DatabaseConfiguration(
            connectionInfo: try DatabaseAddress.shared().connectionInfo, searchPath: [schema],
            applicationName: "bench-directory")
        configuration.connectionsPerLoopMax = ServicesBed.connections / 2
        let database = Database(configuration, loops: own)
        var router = RPCRouter()
        router.register(Accounts.Find.self, allow: ["query"]) { params, _ in
            let code = params.fiscalCode.map { codes.index($0.description) } ?? []
            let email = params.email.map { emails.index($0.normalized) } ?? []
            let found = try await database.queryOne(
                """
                select a.id from account a
                where a.kind = 'individual' and a.confirmed_at is not null and a.id in (
                  select account from person where fiscal_code_index = \(code)
                  union all select id from account where email_index = \(email))
                """, as: UUID.self)
            guard let found else { throw BenchError.failed("nobody has that code or address") }
            return Accounts.Find.Result(accountID: found)
        }
        let certificates = try ServiceProgram.certificates()
        let tls = try TLSContext.server(
            certificateFile: "\(certificates)/accounts.pem", keyFile: "\(certificates)/accounts.key",
            clientAuthorityFile: "\(certificates)/ca.pem")
        let server = try await RPCServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), loops: own, tls: tls, router: router,
            configuration: RPCServerConfiguration(clientNames: ["query"]))
        emit("\(server.port)")
    }

    /// A client of the one at that port.
    static func client(_ port: UInt16, loops: EventLoopGroup) throws -> RPCClient {
        let certificates = try ServiceProgram.certificates()
        return RPCClient(
            RPCClientConfiguration(service: "accounts", endpoints: [Endpoint(host: "127.0.0.1", port: port)]),
            loops: loops,
            tls: try TLSContext.client(
                authorityFile: "\(certificates)/ca.pem", certificateFile: "\(certificates)/query.pem",
                keyFile: "\(certificates)/query.key"))
    }
}

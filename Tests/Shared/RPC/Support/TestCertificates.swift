import Glibc
import Reactor

/// Contexts with test certificates. They come from the directory in `TRACKME_TEST_TLS` (`ca.pem`, and `NAME.pem` with
/// `NAME.key` for each name), or are made once per process with the `openssl` program.
struct TestCertificates: Sendable {
    struct Unavailable: Error {
        let reason: String
    }

    static let shared = Result { try TestCertificates() }

    /// The service `accounts`.
    let server: TLSContext
    private var clients: [String: TLSContext] = [:]

    /// Without a name, a client that shows no certificate.
    func client(_ name: String?) throws -> TLSContext {
        guard let client = clients[name ?? ""] else { throw Unavailable(reason: "no client \(name ?? "")") }
        return client
    }

    private init() throws {
        var made: TestAuthority?
        let directory: String
        if let path = getenv("TRACKME_TEST_TLS") {
            directory = String(cString: path)
        } else {
            let authority = try TestAuthority()
            made = authority
            directory = authority.directory
        }
        defer { made?.remove() }
        server = try TLSContext.server(
            certificateFile: "\(directory)/accounts.pem", keyFile: "\(directory)/accounts.key",
            clientAuthorityFile: "\(directory)/ca.pem")
        for name in ["ingestion", "query", "dispatcher", "track4run", "foreign", "expired"] {
            clients[name] = try TLSContext.client(
                authorityFile: "\(directory)/ca.pem", certificateFile: "\(directory)/\(name).pem",
                keyFile: "\(directory)/\(name).key")
        }
        clients[""] = try TLSContext.client(authorityFile: "\(directory)/ca.pem")
    }
}

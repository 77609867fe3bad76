import Reactor
import ReactorTesting

/// Contexts with test certificates.
enum TestCertificates {
    /// The service `accounts`.
    static func server() throws -> TLSContext {
        try .server(
            certificateFile: CertificateFiles.path("accounts.pem"), keyFile: CertificateFiles.path("accounts.key"),
            clientAuthorityFile: CertificateFiles.path("ca.pem"))
    }

    /// Without a name, a client that shows no certificate.
    static func client(_ name: String?) throws -> TLSContext {
        try .client(
            authorityFile: CertificateFiles.path("ca.pem"),
            certificateFile: name.map { try CertificateFiles.path("\($0).pem") },
            keyFile: name.map { try CertificateFiles.path("\($0).key") })
    }
}

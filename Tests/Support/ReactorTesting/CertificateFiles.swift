import Glibc

/// The certificates that `deploy/test` makes: `ca.pem`, `foreign-ca.pem`, and `NAME.pem` with `NAME.key` for each name.
public enum CertificateFiles {
    public struct Missing: Error, CustomStringConvertible {
        public let description = "TRACKME_TEST_TLS is not set: run deploy/test, which makes certificates and sets it"
    }

    public static func directory() throws(Missing) -> String {
        guard let directory = getenv("TRACKME_TEST_TLS") else { throw Missing() }
        return String(cString: directory)
    }

    /// The path of one of the files.
    public static func path(_ name: String) throws(Missing) -> String { "\(try directory())/\(name)" }
}

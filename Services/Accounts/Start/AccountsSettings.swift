import Domain
import Security

/// What only this service's configuration has.
struct AccountsSettings: Decodable, Sendable {
    /// Where mail is delivered to, one file each.
    let mailDirectory: String
    /// The Ed25519 key that access tokens are signed with (PKCS#8, PEM), or the directory of a `SigningKeyRing`.
    let signingKeyFile: String
    /// Whom mail comes from.
    let mailFrom: EmailAddress?
    /// Names in certificates of clients that may provision people (`accounts.provision`); nobody by default.
    let provisioningClients: [String]?

    func signingKeys() throws(SecurityError) -> SigningKeyRing { try SigningKeyRing.load(signingKeyFile) }
}

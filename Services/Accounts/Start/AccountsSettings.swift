import Domain
import Security

/// The settings of this service.
struct AccountsSettings: Decodable, Sendable {
    /// The directory that mail is delivered into, one file each.
    let mailDirectory: String
    /// So many mails stay there, the newest; without it all of them. For development, where nobody takes them away.
    let mailsMax: Int?
    /// The Ed25519 key that access tokens are signed with (PKCS#8, PEM), or the directory of a `SigningKeyRing`.
    let signingKeyFile: String
    /// The sender of mail.
    let mailFrom: EmailAddress?
    /// Names in certificates of clients that may provision people (`accounts.provision`); nobody by default.
    let provisioningClients: [String]?
    /// Web push; without it nothing is pushed.
    let push: PushSettings?

    func signingKeys() throws(SecurityError) -> SigningKeyRing { try SigningKeyRing.load(signingKeyFile) }
}

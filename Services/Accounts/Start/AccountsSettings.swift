import Domain

/// What only this service's configuration has.
struct AccountsSettings: Decodable, Sendable {
    /// Where mail is delivered to, one file each.
    let mailDirectory: String
    /// The Ed25519 key that access tokens are signed with (PKCS#8, PEM).
    let signingKeyFile: String
    /// Whom mail comes from.
    let mailFrom: EmailAddress?
}

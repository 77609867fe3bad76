import Domain
import Glibc
import Security
import Service

/// The settings of this service.
struct AccountsSettings: Decodable, Sendable {
    /// The database of the accounts' wrapped keys: apart from all else, with backups of its own (ARCHITECTURE, "Identity and trust").
    let keystore: DatabaseSettings
    /// The directory that mail is delivered into, one file each: for development. Either this or `mailProgram` is there.
    let mailDirectory: String?
    /// Path and first arguments of a program with the interface of `sendmail`, which mail is handed to.
    let mailProgram: [String]?
    /// Where delivery reports go: the local part gets a `+` and the mail behind it, and what comes there is piped to
    /// `trackme-accounts bounce RECIPIENT`. Without it the sender gets them.
    let mailBounces: EmailAddress?
    /// So many mails stay in the directory, the newest; without it all of them. For development, where nobody takes them away.
    let mailsMax: Int?
    /// The Ed25519 key that access tokens are signed with (PKCS#8, PEM), or the directory of a `SigningKeyRing`.
    let signingKeyFile: String
    /// The sender of mail.
    let mailFrom: EmailAddress?
    /// Where people reach support: an e-mail address or the address of a page; the sender of mail when it is not said.
    let support: String?
    /// Names in certificates of clients that may provision people (`accounts.provision`); nobody by default.
    let provisioningClients: [String]?
    /// Web push; without it nothing is pushed.
    let push: PushSettings?

    /// Bytes of the local part of `mailBounces`, so that the whole local part has at most 64 (RFC 5321).
    static let bouncesLocalPartMax = 14

    /// Throws a sentence for settings of mail that cannot be used.
    func checkMail() throws(ConfigurationError) {
        guard (mailDirectory == nil) != (mailProgram == nil) else {
            throw ConfigurationError("Set exactly one of mail_directory (for development) and mail_program.")
        }
        if let mailsMax, mailsMax < 1 { throw ConfigurationError("mails_max is \(mailsMax); at least 1 is possible.") }
        if mailsMax != nil, mailDirectory == nil { throw ConfigurationError("mails_max is of a mail_directory only.") }
        if let mailProgram {
            guard let path = mailProgram.first, path.hasPrefix("/"), access(path, X_OK) == 0 else {
                throw ConfigurationError(
                    "mail_program begins with the path of a program that can be run, such as [\"/usr/sbin/sendmail\"].")
            }
            guard mailFrom != nil else { throw ConfigurationError("mail_program needs mail_from, the sender of mail.") }
        }
        let local = mailBounces?.description.prefix { $0 != "@" }
        guard local?.utf8.count ?? 0 <= Self.bouncesLocalPartMax else {
            throw ConfigurationError(
                "The part of mail_bounces before the @ has at most \(Self.bouncesLocalPartMax) characters.")
        }
    }

    func supportContact() throws(ConfigurationError) -> SupportContact? {
        guard let support else { return nil }
        return try SupportContact(setting: support)
    }

    /// The errors of a folder that cannot be made, or of threads.
    func carrier() throws -> any MailCarrier {
        if let mailProgram { return try SendmailCarrier(program: mailProgram) }
        return try Maildir(mailDirectory ?? "", mailsMax: mailsMax)
    }

    func signingKeys() throws(SecurityError) -> SigningKeyRing { try SigningKeyRing.load(signingKeyFile) }
}

import Domain

/// Whom mail comes from: a name in ASCII and an address.
struct MailAddress: Sendable {
    let name: String
    let address: EmailAddress

    /// As it stands in a header (RFC 5322 section 3.4).
    var header: String { "\(name) <\(address)>" }

    /// What stands after the @.
    var domain: String { String(address.description.split(separator: "@").last ?? "") }
}

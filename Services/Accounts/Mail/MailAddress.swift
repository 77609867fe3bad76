import Domain

/// The sender of mail: a name in ASCII and an address.
struct MailAddress: Sendable {
    let name: String
    let address: EmailAddress

    /// The address as a header has it (RFC 5322 section 3.4).
    var header: String { "\(name) <\(address)>" }

    /// The part after the @.
    var domain: String { String(address.description.split(separator: "@").last ?? "") }
}

import Domain
import Primitives
import Security

/// The envelope's sender of each mail, by which a delivery report tells which mail it is about. It holds the mail's id and a
/// keyed hash of it, so that nobody can report on a mail that did not come by them.
struct ReturnPath: Sendable {
    private static let tagBytes = 8

    /// Delivery reports are sent to addresses like this one, with a `+` and more behind its local part; `nil`: nowhere.
    let address: EmailAddress?
    private let index: BlindIndex

    init(address: EmailAddress?, indexKey: SecretKey) {
        self.address = address
        index = BlindIndex(master: indexKey, column: "accounts.mail.return_path")
    }

    /// The address for reports on a mail: `bounces+ID.TAG@…`; the sender's own where the deployment takes none.
    func address(of mail: UUID, from sender: EmailAddress) throws(EmailAddressError) -> EmailAddress {
        guard let (local, domain) = parts else { return sender }
        return try EmailAddress(
            validating: "\(local)+\(mail.description.replacing("-", with: "")).\(tag(mail))@\(domain)")
    }

    /// The mail that a report to `recipient` is about; `nil` for any other address.
    func mail(_ recipient: String) -> UUID? {
        guard let (local, domain) = parts, let address = EmailAddress(recipient.lowercased()) else { return nil }
        let text = address.normalized
        let (start, end) = ("\(local)+".lowercased(), "@\(domain)".lowercased())
        guard text.hasPrefix(start), text.hasSuffix(end) else { return nil }
        let middle = text.dropFirst(start.count).dropLast(end.count).split(
            separator: ".", omittingEmptySubsequences: false)
        guard middle.count == 2, let mail = Self.mail(hex: middle[0]) else { return nil }
        return constantTimeEqual(Array(middle[1].utf8), Array(tag(mail).utf8)) ? mail : nil
    }

    private var parts: (local: Substring, domain: Substring)? {
        guard let parts = address?.description.split(separator: "@"), parts.count == 2 else { return nil }
        return (parts[0], parts[1])
    }

    private func tag(_ mail: UUID) -> String {
        hex(index.index(mail.description).prefix(Self.tagBytes))
    }

    private static func mail(hex: Substring) -> UUID? {
        guard hex.utf8.count == 32, let high = UInt64(hex.prefix(16), radix: 16),
            let low = UInt64(hex.dropFirst(16), radix: 16)
        else { return nil }
        return UUID(high: high, low: low)
    }
}

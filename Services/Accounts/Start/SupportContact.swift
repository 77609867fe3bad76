import Domain
import Service

/// Where people reach support (ACC-18): an e-mail address, or a page that begins with `https://`.
struct SupportContact: Sendable {
    /// As it is shown.
    let text: String
    /// What the link leads to.
    let link: String

    init(_ address: EmailAddress) { self.init(text: address.description, link: "mailto:\(address)") }

    private init(text: String, link: String) {
        self.text = text
        self.link = link
    }

    /// Throws a sentence for anything else.
    init(setting: String) throws(ConfigurationError) {
        if setting.hasPrefix("https://"), setting.utf8.count <= 200, setting.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        {
            self.init(text: String(setting.dropFirst("https://".count)), link: setting)
        } else if let address = EmailAddress(setting) {
            self.init(address)
        } else {
            throw ConfigurationError(
                "support is \(setting); it is an e-mail address, or the address of a page that begins with https://.")
        }
    }
}

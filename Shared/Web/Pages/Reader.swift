import Domain
import HTTP

/// What a page knows of its reader from cookies and fields that hold no secret: it decides the language and which ways
/// the navigation shows, and never what may be read.
struct Reader: Sendable {
    let language: Language
    /// The kind of account that has logged in with this browser; the page's scripts set it.
    let kind: AccountKind?
    /// `light` or `dark`, where the reader has chosen one.
    let theme: String?
    /// Whether this deployment has prices, as the service that takes payments has told the browser of a third party.
    let hasPayments: Bool

    init(_ request: HTTPRequest) {
        language = request.cookie("language").flatMap(Language.init(rawValue:)) ?? request.preferredLanguage ?? .italian
        kind = request.cookie("account").flatMap(AccountKind.init(rawValue:))
        theme = request.cookie("theme").flatMap { ["light", "dark"].contains($0) ? $0 : nil }
        hasPayments = request.cookie("payments") == "on"
    }

    /// The field that tells the browser, for as long as a session lives that nobody uses.
    static func paymentsCookie(_ hasPayments: Bool) -> String {
        "payments=\(hasPayments ? "on" : ""); Path=/; SameSite=Lax; Max-Age=\(hasPayments ? 30 * 86_400 : 0)"
    }
}

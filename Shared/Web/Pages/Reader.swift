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

    init(_ request: HTTPRequest) {
        language = request.cookie("language").flatMap(Language.init(rawValue:)) ?? request.preferredLanguage ?? .italian
        kind = request.cookie("account").flatMap(AccountKind.init(rawValue:))
        theme = request.cookie("theme").flatMap { ["light", "dark"].contains($0) ? $0 : nil }
    }
}

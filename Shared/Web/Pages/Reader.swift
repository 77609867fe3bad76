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
        language = request.cookie("language").flatMap(Language.init(rawValue:)) ?? Self.preferred(request)
        kind = request.cookie("account").flatMap(AccountKind.init(rawValue:))
        theme = request.cookie("theme").flatMap { ["light", "dark"].contains($0) ? $0 : nil }
    }

    /// The first language of `Accept-Language` that there is, by quality (RFC 9110 §12.5.4); Italian without any.
    private static func preferred(_ request: HTTPRequest) -> Language {
        var best: (language: Language, quality: Double)?
        for range in (request.field("accept-language") ?? "").split(separator: ",").prefix(20) {
            let parts = range.split(separator: ";")
            guard let tag = parts.first?.drop(while: { $0 == " " }).prefix(while: { $0 != "-" && $0 != " " }),
                let language = Language(rawValue: tag.lowercased())
            else { continue }
            let quality =
                parts.dropFirst().lazy.compactMap { part -> Double? in
                    let part = part.drop { $0 == " " }
                    return part.hasPrefix("q=") ? Double(part.dropFirst(2)) : nil
                }.first ?? 1
            if quality > best?.quality ?? 0 { best = (language, quality) }
        }
        return best?.language ?? .italian
    }
}

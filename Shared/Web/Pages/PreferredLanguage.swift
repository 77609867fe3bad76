public import Domain
public import HTTP

extension HTTPRequest {
    /// The first language of `Accept-Language` that there is, by quality (RFC 9110 §12.5.4).
    public var preferredLanguage: Language? {
        var best: (language: Language, quality: Double)?
        for range in (field("accept-language") ?? "").split(separator: ",").prefix(20) {
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
        return best?.language
    }
}

import HTTP
import Primitives

/// Where an application gets its answers (RFC 6749 §3.1.2): registered when it is admitted, and compared as a whole, byte by byte
/// (RFC 9700 §2.1).
struct RedirectURI: Hashable, Sendable, CustomStringConvertible {
    static let bytesMax = 500

    let description: String
    /// What people are told of it: the host, or the scheme of an app on their phone.
    let shownName: String

    /// An `https` address; `http` only on the device itself (RFC 8252 §7.3); or a scheme that an app has for itself, with a point in
    /// it (RFC 8252 §7.1), which none that a browser runs or reads has (`javascript:`, `data:`, `file:`). `nil` for others, and for
    /// one with a fragment or user information.
    init?(_ text: String) {
        guard (1...Self.bytesMax).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        let scheme = text[..<colon]
        let rest = text[text.index(after: colon)...]
        switch scheme {
        case "https", "http":
            guard let url = HTTPURL(text), url.isSecure || url.isOnThisMachine else { return nil }
            shownName = url.authority
        default:
            guard Self.isAppScheme(scheme), rest.hasPrefix("/"), !rest.contains("@") else { return nil }
            shownName = String(scheme)
        }
        description = text
    }

    /// The address with these parameters added to its query.
    func adding(_ parameters: [(name: String, value: String)]) -> String {
        let query = parameters.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        return description + (description.contains("?") ? "&" : "?") + query
    }

    private static func isAppScheme(_ scheme: Substring) -> Bool {
        guard scheme.contains("."), let first = scheme.utf8.first, isLetter(first) else { return false }
        return scheme.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ octet: UInt8) -> Bool { (97...122).contains(octet) }

    /// Those of RFC 3986, without `#`.
    private static func isAllowed(_ octet: UInt8) -> Bool {
        (0x21...0x7E).contains(octet) && !"\"#<>\\^`{|}".utf8.contains(octet)
    }
}

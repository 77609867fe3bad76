import HTTP

/// The path of a page of this site with its query, percent-encoded, as `Location` may name it.
public struct LocalPath: Equatable, Sendable {
    /// Bytes that it has at most; the address of no page is longer.
    static let bytesMax = 1000

    public let text: String

    /// `nil` for what a browser could take for the address of another site, or cut into another field: it has to begin with
    /// one slash, and hold no character but those of paths and queries (RFC 3986 §3.3, §3.4), so no backslash and no control
    /// character.
    public init?(_ text: String) {
        guard (1...Self.bytesMax).contains(text.utf8.count), text.hasPrefix("/"), !text.hasPrefix("//"),
            text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = text
    }

    /// What `request` asks for; `nil` when it is longer than a page's address.
    init?(of request: HTTPRequest) {
        self.init(request.path + (request.head.query.map { "?\($0)" } ?? ""))
    }

    private static let allowed = Set("-._~!$&'()*+,;=:@/?%".utf8)

    private static func isAllowed(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: allowed.contains(octet)
        }
    }
}

/// A mail as development delivers it (RFC 5322): header fields and the plain text.
public struct Mail: Sendable, Equatable {
    /// Unfolded, by lower-case name; encoded words stay as they are.
    public let fields: [String: String]
    /// Decoded; of a mail in parts the first one of plain text, and empty when there is none.
    public let text: String

    public var recipient: String { fields["to"] ?? "" }

    public init(_ bytes: [UInt8]) {
        let whole = MailPart(lines: MailPart.lines(of: bytes)[...])
        fields = whole.fields
        text = whole.plainText() ?? ""
    }

    /// The first web address in the text that contains `part`.
    public func link(containing part: String) -> String? {
        text.split { $0.isWhitespace }.map(String.init).first { $0.hasPrefix("http") && $0.contains(part) }
    }
}

/// A mail of plain text as development delivers it (RFC 5322, RFC 2045): header fields and the decoded text.
public struct Mail: Sendable, Equatable {
    /// Unfolded, by lower-case name; encoded words stay as they are.
    public let fields: [String: String]
    public let text: String

    public var recipient: String { fields["to"] ?? "" }

    public init(_ bytes: [UInt8]) {
        let lines = Self.lines(of: bytes)
        let headerEnd = lines.firstIndex { $0.isEmpty } ?? lines.endIndex
        fields = Self.fields(lines[..<headerEnd])
        let body = lines.dropFirst(headerEnd + 1)
        if fields["content-transfer-encoding"]?.lowercased() == "quoted-printable" {
            text = Self.quotedPrintable(body)
        } else {
            text = body.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        }
    }

    /// The first web address in the text that contains `part`.
    public func link(containing part: String) -> String? {
        text.split { $0.isWhitespace }.map(String.init).first { $0.hasPrefix("http") && $0.contains(part) }
    }

    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    }

    private static func fields(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [String: String] {
        var fields: [String: String] = [:]
        var name = ""
        for line in lines {
            let text = String(decoding: line, as: UTF8.self)
            if text.first == " " || text.first == "\t" {
                // A folded line goes on (RFC 5322 section 2.2.3).
                fields[name]? += text
            } else if let colon = text.firstIndex(of: ":") {
                name = text[..<colon].lowercased()
                fields[name] = String(text[text.index(after: colon)...].drop { $0 == " " })
            }
        }
        return fields
    }

    /// RFC 2045 section 6.7; an escape that is none stands for itself.
    private static func quotedPrintable(_ lines: ArraySlice<ArraySlice<UInt8>>) -> String {
        var decoded: [UInt8] = []
        for line in lines {
            var rest = line
            while let octet = rest.popFirst() {
                guard octet == UInt8(ascii: "=") else {
                    decoded.append(octet)
                    continue
                }
                guard !rest.isEmpty else { break }
                if let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                    decoded.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    decoded.append(octet)
                }
            }
            // "=" at the end of a line joins it with the next one.
            if line.last != UInt8(ascii: "=") { decoded.append(UInt8(ascii: "\n")) }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}

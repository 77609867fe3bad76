import Primitives

/// A mail or one of its parts (RFC 2045, RFC 2046): header fields, and a body that may be in parts itself.
struct MailPart {
    typealias Lines = ArraySlice<ArraySlice<UInt8>>

    /// Parts in parts that are looked into.
    private static let depthMax = 4

    /// Unfolded, by lower-case name.
    let fields: [String: String]
    private let body: Lines

    init(lines: Lines) {
        let headerEnd = lines.firstIndex { $0.isEmpty } ?? lines.endIndex
        fields = Self.fields(lines[..<headerEnd])
        body = lines[headerEnd...].dropFirst()
    }

    /// Without the ends of the lines.
    static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    }

    /// The first plain text in it, decoded.
    func plainText(depth: Int = 0) -> String? {
        let (type, parameters) = contentType
        if type == "text/plain" { return text(charset: parameters["charset"]?.lowercased()) }
        guard type.hasPrefix("multipart/"), let boundary = parameters["boundary"], depth < Self.depthMax else {
            return nil
        }
        return parts(boundary).lazy.compactMap { $0.plainText(depth: depth + 1) }.first
    }

    private static func fields(_ lines: Lines) -> [String: String] {
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

    /// In lower case, with its parameters; plain text where nothing is said.
    private var contentType: (name: String, parameters: [String: String]) {
        // At semicolons outside of quotation marks, which are left out, and so are blanks outside of them.
        var parts = [""]
        var isQuoted = false
        for character in fields["content-type"] ?? "text/plain" {
            switch character {
            case "\"": isQuoted.toggle()
            case ";" where !isQuoted: parts.append("")
            case " " where !isQuoted, "\t" where !isQuoted: break
            default: parts[parts.count - 1].append(character)
            }
        }
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "=") else { continue }
            parameters[part[..<equals].lowercased()] = String(part[part.index(after: equals)...])
        }
        return (parts[0].lowercased(), parameters)
    }

    /// What stands between the lines of the boundary (RFC 2046 section 5.1.1); the last part may be cut off.
    private func parts(_ boundary: String) -> [MailPart] {
        var parts: [MailPart] = []
        var start: Int?
        for (index, line) in zip(body.indices, body) {
            let text = String(decoding: line, as: UTF8.self)
            guard text.hasPrefix("--\(boundary)") else { continue }
            let rest = text.dropFirst(boundary.count + 2)
            let isLast = rest.hasPrefix("--")
            guard isLast || rest.allSatisfy({ $0 == " " || $0 == "\t" }) else { continue }
            if let start { parts.append(MailPart(lines: body[start..<index])) }
            if isLast { return parts }
            start = index + 1
        }
        if let start { parts.append(MailPart(lines: body[start...])) }
        return parts
    }

    private func text(charset: String?) -> String {
        let octets: [UInt8]
        switch fields["content-transfer-encoding"]?.lowercased() {
        case "quoted-printable": octets = quotedPrintable
        case "base64": octets = Base64.standard.decode(String(decoding: body.joined(), as: UTF8.self)) ?? plain
        default: octets = plain
        }
        return charset == "iso-8859-1"
            ? String(String.UnicodeScalarView(octets.map(UnicodeScalar.init))) : String(decoding: octets, as: UTF8.self)
    }

    private var plain: [UInt8] { Array(body.joined(separator: [UInt8(ascii: "\n")])) }

    /// RFC 2045 section 6.7; an escape that is none stands for itself.
    private var quotedPrintable: [UInt8] {
        var decoded: [UInt8] = []
        for line in body {
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
        return decoded
    }
}

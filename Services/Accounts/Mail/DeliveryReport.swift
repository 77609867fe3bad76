/// What became of a mail, as a mail transfer agent reports it: the machine-readable part of a delivery status notification (RFC
/// 3464) inside of a `multipart/report` (RFC 6522).
struct DeliveryReport: Sendable, Equatable {
    struct Recipient: Sendable, Equatable {
        /// `failed`, `delayed`, `delivered`, `relayed`, `expanded`.
        let action: String
        /// The enhanced status code (RFC 3463), as `5.1.1`.
        let status: String
    }

    enum Mistake: Error, Equatable, CustomStringConvertible {
        case tooLarge, tooDeep, incomplete

        var description: String {
            switch self {
            case .tooLarge: "The message is larger than \(DeliveryReport.bytesMax) bytes."
            case .tooDeep:
                "Its parts are nested more than \(DeliveryReport.depthMax) deep, or are more than \(DeliveryReport.partsMax)."
            case .incomplete:
                "It says that it is a delivery report, but has no part message/delivery-status with Action and Status."
            }
        }
    }

    static let bytesMax = 1 << 20
    static let depthMax = 4
    static let partsMax = 64

    let recipients: [Recipient]

    /// `nil` for a message that is no delivery report: an automatic answer, say.
    init?(_ message: [UInt8]) throws(Mistake) {
        guard message.count <= Self.bytesMax else { throw .tooLarge }
        var reader = Reader()
        try reader.read(Self.lines(message)[...], depth: 0)
        guard reader.isReport else { return nil }
        let recipients = reader.groups.compactMap(Self.recipient)
        guard !recipients.isEmpty else { throw .incomplete }
        self.recipients = recipients
    }

    /// The status of the first recipient who will never get it.
    var failure: String? { recipients.first { $0.action == "failed" }?.status }

    private static func recipient(_ fields: [String: String]) -> Recipient? {
        guard let action = fields["action"]?.lowercased(), let status = fields["status"]?.split(separator: " ").first,
            isStatus(status)
        else { return nil }
        return Recipient(action: action, status: String(status))
    }

    /// `5.1.1`: a class, a subject, a detail.
    private static func isStatus(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && ["2", "4", "5"].contains(parts[0])
            && parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }
    }

    /// The lines of the message; what is not ASCII stands in no field that matters here.
    private static func lines(_ message: [UInt8]) -> [Substring] {
        String(decoding: message, as: UTF8.self).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    /// Goes through the parts of a message, inner ones too: programs that pass mail on wrap it.
    private struct Reader {
        var isReport = false
        /// The fields of each group of the part `message/delivery-status`, by their names in lower case.
        var groups: [[String: String]] = []
        private var parts = 0

        mutating func read(_ lines: ArraySlice<Substring>, depth: Int) throws(Mistake) {
            parts += 1
            guard depth <= DeliveryReport.depthMax, parts <= DeliveryReport.partsMax else { throw .tooDeep }
            let end = lines.firstIndex { $0.isEmpty } ?? lines.endIndex
            let type = ContentType(Self.fields(lines[..<end])["content-type"] ?? "text/plain")
            let body = end < lines.endIndex ? lines[(end + 1)...] : []
            if type.name == "multipart/report", type.parameters["report-type"]?.lowercased() == "delivery-status" {
                isReport = true
            }
            if type.name == "message/delivery-status" {
                groups += body.split(separator: "").map(Self.fields)
            } else if type.name.hasPrefix("multipart/"), let boundary = type.parameters["boundary"], !boundary.isEmpty {
                for part in Self.parts(of: body, boundary) { try read(part, depth: depth + 1) }
            } else if type.name == "message/rfc822", !isReport {
                // A report that was attached to another mail; what a report itself has attached is the mail that came back.
                try read(body, depth: depth + 1)
            }
        }

        private static func parts(of body: ArraySlice<Substring>, _ boundary: String) -> [ArraySlice<Substring>] {
            var parts: [ArraySlice<Substring>] = []
            var start: Int?
            for index in body.indices {
                let line = body[index]
                guard line.hasPrefix("--\(boundary)") else { continue }
                let rest = line.dropFirst(boundary.count + 2)
                guard rest.allSatisfy({ $0 == " " || $0 == "\t" }) || rest.hasPrefix("--") else { continue }
                if let start { parts.append(body[start..<index]) }
                start = rest.hasPrefix("--") ? nil : index + 1
                if rest.hasPrefix("--") { return parts }
            }
            // A message that is cut off ends with its last part.
            if let start { parts.append(body[start...]) }
            return parts
        }

        /// Fields with lines that go on joined; of a name that occurs twice the first.
        private static func fields(_ lines: ArraySlice<Substring>) -> [String: String] {
            var fields: [(name: String, value: String)] = []
            for line in lines {
                if line.first == " " || line.first == "\t" {
                    if !fields.isEmpty { fields[fields.count - 1].value += " " + trimmed(line) }
                } else if let colon = line.firstIndex(of: ":") {
                    fields.append((line[..<colon].lowercased(), trimmed(line[line.index(after: colon)...])))
                }
            }
            return Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
        }

        private static func trimmed(_ text: Substring) -> String {
            String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
    }

    /// The value of a field `Content-Type` (RFC 2045), without comments.
    private struct ContentType {
        let name: String
        let parameters: [String: String]

        init(_ value: String) {
            let parts = Self.split(value)
            name = (parts.first ?? "").lowercased()
            var parameters: [String: String] = [:]
            for part in parts.dropFirst() {
                guard let equals = part.firstIndex(of: "=") else { continue }
                parameters[part[..<equals].lowercased()] = String(part[part.index(after: equals)...])
            }
            self.parameters = parameters
        }

        /// At semicolons outside of quotation marks, which are left out, and so are blanks outside of them.
        private static func split(_ value: String) -> [String] {
            var parts = [""]
            var isQuoted = false
            for character in value {
                switch character {
                case "\"": isQuoted.toggle()
                case ";" where !isQuoted: parts.append("")
                case " " where !isQuoted, "\t" where !isQuoted: break
                default: parts[parts.count - 1].append(character)
                }
            }
            return parts
        }
    }
}

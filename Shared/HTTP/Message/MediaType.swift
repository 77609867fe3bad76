/// A media type with its parameters, as it stands in `Content-Type`.
public struct MediaType: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    public init(stringLiteral value: String) {
        description = value
    }

    public static let json = MediaType("application/json")
    /// RFC 9457.
    public static let problem = MediaType("application/problem+json")
    public static let csv = MediaType("text/csv; charset=utf-8")
    /// One JSON text per line.
    public static let ndjson = MediaType("application/x-ndjson")
    public static let html = MediaType("text/html; charset=utf-8")
    public static let text = MediaType("text/plain; charset=utf-8")
    public static let form = MediaType("application/x-www-form-urlencoded")
    public static let eventStream = MediaType("text/event-stream")
    public static let octets = MediaType("application/octet-stream")
    /// The text format of Prometheus.
    public static let metrics = MediaType("text/plain; version=0.0.4; charset=utf-8")

    /// Type and subtype in lower case, without parameters.
    public var essence: String {
        let end = description.utf8.firstIndex(of: UInt8(ascii: ";")) ?? description.utf8.endIndex
        var octets = description.utf8[..<end].map(Octets.lowercased)
        while octets.last == Octets.space || octets.last == Octets.tab { octets.removeLast() }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The parameter `charset` in lower case, if there is one.
    public var charset: String? {
        for part in description.lowercased().split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { !" \t\"".contains($0) } }
            if pair.count == 2, pair[0] == "charset" { return pair[1] }
        }
        return nil
    }

    /// The best of `offers` for an `Accept` field (RFC 9110 §12.5.1): the highest quality, then the earliest offer. An
    /// exact type outweighs `type/*`, which outweighs `*/*`. `nil` when nothing fits; without a field, the first offer.
    public static func best(of offers: [MediaType], accept: String?) -> MediaType? {
        guard let accept else { return offers.first }
        let ranges = accept.utf8.split(separator: UInt8(ascii: ",")).prefix(50).map(AcceptRange.init)
        var best: (offer: MediaType, quality: Int)?
        for offer in offers {
            let essence = offer.essence
            let match = ranges.filter { $0.covers(essence) }.max { $0.precision < $1.precision }
            if let quality = match?.quality, quality > (best?.quality ?? 0) { best = (offer, quality) }
        }
        return best?.offer
    }
}

/// One range of an `Accept` field: `text/*;q=0.5`.
private struct AcceptRange {
    var essence: String
    /// Thousandths; 0 is "not acceptable".
    var quality = 1000

    init(_ text: Substring.UTF8View) {
        let parts = text.split(separator: UInt8(ascii: ";"))
            .map {
                String(
                    decoding: $0.filter { $0 != Octets.space && $0 != Octets.tab }.map(Octets.lowercased), as: UTF8.self
                )
            }
        essence = parts.first ?? ""
        for part in parts.dropFirst() where part.hasPrefix("q=") {
            guard let value = Double(part.dropFirst(2)), (0...1).contains(value) else {
                quality = 0
                continue
            }
            quality = Int(value * 1000)
        }
    }

    var precision: Int { essence == "*/*" ? 0 : essence.hasSuffix("/*") ? 1 : 2 }

    func covers(_ type: String) -> Bool {
        switch precision {
        case 0: true
        case 1: type.hasPrefix(essence.dropLast())
        default: type == essence
        }
    }
}

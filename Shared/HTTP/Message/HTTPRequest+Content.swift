public import JSON
public import Telemetry

/// Bodies by their media type: what the client says it sends is checked before anything is read from it.
extension HTTPRequest {
    /// What happens to members of a JSON body that its type does not have.
    public enum UnknownMembers: Sendable {
        /// They are faults: a misspelt member must not be passed over.
        case refused
        /// They are counted and passed over: for senders that are upgraded before this service.
        case counted(Counter)
    }

    /// The buffered body as JSON.
    ///
    /// Throws 415 for another media type, 400 for what is not JSON, and 422 with every fault for JSON of another shape,
    /// control characters in texts (line breaks and tabs are none here) included.
    public func json<T: Decodable>(
        _ type: T.Type = T.self, limits: JSONLimits = JSONLimits(), unknownMembers: UnknownMembers = .refused
    ) throws(Problem) -> T {
        try requireJSON()
        do throws(JSONError) {
            switch unknownMembers {
            case .refused:
                return try JSONDecoder(limits: limits, unknownKeys: .refuse, refusesControlCharacters: true)
                    .decode(T.self, from: bytes)
            case .counted(let counter):
                let decoder = JSONDecoder(limits: limits, refusesControlCharacters: true)
                let (value, unknown) = try decoder.decodeCounting(T.self, from: bytes)
                if unknown > 0 { counter.increment(by: unknown) }
                return value
            }
        } catch { throw Problem(error) }
    }

    /// Throws 415 unless the client says that the body is JSON: for who reads `bytes` with a parser of its own.
    public func requireJSON() throws(Problem) {
        // As nearly everybody writes it.
        let isPlain = head.withValue(of: "content-type") { value in
            value.map { Octets.equal($0, "application/json") } ?? false
        }
        if isPlain { return }
        try requireContent([.json]) {
            $0 == "application/json" || $0.hasPrefix("application/") && $0.hasSuffix("+json")
        }
    }

    /// The buffered body as a form: 415 for another media type, 400 for a malformed one.
    public func form() throws(Problem) -> QueryItems {
        try requireContent([.form]) { $0 == MediaType.form.essence }
        guard let items = bytes.withUnsafeBytes({ QueryItems($0) }) else {
            throw Problem(
                .badRequest, code: "invalid-form", detail: "the form is malformed, or holds a control character")
        }
        return items
    }

    /// The one of these media types that the body is said to be of: 415 for another one.
    public func content(among wanted: [MediaType]) throws(Problem) -> MediaType {
        try requireContent(wanted) { essence in wanted.contains { $0.essence == essence } }
    }

    /// Throws 415 unless the body is of a media type that `fits` takes, in UTF-8. The type.
    @discardableResult private func requireContent(
        _ wanted: [MediaType], _ fits: (String) -> Bool
    ) throws(Problem) -> MediaType {
        let type = MediaType(field("content-type") ?? "")
        let accepted = method == .patch ? "Accept-Patch" : "Accept-Post"
        let all = wanted.map(\.essence).joined(separator: ", ")
        guard fits(type.essence) else {
            throw Problem(
                .unsupportedMediaType, code: "unsupported-media-type",
                detail: "send Content-Type: \(all)", fields: [accepted: all])
        }
        if let charset = type.charset, charset != "utf-8", charset != "us-ascii" {
            throw Problem(
                .unsupportedMediaType, code: "unsupported-media-type", detail: "send UTF-8",
                fields: [accepted: all])
        }
        return type
    }

    /// Throws 415 for a body that is compressed, or coded otherwise than one of these (RFC 9110 §12.5.3). Checked for every
    /// route, before the body is read.
    func requireContent(codedBy codings: Set<String>) throws(Problem) {
        guard head.hasBody, let coding = field("content-encoding")?.lowercased(), coding != "identity",
            !codings.contains(coding)
        else { return }
        throw Problem(
            .unsupportedMediaType, code: "unsupported-media-type",
            detail: "send the body as it is, without Content-Encoding",
            fields: ["Accept-Encoding": "identity"])
    }
}

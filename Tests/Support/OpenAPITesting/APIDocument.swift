public import HTTP
import JSON
import Synchronization

/// A service's OpenAPI 3.1 document, to check requests and answers against (NFR-09). What it finds are sentences, each about one
/// fault; none means that all is as the document says.
public struct APIDocument: Sendable {
    let document: JSONValue
    public let operations: [Operation]
    /// What the service sends to others, by name.
    let webhooks: [String: Operation]

    /// One method of one path.
    public struct Operation: Sendable {
        public let method: HTTPMethod
        /// With parameters in braces: `/runs/{run}`.
        public let path: String
        /// Of the path and of the operation, references followed.
        let parameters: [JSONValue]
        /// References followed.
        let body: JSONValue?
        /// By status, references followed.
        let responses: [(status: String, value: JSONValue)]
        let value: JSONValue
        /// Whether its `security`, or else the document's, asks for something.
        public let needsToken: Bool
        /// Whether its `security` takes something in a cookie.
        public let takesCookie: Bool

        /// `GET /runs/{run}`.
        public var name: String { "\(method) \(path)" }
        /// The media types of its body.
        public var bodyTypes: [String] { body?["content"]?.members.map(\.name) ?? [] }

        /// Whether the description of an answer names `code`.
        public func names(_ code: String) -> Bool {
            responses.contains { $0.value["description"]?.text?.contains("`\(code)`") == true }
        }

        /// Whether it has the parameter `name` in the header.
        public func takesField(_ name: String) -> Bool {
            parameters(in: "header").contains { $0["name"]?.text == name }
        }

        func parameters(in place: String) -> [JSONValue] { parameters.filter { $0["in"]?.text == place } }
    }

    public struct Unreadable: Error, CustomStringConvertible {
        public let description: String
    }

    public init(_ bytes: [UInt8]) throws(Unreadable) {
        guard let document = Self.json(bytes) else { throw Unreadable(description: "the document is not JSON") }
        self.document = document
        func all(in part: String) -> [Operation] {
            (document[part]?.members ?? []).flatMap { path, item in
                item.members.compactMap { Self.operation($0.name, $0.value, of: item, path, in: document) }
            }
        }
        operations = all(in: "paths")
        webhooks = Dictionary(all(in: "webhooks").map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func operation(
        _ method: String, _ value: JSONValue, of item: JSONValue, _ path: String, in document: JSONValue
    ) -> Operation? {
        guard let method = HTTPMethod.allCases.first(where: { "\($0)".lowercased() == method }) else { return nil }
        let parameters = (item["parameters"]?.elements ?? []) + (value["parameters"]?.elements ?? [])
        let security = (value["security"] ?? document["security"])?.elements ?? []
        let schemes = security.flatMap(\.members).map { document["components"]?["securitySchemes"]?[$0.name] }
        return Operation(
            method: method, path: path, parameters: parameters.compactMap(document.resolved),
            body: value["requestBody"].flatMap(document.resolved),
            responses: (value["responses"]?.members ?? []).compactMap { status, response in
                document.resolved(response).map { (status, $0) }
            }, value: value,
            needsToken: !security.isEmpty && !security.contains { $0.members.isEmpty },
            takesCookie: schemes.contains { $0?["in"]?.text == "cookie" })
    }

    /// The operation that a request to `path` is for, and the values of the path's parameters as they stand there; literal
    /// segments win over parameters.
    func match(_ method: HTTPMethod, _ path: String) -> (operation: Operation, values: [String: String])? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var best: (operation: Operation, values: [String: String])?
        for operation in operations where operation.method == method {
            let parts = operation.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == segments.count else { continue }
            var values: [String: String] = [:]
            let fits = zip(parts, segments).allSatisfy { part, segment in
                guard part.hasPrefix("{"), part.hasSuffix("}") else { return part == segment }
                values[String(part.dropFirst().dropLast())] = segment
                return true
            }
            if fits, values.count < best?.values.count ?? .max { best = (operation, values) }
        }
        return best
    }

    /// What is wrong with the document itself.
    public func faults() -> [String] { DocumentAudit.faults(in: self) }

    static func json(_ bytes: [UInt8]) -> JSONValue? {
        let limits = JSONLimits(bytesMax: 64 << 20, valuesMax: 4_000_000)
        return try? JSONDecoder(limits: limits).decode(JSONValue.self, from: bytes)
    }

    // MARK: Read once

    private static let known = Mutex<[[UInt8]: APIDocument]>([:])

    /// The document in `bytes`, which is read once in the process.
    public static func of(_ bytes: [UInt8]) throws(Unreadable) -> APIDocument {
        if let document = known.withLock({ $0[bytes] }) { return document }
        let document = try APIDocument(bytes)
        known.withLock { $0[bytes] = document }
        return document
    }
}

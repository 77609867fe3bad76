public import HTTP
import JSON
import Primitives

extension APIDocument {
    /// A request that the document shows.
    public struct Example: Sendable {
        public let operation: Operation
        /// The path with its parameters, and the query.
        public let target: String
        /// With the content type of the body.
        public let fields: HTTPFields
        public let body: [UInt8]
    }

    /// Requests made of the examples of `operation`: one for each example of its bodies, with the required parameters, and one
    /// more with every parameter that has an example.
    public func examples(of operation: Operation) throws -> [Example] {
        let bodies = try bodies(of: operation)
        var requests = bodies.map { example(of: operation, $0, required: true) }
        let isMore = operation.parameters.contains { $0["required"]?.flag != true && !examples(in: $0).isEmpty }
        if isMore, let first = bodies.first { requests.append(example(of: operation, first, required: false)) }
        return requests
    }

    /// Bodies of requests and answers of success that the document shows no example of.
    public var withoutExample: [String] {
        operations.flatMap { operation -> [String] in
            let answers = operation.responses.filter { $0.status.hasPrefix("2") }
                .map { (place: "\(operation.name) \($0.status)", contents: $0.value["content"]?.members ?? []) }
            let bodies = [(place: operation.name, contents: operation.body?["content"]?.members ?? [])]
            return (bodies + answers).flatMap { place, contents in
                contents.filter { examples(in: $0.value).isEmpty }.map { "\(place) \($0.name) has no example" }
            }
        }
    }

    private func bodies(of operation: Operation) throws -> [(type: String?, bytes: [UInt8])] {
        let bodies = try (operation.body?["content"]?.members ?? []).flatMap { type, content in
            try examples(in: content).map { (type: String?.some(type), bytes: try Self.text(of: $0, as: type)) }
        }
        return bodies.isEmpty ? [(nil, [])] : bodies
    }

    /// As it is sent: a text stands for itself unless the media type is JSON, an object is then a form. What is no text is in the
    /// document as a `data` URL (`externalValue`).
    private static func text(of example: JSONValue, as type: String) throws -> [UInt8] {
        if MediaType(type).isJSON { return try JSONEncoder().encode(example) }
        if let text = example.text {
            let data = text.split(separator: ";base64,", maxSplits: 1)
            guard text.hasPrefix("data:"), data.count == 2 else { return Array(text.utf8) }
            return Base64.standard.decode(data[1]) ?? []
        }
        let fields = example.members.map { "\($0.name)=\(PercentEncoding.encode(plain($0.value) ?? ""))" }
        return Array(fields.joined(separator: "&").utf8)
    }

    /// - Parameter required: whether only the required parameters are given.
    private func example(
        of operation: Operation, _ body: (type: String?, bytes: [UInt8]), required: Bool
    ) -> Example {
        var path = operation.path
        var query: [String] = []
        var fields = HTTPFields()
        if let type = body.type { fields["Content-Type"] = type }
        for parameter in operation.parameters {
            guard let name = parameter["name"]?.text, let text = examples(in: parameter).first.flatMap(Self.plain),
                !required || parameter["required"]?.flag == true
            else { continue }
            switch parameter["in"]?.text {
            case "query": query.append("\(name)=\(PercentEncoding.encode(text))")
            case "header": fields[name] = text
            case "cookie": fields.add("Cookie", "\(name)=\(text)")
            default: path = path.replacing("{\(name)}", with: PercentEncoding.encode(text))
            }
        }
        let target = query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
        return Example(operation: operation, target: target, fields: fields, body: body.bytes)
    }

    /// `example`, `examples`, or those of the schema.
    func examples(in holder: JSONValue) -> [JSONValue] {
        if let example = holder["example"] { return [example] }
        let named = (holder["examples"]?.members ?? []).compactMap { $0.value["value"] ?? $0.value["externalValue"] }
        if !named.isEmpty { return named }
        return holder["schema"].flatMap(document.resolved)?["examples"]?.elements ?? []
    }

    /// As it stands in a parameter or form; `nil` for what has no place there.
    static func plain(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .null, .array, .object: nil
        }
    }
}

import HTTP
import JSON

extension APIDocument {
    /// What is sent of an example with one thing changed, so that it is no longer as the document asks: a parameter or member
    /// left out, of another kind, beyond a limit, or none of the allowed values.
    public func variants(of operation: Operation) throws -> [Example] {
        guard let example = try examples(of: operation).first else { return [] }
        var variants = operation.parameters(in: "query").flatMap { parameter -> [Example] in
            let schema = parameter["schema"] ?? .null
            let standIn = document.resolved(schema)?["type"]?.text == "integer" ? JSONValue.integer(1) : .string("x")
            return self.variants(of: examples(in: parameter).first ?? standIn, schema).compactMap { variant in
                guard let text = Self.plain(variant) else { return nil }
                return self.example(of: operation, like: example, parameter["name"]?.text ?? "", text)
            }
        }
        guard let type = example.fields["Content-Type"], MediaType(type).isJSON,
            let schema = operation.body?["content"]?[type]?["schema"], let value = Self.json(example.body)
        else { return variants }
        variants += try self.variants(of: value, schema).map { variant in
            Example(
                operation: operation, target: example.target, fields: example.fields,
                body: try JSONEncoder().encode(variant))
        }
        return variants
    }

    /// With another value of one query parameter.
    private func example(of operation: Operation, like example: Example, _ name: String, _ text: String) -> Example {
        let parts = example.target.split(separator: "?", maxSplits: 1)
        var query = parts.count == 2 ? parts[1].split(separator: "&").map(String.init) : []
        query.removeAll { $0.hasPrefix("\(name)=") }
        query.append("\(name)=\(PercentEncoding.encode(text))")
        return Example(
            operation: operation, target: "\(parts[0])?\(query.joined(separator: "&"))", fields: example.fields,
            body: example.body)
    }

    private func variants(of value: JSONValue, _ schema: JSONValue) -> [JSONValue] {
        guard let schema = document.resolved(schema) else { return [] }
        func limit(_ keyword: String, _ most: Double) -> Double? {
            schema[keyword]?.double.flatMap { abs($0) <= most ? $0 : nil }
        }
        var variants: [JSONValue] = []
        switch value {
        case .string:
            variants.append(.integer(7))
            if let most = limit("maxLength", 10_000) {
                variants.append(.string(String(repeating: "a", count: Int(most) + 1)))
            }
            if limit("minLength", 10_000) != nil { variants.append(.string("")) }
            if ["enum", "const", "format", "pattern"].contains(where: { schema[$0] != nil }) {
                variants.append(.string("no such thing"))
            }
        case .integer, .number:
            variants.append(.string("no number"))
            if let least = limit("minimum", 1e15) { variants.append(.integer(Int64(least) - 1)) }
            if let most = limit("maximum", 1e15) { variants.append(.integer(Int64(most) + 1)) }
        case .bool, .null: variants.append(.string("no such thing"))
        case .array(let elements):
            variants.append(.object([:]))
            if limit("minItems", 1) != nil { variants.append(.array([])) }
            if schema["uniqueItems"] != nil { variants.append(.array(elements + elements)) }
            if let most = limit("maxItems", 1000), let first = elements.first {
                variants.append(.array(Array(repeating: first, count: Int(most) + 1)))
            }
            if let items = schema["items"], let first = elements.first {
                variants += self.variants(of: first, items).map { .array([$0] + elements.dropFirst()) }
            }
        case .object(let object):
            variants.append(.array([]))
            var more = object
            more["misspelt"] = .bool(true)
            variants.append(.object(more))
            for member in object.members {
                var changed = object
                changed[member.key] = nil
                variants.append(.object(changed))
                guard let part = schema["properties"]?[member.key] else { continue }
                for variant in self.variants(of: member.value, part) {
                    changed = object
                    changed[member.key] = variant
                    variants.append(.object(changed))
                }
            }
        }
        return variants
    }
}

import JSON

/// Writes one page: templates, the words of its language, and its values.
struct TemplateRenderer {
    private static let depthMax = 32

    let templates: [String: Template]
    let words: Words
    let format: ReadableFormat
    private var scopes: [JSONValue]
    private var output: [UInt8] = []

    init(_ templates: [String: Template], _ words: Words, _ format: ReadableFormat, _ values: JSONObject) {
        self.templates = templates
        self.words = words
        self.format = format
        scopes = [.object(values)]
        output.reserveCapacity(16 << 10)
    }

    /// The page that begins with the template `name`.
    mutating func render(_ name: String) throws(TemplateError) -> [UInt8] {
        try partial(name)
        return output
    }

    private mutating func partial(_ name: String) throws(TemplateError) {
        guard let template = templates[name] else { throw TemplateError(description: "there is no template \(name)") }
        try write(template.nodes)
    }

    private mutating func write(_ nodes: [Template.Node]) throws(TemplateError) {
        guard scopes.count < Self.depthMax else { throw TemplateError(description: "values are nested too deep") }
        for node in nodes {
            switch node {
            case .text(let text): output.append(contentsOf: text.utf8)
            case .value(let path, let filter): try write(path, filter)
            case .partial("content"):
                guard case .string(let name) = value(["content"]) else {
                    throw TemplateError(description: "the layout has no content")
                }
                try partial(name)
            case .partial(let name): try partial(name)
            case .section(let path, let isInverted, let nodes): try section(value(path), isInverted, nodes)
            }
        }
    }

    private mutating func section(
        _ value: JSONValue, _ isInverted: Bool, _ nodes: [Template.Node]
    ) throws(TemplateError) {
        let elements: [JSONValue] =
            switch value {
            case .null, .bool(false), .string(""): []
            case .array(let elements): elements
            default: [value]
            }
        guard !isInverted else { return elements.isEmpty ? try write(nodes) : () }
        for element in elements {
            scopes.append(element)
            defer { scopes.removeLast() }
            try write(nodes)
        }
    }

    private mutating func write(_ path: [String], _ filter: String?) throws(TemplateError) {
        if path.first == "t" {
            let key = path.dropFirst().joined(separator: ".")
            guard let word = words[key] else { throw TemplateError(description: "there is no word “\(key)”") }
            return try write(word)
        }
        let value = value(path)
        if let filter {
            if value == .null { return }
            // A name that the value stands for: `{{state|t.runs.state}}`.
            if filter.hasPrefix("t.") {
                guard case .string(let member) = value, let word = words["\(filter.dropFirst(2)).\(member)"] else {
                    throw TemplateError(description: "there is no word for \(value) in \(filter)")
                }
                return try write(word)
            }
            return HTMLText.append(try format.readable(value, filter), to: &output)
        }
        switch value {
        case .null: break
        case .string(let text): HTMLText.append(text, to: &output)
        case .integer(let number): HTMLText.append("\(number)", to: &output)
        case .number(let number): HTMLText.append(format.number(number, decimals: 2), to: &output)
        case .bool(let flag): HTMLText.append("\(flag)", to: &output)
        case .array, .object:
            throw TemplateError(description: "\(path.joined(separator: ".")) is not a value that can be written")
        }
    }

    /// Writes a word; `{name}` and `{name|filter}` in it stand for values.
    private mutating func write(_ word: Words.Word) throws(TemplateError) {
        for part in word.parts {
            switch part {
            case .text(let text): HTMLText.append(text, to: &output)
            case .value(let path, let filter): try write(path, filter)
            }
        }
    }

    private func value(_ path: [String]) -> JSONValue {
        guard let first = path.first else { return scopes.last ?? .null }
        for scope in scopes.reversed() {
            guard var found = scope[first] else { continue }
            for name in path.dropFirst() { found = found[name] ?? .null }
            return found
        }
        return .null
    }
}

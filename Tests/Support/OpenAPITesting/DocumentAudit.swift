import HTTP
import JSON

/// Looks through a document for what would go unchecked, or tells its reader nothing: unknown keywords, references and patterns
/// that lead nowhere, schemas that say nothing, examples that are not of their schema, texts and lists of requests without a
/// limit, bodies and needed parameters without an example, operations without words.
struct DocumentAudit {
    private static let annotations: Set = ["description", "title", "default", "examples"]
    private static let holders: [String: Set<String>] = [
        "operation": [
            "operationId", "summary", "description", "tags", "parameters", "requestBody", "responses", "security",
        ],
        "parameter": ["name", "in", "required", "description", "schema", "example", "examples"],
        "body": ["description", "required", "content"],
        "response": ["description", "headers", "content"],
        "header": ["description", "required", "schema", "example"],
        "content": ["schema", "example", "examples", "x-events"],
    ]

    private let document: JSONValue
    private var faults: [String] = []

    private init(document: JSONValue) { self.document = document }

    static func faults(in document: APIDocument) -> [String] {
        var audit = DocumentAudit(document: document.document)
        for (name, schema) in document.document["components"]?["schemas"]?.members ?? [] {
            audit.check(schema: schema, at: name)
        }
        audit.checkNames(of: document.operations + document.webhooks.values)
        for operation in document.operations { audit.check(operation, of: document, isSent: true) }
        for webhook in document.webhooks.values { audit.check(webhook, of: document, isSent: false) }
        return audit.faults
    }

    // MARK: Operations

    private mutating func checkNames(of operations: [APIDocument.Operation]) {
        var known: Set<String> = []
        for operation in operations {
            guard let name = operation.value["operationId"]?.text, known.insert(name).inserted else {
                faults.append("\(operation.name) has no `operationId` of its own")
                continue
            }
        }
    }

    /// `isSent`: by clients to the service, not the other way.
    private mutating func check(_ operation: APIDocument.Operation, of document: APIDocument, isSent: Bool) {
        checkKeywords(operation.value, as: "operation", at: operation.name)
        if operation.value["summary"]?.text == nil { faults.append("\(operation.name) has no summary") }
        for parameter in operation.parameters {
            let place = "\(operation.name) \(parameter["name"]?.text ?? "")"
            checkKeywords(parameter, as: "parameter", at: place)
            checkHolder(parameter, at: place, examples: document.examples(in: parameter), isSent: isSent)
            if parameter["required"]?.flag == true, document.examples(in: parameter).isEmpty {
                faults.append("\(place) has no example")
            }
        }
        if let body = operation.body { checkKeywords(body, as: "body", at: operation.name) }
        for (type, content) in operation.body?["content"]?.members ?? [] {
            let place = "\(operation.name) \(type)"
            checkKeywords(content, as: "content", at: place)
            // The length of other bodies is the route's business.
            let hasMembers = isSent && (MediaType(type).isJSON || MediaType(type) == .form)
            checkHolder(content, at: place, examples: document.examples(in: content), isSent: hasMembers)
            if document.examples(in: content).isEmpty { faults.append("\(place) has no example") }
        }
        for (status, response) in operation.responses {
            let place = "\(operation.name) \(status)"
            checkKeywords(response, as: "response", at: place)
            for (name, header) in response["headers"]?.members ?? [] {
                checkKeywords(self.document.resolved(header) ?? .null, as: "header", at: "\(place) \(name)")
                checkHolder(self.document.resolved(header) ?? .null, at: "\(place) \(name)", examples: [])
            }
            for (type, content) in response["content"]?.members ?? [] {
                checkKeywords(content, as: "content", at: "\(place) \(type)")
                checkHolder(content, at: "\(place) \(type)", examples: document.examples(in: content))
            }
        }
    }

    private mutating func checkKeywords(_ value: JSONValue, as kind: String, at place: String) {
        for (keyword, _) in value.members where Self.holders[kind]?.contains(keyword) != true {
            faults.append("\(place): \(keyword) is no part of an OpenAPI \(kind), or is not checked")
        }
    }

    /// Of something with a schema.
    private mutating func checkHolder(
        _ holder: JSONValue, at place: String, examples: [JSONValue], isSent: Bool = false
    ) {
        guard let schema = holder["schema"] else {
            faults.append("\(place) has no schema")
            return
        }
        check(schema: schema, at: place)
        for (name, data) in holder["x-events"]?.members ?? [] { check(schema: data, at: "\(place) \(name)") }
        if isSent { checkLimits(of: schema, at: place, depth: 0) }
        for example in examples {
            faults += SchemaCheck.faults(of: example, schema, in: document, at: "\(place)'s example")
        }
    }

    // MARK: Schemas

    private mutating func check(schema: JSONValue, at place: String) {
        if schema.flag != nil { return }
        let keywords = Set(schema.members.map(\.name))
        if keywords.isDisjoint(with: SchemaCheck.assertions) { faults.append("\(place): the schema says nothing") }
        if document.resolved(schema) == nil { faults.append("\(place) refers to nothing") }
        if keywords.contains("$ref"), keywords.intersection(SchemaCheck.assertions).count > 1 {
            faults.append("\(place): what stands beside $ref is not checked; write allOf")
        }
        for (keyword, value) in schema.members {
            switch keyword {
            case "properties":
                for (name, member) in value.members { check(schema: member, at: "\(place).\(name)") }
            case "items", "additionalProperties": check(schema: value, at: "\(place)/\(keyword)")
            case "allOf", "anyOf", "oneOf", "prefixItems":
                for part in value.elements { check(schema: part, at: "\(place)/\(keyword)") }
            case "required":
                let names = document.memberNames(of: schema)
                for name in value.elements.compactMap(\.text) where schema["properties"] != nil && !names.contains(name)
                {
                    faults.append("\(place).\(name) is required and not described")
                }
            case "format":
                if value.text.flatMap(TextFormat.init) == nil {
                    faults.append("\(place): the format \(value.text ?? "") is not checked")
                }
            case "pattern":
                if (try? Regex(value.text ?? "")) == nil { faults.append("\(place): the pattern cannot be read") }
            case "examples":
                for example in value.elements {
                    faults += SchemaCheck.faults(of: example, schema, in: document, at: "\(place)'s example")
                }
            case "default": faults += SchemaCheck.faults(of: value, schema, in: document, at: "\(place)'s default")
            case _ where SchemaCheck.assertions.contains(keyword) || Self.annotations.contains(keyword): break
            default: faults.append("\(place): the keyword \(keyword) is not checked")
            }
        }
        let kinds = schema["type"].map { $0.text.map { [$0] } ?? $0.elements.compactMap(\.text) } ?? []
        if kinds.contains("array"), schema["items"] == nil { faults.append("\(place): its elements are not described") }
    }

    /// Whether a pattern repeats nothing without end, once escapes and sets are left out.
    private func isBounded(_ pattern: String?) -> Bool {
        guard let bare = pattern?.replacing(/\\.|\[[^\]]*\]/, with: "x") else { return false }
        return bare.firstMatch(of: /[*+]|,\}/) == nil
    }

    /// Texts and lists that clients send have a limit.
    private mutating func checkLimits(of schema: JSONValue, at place: String, depth: Int) {
        guard depth < 16, let schema = document.resolved(schema) else { return }
        let kinds = schema["type"].map { $0.text.map { [$0] } ?? $0.elements.compactMap(\.text) } ?? []
        func says(_ keywords: String...) -> Bool { keywords.contains { schema[$0] != nil } }
        if kinds.contains("string"), !says("maxLength", "enum", "const", "format"), !isBounded(schema["pattern"]?.text)
        {
            faults.append("\(place) is sent by clients and has no `maxLength`")
        }
        if kinds.contains("array"), !says("maxItems") {
            faults.append("\(place) is sent by clients and has no `maxItems`")
        }
        for (name, member) in schema["properties"]?.members ?? [] {
            checkLimits(of: member, at: "\(place).\(name)", depth: depth + 1)
        }
        for keyword in ["items", "additionalProperties"] {
            if let part = schema[keyword] { checkLimits(of: part, at: "\(place)/\(keyword)", depth: depth + 1) }
        }
        for keyword in ["allOf", "anyOf", "oneOf", "prefixItems"] {
            for part in schema[keyword]?.elements ?? [] {
                checkLimits(of: part, at: "\(place)/\(keyword)", depth: depth + 1)
            }
        }
    }
}

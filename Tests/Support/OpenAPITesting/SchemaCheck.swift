import JSON

/// Checks values against the schemas of a document: the part of JSON Schema 2020-12 that our documents use, with one difference.
/// Objects are closed: a member that a schema does not name is a fault, unless `additionalProperties` allows it. Keywords that are
/// not checked here are faults of the document (`DocumentAudit`), so that nothing in it goes unchecked.
struct SchemaCheck {
    static let assertions: Set = [
        "$ref", "type", "enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "maximum",
        "exclusiveMinimum", "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "properties", "required",
        "additionalProperties", "minProperties", "maxProperties", "allOf", "anyOf", "oneOf",
    ]

    let document: JSONValue
    private(set) var faults: [String] = []

    private init(document: JSONValue) { self.document = document }

    /// What is wrong with `value`, which is found at `place`.
    static func faults(
        of value: JSONValue, _ schema: JSONValue, in document: JSONValue, at place: String
    ) -> [String] {
        var check = SchemaCheck(document: document)
        check.check(value, schema, at: place, closes: true)
        return check.faults
    }

    /// `closes` is false for a part of a schema that names only some of an object's members.
    private mutating func check(_ value: JSONValue, _ schema: JSONValue, at place: String, closes: Bool) {
        if let allowed = schema.flag {
            if !allowed { faults.append("\(place) must not be there") }
            return
        }
        guard let schema = document.resolved(schema) else {
            faults.append("\(place): the schema refers to nothing")
            return
        }
        checkKind(value, schema, at: place)
        checkChoice(value, schema, at: place, closes: closes)
        switch value {
        case .string(let text): checkText(text, schema, at: place)
        case .integer, .number: checkNumber(value.double ?? .nan, schema, at: place)
        case .array(let elements): checkArray(elements, schema, at: place)
        case .object: checkObject(value, schema, at: place, closes: closes)
        case .null, .bool: break
        }
    }

    private mutating func checkKind(_ value: JSONValue, _ schema: JSONValue, at place: String) {
        if let type = schema["type"] {
            let names = type.text.map { [$0] } ?? type.elements.compactMap(\.text)
            if !names.contains(where: { Self.isOf(kind: $0, value) }) {
                faults.append("\(place) is not \(names.joined(separator: " or ")): \(Self.shown(value))")
            }
        }
        if let allowed = schema["enum"], !allowed.elements.contains(value) {
            faults.append("\(place) is none of the values of `enum`: \(Self.shown(value))")
        }
        if let only = schema["const"], only != value {
            faults.append("\(place) is not \(Self.shown(only)): \(Self.shown(value))")
        }
    }

    private static func isOf(kind: String, _ value: JSONValue) -> Bool {
        switch (kind, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("integer", .integer), ("number", .integer), ("number", .number):
            true
        // As JSON Schema has it, 1.0 is an integer.
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }

    private static func shown(_ value: JSONValue) -> String {
        String(decoding: ((try? JSONEncoder().encode(value)) ?? []).prefix(100), as: UTF8.self)
    }

    // MARK: Choices

    private mutating func checkChoice(_ value: JSONValue, _ schema: JSONValue, at place: String, closes: Bool) {
        for part in schema["allOf"]?.elements ?? [] { check(value, part, at: place, closes: false) }
        // Beside members of its own a schema's choices name only the rest of them.
        let closes = closes && schema["properties"] == nil && schema["allOf"] == nil
        for (keyword, most) in [("anyOf", Int.max), ("oneOf", 1)] {
            guard let parts = schema[keyword]?.elements else { continue }
            let outcomes = parts.map { part in
                var check = SchemaCheck(document: document)
                check.check(value, part, at: "it", closes: closes)
                return check.faults
            }
            let count = outcomes.count(where: \.isEmpty)
            if count == 0 {
                let reasons = outcomes.compactMap(\.first).joined(separator: "; ")
                faults.append("\(place) fits nothing of `\(keyword)` (\(reasons))")
            } else if count > most {
                faults.append("\(place) fits \(count) of `\(keyword)`")
            }
        }
    }

    // MARK: Kinds of values

    private mutating func checkText(_ text: String, _ schema: JSONValue, at place: String) {
        let count = Double(text.unicodeScalars.count)
        if let least = schema["minLength"]?.double, count < least { faults.append("\(place) is too short") }
        if let most = schema["maxLength"]?.double, count > most { faults.append("\(place) is too long") }
        if let format = schema["format"]?.text.flatMap(TextFormat.init), !format.accepts(text) {
            faults.append("\(place) is not a \(format.rawValue): \(text)")
        }
        if let pattern = schema["pattern"]?.text, let regex = try? Regex(pattern),
            (try? regex.firstMatch(in: text)) == nil
        {
            faults.append("\(place) does not match \(pattern): \(text)")
        }
    }

    private mutating func checkNumber(_ number: Double, _ schema: JSONValue, at place: String) {
        if let least = schema["minimum"]?.double, number < least { faults.append("\(place) is below \(least)") }
        if let most = schema["maximum"]?.double, number > most { faults.append("\(place) is above \(most)") }
        if let least = schema["exclusiveMinimum"]?.double, number <= least {
            faults.append("\(place) is not above \(least)")
        }
    }

    private mutating func checkArray(_ elements: [JSONValue], _ schema: JSONValue, at place: String) {
        if let least = schema["minItems"]?.double, Double(elements.count) < least {
            faults.append("\(place) has too few elements")
        }
        if let most = schema["maxItems"]?.double, Double(elements.count) > most {
            faults.append("\(place) has too many elements")
        }
        if schema["uniqueItems"]?.flag == true, Set(elements).count < elements.count {
            faults.append("\(place) has an element twice")
        }
        let first = schema["prefixItems"]?.elements ?? []
        for (index, element) in elements.enumerated() {
            let part = index < first.count ? first[index] : schema["items"]
            if let part { check(element, part, at: "\(place)[\(index)]", closes: true) }
        }
    }

    private mutating func checkObject(_ object: JSONValue, _ schema: JSONValue, at place: String, closes: Bool) {
        for name in schema["required"]?.elements.compactMap(\.text) ?? [] where object[name] == nil {
            faults.append("\(place).\(name) is missing")
        }
        if let least = schema["minProperties"]?.double, Double(object.members.count) < least {
            faults.append("\(place) has too few members")
        }
        if let most = schema["maxProperties"]?.double, Double(object.members.count) > most {
            faults.append("\(place) has too many members")
        }
        for (name, value) in object.members {
            if let member = schema["properties"]?[name] ?? schema["additionalProperties"] {
                check(value, member, at: "\(place).\(name)", closes: true)
            }
        }
        // What allows any kind of value allows any object.
        let isAnything = schema["type"] == nil && schema["properties"] == nil && schema["allOf"] == nil
        guard closes, !isAnything, schema["additionalProperties"] == nil else { return }
        let known = document.memberNames(of: schema)
        for (name, _) in object.members where !known.contains(name) {
            faults.append("\(place).\(name) is not documented")
        }
    }
}

extension JSONValue {
    /// The members that a schema of this document and the parts of its choices name.
    func memberNames(of schema: JSONValue) -> Set<String> {
        guard let schema = resolved(schema) else { return [] }
        var names = Set((schema["properties"]?.members ?? []).map(\.name))
        for keyword in ["allOf", "anyOf", "oneOf"] {
            for part in schema[keyword]?.elements ?? [] { names.formUnion(memberNames(of: part)) }
        }
        return names
    }
}

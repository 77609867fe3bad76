/// HTML with places for values, written as in Mustache (mustache.github.io): `{{name}}` a value, escaped;
/// `{{name|filter}}` a value as people read it; `{{#name}}…{{/name}}` for each element, or where there is one;
/// `{{^name}}…{{/name}}` where there is none; `{{>name}}` another template; `{{.}}` the element itself. Nothing is ever
/// written without being escaped, so what people have typed cannot become HTML.
///
/// A name is a path through objects, `run.place`; its first part is looked for from the innermost section outwards.
/// Absent values are empty, as in Mustache; words (`t.…`) have to exist, which `Site` checks when it is made.
public struct Template: Sendable {
    indirect enum Node: Sendable, Equatable {
        case text(String)
        case value(path: [String], filter: String?)
        case section(path: [String], isInverted: Bool, [Node])
        case partial(String)
    }

    let nodes: [Node]

    /// Errors: a tag that is not closed, or closes another one.
    public init(_ text: String) throws(TemplateError) {
        var parser = TemplateParser(text)
        nodes = try parser.nodes(until: nil)
    }

    /// The paths of all values and sections, and the names of all partials, for checking that they exist.
    func forEach(_ visit: (Node) -> Void) { Self.forEach(nodes, visit) }

    private static func forEach(_ nodes: [Node], _ visit: (Node) -> Void) {
        for node in nodes {
            visit(node)
            if case .section(_, _, let inner) = node { forEach(inner, visit) }
        }
    }
}

/// Why a template, or the words of a page, cannot be used.
public struct TemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String
}

/// Reads a template once, from its beginning to its end.
private struct TemplateParser {
    private static let depthMax = 32
    private var rest: Substring
    private var depth = 0

    init(_ text: String) { rest = text[...] }

    mutating func nodes(until name: String?) throws(TemplateError) -> [Template.Node] {
        guard depth < Self.depthMax else { throw TemplateError(description: "sections are nested too deep") }
        depth += 1
        defer { depth -= 1 }
        var nodes: [Template.Node] = []
        while let open = rest.firstRange(of: "{{") {
            if open.lowerBound > rest.startIndex { nodes.append(.text(String(rest[..<open.lowerBound]))) }
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
                throw TemplateError(description: "a tag is not closed: \(rest[open.lowerBound...].prefix(40))")
            }
            let tag = rest[open.upperBound..<close.lowerBound]
            rest = rest[close.upperBound...]
            switch tag.first {
            case "#", "^":
                let path = String(tag.dropFirst())
                nodes.append(
                    .section(path: Self.path(path[...]), isInverted: tag.first == "^", try self.nodes(until: path)))
            case "/":
                guard String(tag.dropFirst()) == name else {
                    throw TemplateError(description: "{{\(tag)}} closes no section")
                }
                return nodes
            case ">": nodes.append(.partial(String(tag.dropFirst())))
            default:
                let parts = tag.split(separator: "|", maxSplits: 1)
                guard let path = parts.first else { throw TemplateError(description: "a tag is empty") }
                nodes.append(.value(path: Self.path(path), filter: parts.count > 1 ? String(parts[1]) : nil))
            }
        }
        guard name == nil else { throw TemplateError(description: "{{#\(name ?? "")}} is not closed") }
        if !rest.isEmpty { nodes.append(.text(String(rest))) }
        rest = ""
        return nodes
    }

    private static func path(_ text: Substring) -> [String] {
        text == "." ? [] : text.split(separator: ".").map(String.init)
    }
}

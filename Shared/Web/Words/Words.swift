public import Domain
import JSON

/// What pages say in one language: sentences by key. The same file serves the scripts of a page.
public struct Words: Sendable {
    struct Word: Sendable, Equatable {
        enum Part: Sendable, Equatable {
            case text(String)
            case value(path: [String], filter: String?)
        }
        let parts: [Part]

        /// Errors: a brace without its other half.
        init(_ text: String) throws(TemplateError) {
            var parts: [Part] = []
            var rest = text[...]
            while let open = rest.firstIndex(of: "{") {
                guard let close = rest[open...].firstIndex(of: "}") else {
                    throw TemplateError(description: "a brace is not closed: \(text)")
                }
                if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
                let tag = rest[rest.index(after: open)..<close].split(separator: "|", maxSplits: 1)
                guard let path = tag.first else { throw TemplateError(description: "braces are empty: \(text)") }
                parts.append(
                    .value(
                        path: path.split(separator: ".").map(String.init), filter: tag.count > 1 ? String(tag[1]) : nil)
                )
                rest = rest[rest.index(after: close)...]
            }
            if !rest.isEmpty { parts.append(.text(String(rest))) }
            self.parts = parts
        }
    }

    /// By key: the names of nested objects with points between them.
    private(set) var all: [String: Word] = [:]

    public init() {}

    /// Those that all services share: names of data types, units and the like.
    public static func shared(_ language: Language) throws(TemplateError) -> Words {
        var words = Words()
        if let json = SharedPages.words[language] { try words.add(json) }
        return words
    }

    /// Adds a catalogue: JSON objects whose leaves are strings. Errors: it is something else, or holds a key twice.
    mutating func add(_ json: [UInt8]) throws(TemplateError) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONDecoder().decode(JSONValue.self, from: json) } catch {
            throw TemplateError(description: "the words cannot be read: \(error)")
        }
        try add(value, "")
    }

    private mutating func add(_ value: JSONValue, _ key: String) throws(TemplateError) {
        switch value {
        case .string(let text):
            guard all.updateValue(try Word(text), forKey: key) == nil else {
                throw TemplateError(description: "the word “\(key)” is there twice")
            }
        case .object(let object):
            for member in object.members { try add(member.value, key.isEmpty ? member.key : "\(key).\(member.key)") }
        default: throw TemplateError(description: "“\(key)” is not a sentence")
        }
    }

    public var keys: Set<String> { Set(all.keys) }

    subscript(key: String) -> Word? { all[key] }

    /// The text of a word that has no values, or what stands around them.
    public func text(_ key: String) -> String? {
        all[key]?.parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
    }
}

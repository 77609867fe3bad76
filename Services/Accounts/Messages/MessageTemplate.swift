import Contracts
import Domain

/// A text that people get, in every language, with places to fill in (ACC-17): `{name}` for a value that TrackMe has made,
/// `{name|kind}` for one that `MessageFormat` writes as the reader does, and `“{name}”` or `«{name}»` for somebody else's
/// words, which `QuotedWords` keeps inside the quotation marks.
struct MessageTemplate: Sendable {
    struct Text: Sendable {
        let subject: String
        let body: String

        init(_ subject: String, _ body: String) {
            self.subject = subject
            self.body = body
        }
    }

    let name: String
    /// Its mail is sent before all that is not urgent, as in an emergency.
    let isUrgent: Bool
    /// What browsers are told of it; `nil` when it can wait.
    let push: PushKind?
    /// Names of the places that need a value: all but those of terms, which an older caller does not give.
    let places: Set<String>
    private let italian: Text
    private let english: Text

    /// Both texts must have the same places.
    init(_ name: String, isUrgent: Bool = false, push: PushKind? = nil, italian: Text, english: Text) {
        self.name = name
        self.isUrgent = isUrgent
        self.push = push
        self.italian = italian
        self.english = english
        places = Self.places(in: italian)
        precondition(places == Self.places(in: english), "\(name) has other places in Italian than in English")
    }

    /// Refuses values that are missing or too long. Values without a place are ignored, so that a caller may be newer.
    func check(_ values: [String: String]) throws(Refusal) {
        let (valuesMax, bytesMax) = (Accounts.Notify.valuesMax, Accounts.Notify.valueBytesMax)
        guard values.count <= valuesMax, values.values.allSatisfy({ $0.utf8.count <= bytesMax }) else {
            throw .invalid("/values", "At most \(valuesMax) values of \(bytesMax) bytes fit.")
        }
        for place in places.sorted() where values[place] == nil {
            throw .invalid("/values/\(place)", "The message \(name) needs the value \(place).")
        }
    }

    /// Subject and text as their reader reads. A subject is one line, whatever the values.
    func filled(_ values: [String: String], in format: MessageFormat) -> Text {
        let text = format.language == .italian ? italian : english
        let subject = Self.fill(text.subject, values, format).unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        return Text(String(subject), Self.fill(text.body, values, format))
    }

    private static func fill(_ text: String, _ values: [String: String], _ format: MessageFormat) -> String {
        var filled = ""
        for part in parts(of: text) {
            switch part {
            case .text(let text): filled += text
            case .place(let name, let kind):
                var value = values[name] ?? ""
                if kind == .terms {
                    value = format.terms(values)
                } else if let kind {
                    value = format.text(value, as: kind)
                }
                filled += filled.last == "“" || filled.last == "«" ? QuotedWords.text(value) : value
            }
        }
        return filled
    }

    private enum Part {
        case text(Substring)
        case place(String, MessageFormat.Kind?)
    }

    private static func places(in text: Text) -> Set<String> {
        Set(
            (parts(of: text.subject) + parts(of: text.body)).compactMap { part in
                if case .place(let name, let kind) = part, kind != .terms { name } else { nil }
            })
    }

    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            parts.append(.text(rest[..<open]))
            let place = rest[rest.index(after: open)..<close].split(separator: "|", maxSplits: 1).map(String.init)
            let kind = place.dropFirst().first.map { text in
                guard let kind = MessageFormat.Kind(rawValue: text) else {
                    preconditionFailure("no way to write “\(text)”")
                }
                return kind
            }
            parts.append(.place(place.first ?? "", kind))
            rest = rest[rest.index(after: close)...]
        }
        return parts + [.text(rest)]
    }
}

/// Values that take the place of what could not be read while further faults of a text are looked for. No caller ever gets
/// one: a text with a fault is refused as a whole. What was found for a type, or not found, is kept for the text, so that
/// many faults cost little more than one.
final class StandIns {
    /// Texts of the forms that our types are written in; the first that a type can be read from is taken.
    private static let texts = [
        "{}", "[]", "\"\"", "0", "false", "\"00000000-0000-0000-0000-000000000000\"", "\"2000-01-01\"",
        "\"2000-01-01T00:00:00Z\"", "\"12:00\"", "\"a@example.org\"", "\"+390612345678\"", "\"RSSMRA85T10A562S\"",
        "\"00743110157\"", "\"H501\"", "\"it\"", "\"x\"", "1",
    ]

    /// `nil` for a type that has none, or whose own is being looked for: a type may refer to itself.
    private var found: [ObjectIdentifier: Any?] = [:]

    /// `nil` when there is none: then the rest of the value that holds this one cannot be judged.
    func value<Value: Decodable>(of type: Value.Type) -> Value? {
        let id = ObjectIdentifier(type)
        if let known = found[id] { return known as? Value }
        found[id] = .some(nil)
        let value = make(type)
        found[id] = .some(value)
        return value
    }

    private func make<Value: Decodable>(_ type: Value.Type) -> Value? {
        if let cases = type as? any CaseIterable.Type { return Self.first(of: cases) as? Value }
        for text in Self.texts {
            let value: Value? = Array(text.utf8).withUnsafeBytes { source in
                guard let tape = try? Parser.parse(source, limits: JSONLimits()) else { return nil }
                tape.faults = FaultCollection(standIns: self)
                return try? tape.decode(type, at: 0)
            }
            if let value { return value }
        }
        return nil
    }

    private static func first<Cases: CaseIterable>(of _: Cases.Type) -> Any? { Cases.allCases.first }
}

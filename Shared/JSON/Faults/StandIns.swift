/// Values that take the place of what could not be read while further faults are looked for. No caller ever gets one: a
/// text with a fault is refused as a whole.
enum StandIn {
    /// Texts of the forms that our types are written in; the first that `Value` can be read from is taken.
    private static let texts = [
        "{}", "[]", "\"\"", "0", "false", "\"00000000-0000-0000-0000-000000000000\"", "\"2000-01-01\"",
        "\"2000-01-01T00:00:00Z\"", "\"12:00\"", "\"a@example.org\"", "\"+390612345678\"", "\"RSSMRA85T10A562S\"",
        "\"00743110157\"", "\"H501\"", "\"it\"", "\"x\"", "1",
    ]

    /// Values within one another that stand-ins are made of: a type may refer to itself.
    private static let depthMax = 4

    /// `nil` when there is none: then the rest of the value that holds this one cannot be judged.
    static func value<Value: Decodable>(of type: Value.Type, depth: Int) -> Value? {
        if let cases = type as? any CaseIterable.Type { return first(of: cases) as? Value }
        guard depth < depthMax else { return nil }
        for text in texts {
            let value: Value? = Array(text.utf8).withUnsafeBytes { source in
                guard let tape = try? Parser.parse(source, limits: JSONLimits()) else { return nil }
                tape.faults = FaultCollection(standInDepth: depth + 1)
                return try? tape.decode(type, at: 0)
            }
            if let value { return value }
        }
        return nil
    }

    private static func first<Cases: CaseIterable>(of _: Cases.Type) -> Any? { Cases.allCases.first }
}

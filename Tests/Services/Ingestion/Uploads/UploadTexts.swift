import SeededRandom

/// JSON texts of uploads, most of them as devices write them, others with something wrong or unusual in them.
struct UploadTexts {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> String {
        var members = [
            #""upload":\#(oddly(number(0...9), ["-1", "1.0", "1e3", "9223372036854775807", "9223372036854775808", "\"1\""]))"#,
            #""sent_at":\#(oddly("\"2026-11-20T10:00:00Z\"", ["\"2026-11-20T12:00:00.25+02:00\"", "\"now\"", "7", "null"]))"#,
            #""series":\#(oddly(list(0...3) { $0.series() }, ["null", "{}", "[null]", "[[]]", "[{}]", "7"]))"#,
        ]
        if isRare() { members.shuffle(using: &random) }
        if isRare() { members.append(oddly(#""battery":0.5"#, [#""upload":3"#, #""up\u006coad":3"#, #""":{}"#])) }
        if isRare() { members.removeLast() }
        let text = "{\(members.joined(separator: isRare() ? " ,\n\t" : ","))}"
        guard isRare() else { return text }
        // Cut off, or with one byte in it that does not belong there.
        let cut = text.prefix(Int.random(in: 0...text.count, using: &random))
        return isRare()
            ? String(cut)
            : cut + [",", "\"", "}", "0", " ", "\u{1}"].randomElement(using: &random)! + text.dropFirst(cut.count)
    }

    private mutating func series() -> String {
        let count = Int.random(in: 0...4, using: &random)
        let isPosition = Int.random(in: 0..<3, using: &random) == 0
        let type = isPosition ? "\"position\"" : oddly("\"heart-rate\"", ["\"steps\"", "\"aura\"", "null", "2"])
        var members = [
            #""type":\#(type)"#,
            #""start":\#(oddly("\"2026-11-20T09:59:00Z\"", ["\"2026-11-20T10:59:00+01:00\"", "\"\"", "null", "1"]))"#,
            #""offsets_ms":\#(column(count) { $0.number(-5...90_000) })"#,
        ]
        if isPosition {
            members.append(#""latitudes":\#(column(count) { $0.decimal(45) })"#)
            members.append(#""longitudes":\#(column(count) { $0.decimal(9) })"#)
            if isRare() { members.append(#""altitudes":\#(column(count) { $0.oddly("120.5", ["null"]) })"#) }
            if isRare() { members.append(#""accuracies":\#(column(count) { $0.oddly("5", ["null"]) })"#) }
        } else {
            members.append(#""values":\#(column(count) { $0.decimal(60) })"#)
            if isRare() { members.append(#""unit":\#(oddly("\"/min\"", ["\"bpm\"", "null", "\"\\/min\"", "1"]))"#) }
            if isRare() { members.append(#""contact":\#(column(count) { $0.oddly("true", ["false", "null"]) })"#) }
            if isRare() { members.append(#""durations_ms":\#(column(count) { $0.number(0...60_000) })"#) }
        }
        if isRare() { members.append(#""zone_offset":\#(oddly("\"+02:00\"", ["\"Z\"", "\"2\"", "null", "120"]))"#) }
        if isRare() { members.append(oddly(#""quality":[1,{"a":2}]"#, [#""type":"steps""#, #""caf\u00e9":1"#])) }
        if isRare() { members.shuffle(using: &random) }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func column(_ count: Int, _ element: (inout UploadTexts) -> String) -> String {
        let length = isRare() ? count + 1 : count
        return oddly(list(length...length, element), ["null", "{}", "0", "[[]]", "[\"1\"]"])
    }

    private mutating func list(_ counts: ClosedRange<Int>, _ element: (inout UploadTexts) -> String) -> String {
        let count = Int.random(in: counts, using: &random)
        return "[\((0..<count).map { _ in element(&self) }.joined(separator: ","))]"
    }

    private mutating func number(_ range: ClosedRange<Int>) -> String {
        oddly(
            String(Int.random(in: range, using: &random)), ["-0", "0.5", "1e2", "01", "99999999999999999999", "null"])
    }

    private mutating func decimal(_ around: Int) -> String {
        oddly(
            "\(around).\(Int.random(in: 0..<1_000_000, using: &random))",
            ["null", "0", "-0.0", "1e-400", "1e400", "1.", ".5", "12345678901234567890.125", "NaN", "true"])
    }

    private mutating func isRare() -> Bool { Int.random(in: 0..<12, using: &random) == 0 }

    private mutating func oddly(_ usual: String, _ odd: [String]) -> String {
        Int.random(in: 0..<40, using: &random) == 0 ? odd.randomElement(using: &random)! : usual
    }
}

import Testing

@testable import Domain

@Suite struct TextLimitsTests {
    private static let line = TextLimits(charactersMax: 10)
    private static let lines = TextLimits(charactersMax: 10, lines: .many)
    private static let family = "👨‍👩‍👧‍👦"

    @Test(
        "People's texts pass as they are",
        arguments: [
            "Èlia", "O'Neill", "S.p.A. & C", "日本語", "שלום", "नमस्ते", "🏃🏽‍♀️", family, "?", "e\u{301}", "a\u{200D}b",
        ])
    func accepted(text: String) {
        #expect(Self.line.fault(in: text) == nil)
        #expect(Self.lines.fault(in: text) == nil)
    }

    @Test("Lengths are counted in code points, as JSON Schema does, and in bytes")
    func lengths() {
        #expect(Self.line.fault(in: String(repeating: "é", count: 10)) == nil)
        #expect(Self.line.fault(in: String(repeating: "é", count: 11)) == .tooManyCharacters(max: 10))
        // One character on the screen, seven code points.
        #expect(Self.line.fault(in: Self.family + Self.family) == .tooManyBytes(max: 40))
        #expect(Self.line.fault(in: Self.family + "aaaa") == .tooManyCharacters(max: 10))
        #expect(TextLimits(charactersMax: 10, bytesMax: 4).fault(in: "日本") == .tooManyBytes(max: 4))
    }

    @Test(
        "What nobody can see is no text",
        arguments: [
            "", " ", "\u{A0}\u{3000}", "\u{200B}", "\u{200D}\u{200C}", "\u{FEFF}", "\u{AD}", "\u{3164}", "\u{115F}",
            "\u{2800}", "\u{301}", "\u{E0041}", "\u{FE0F}", "\u{180E}",
        ])
    func invisible(text: String) {
        #expect(Self.line.fault(in: text) == .nothingVisible)
        #expect(Self.lines.fault(in: text) == .nothingVisible)
    }

    @Test(
        "Control characters are refused", arguments: ["\0", "a\0b", "a\u{1B}[1m", "a\u{7F}", "a\u{9B}", "a\u{8}"])
    func controls(text: String) {
        #expect(Self.line.fault(in: text) == .controlCharacter)
        #expect(Self.lines.fault(in: text) == .controlCharacter)
    }

    @Test(
        "Characters that turn the direction of writing are refused",
        arguments: ["\u{202E}", "a\u{202E}b", "a\u{200F}", "a\u{61C}", "a\u{2066}b\u{2069}", "a\u{206A}"])
    func directions(text: String) {
        #expect(Self.line.fault(in: text) == .directionCharacter)
        #expect(Self.lines.fault(in: text) == .directionCharacter)
    }

    @Test("Line breaks and tabs stand in texts of several lines only, and never those of Unicode")
    func lineBreaks() {
        for text in ["a\nb", "a\r\nb"] {
            #expect(Self.line.fault(in: text) == .lineBreak)
            #expect(Self.lines.fault(in: text) == nil)
        }
        #expect(Self.line.fault(in: "a\tb") == .controlCharacter)
        #expect(Self.lines.fault(in: "a\tb") == nil)
        for text in ["a\u{2028}b", "a\u{2029}b", "a\u{85}b"] {
            #expect(Self.line.fault(in: text) == .lineBreak)
            #expect(Self.lines.fault(in: text) == .controlCharacter)
        }
        #expect(Self.lines.fault(in: "\n\n") == .nothingVisible)
    }

    @Test("A text is shortened between characters, and says so")
    func shortening() {
        #expect(TextLimits.shortened("abcdef", bytesMax: 6) == "abcdef")
        #expect(TextLimits.shortened("abcdefg", bytesMax: 6) == "abc…")
        #expect(TextLimits.shortened("ab" + Self.family, bytesMax: 20) == "ab…")
        #expect(TextLimits.shortened("abc", bytesMax: 2) == "")
    }
}

import JSON
import Testing

/// In the manner of the JSONTestSuite: texts that every parser must accept, and that every parser must refuse.
@Suite struct GrammarTests {
    static let accepted: [String] = [
        "null", "true", "false", "0", "-0", "-1", "1e1", "1E1", "1e+1", "1e-1", "0e1", "0e+1", "1.5", "-0.0",
        "123.456e78",
        "\"\"", "\"a\"", " \t\r\n1 \t\r\n", "[]", "[ ]", "{}", "{ }", "[null]", "[1,2]", "[[],[[]],{}]", "{\"a\":1}",
        "{\"\":0}", "{\"a\":{\"a\":{\"a\":[]}}}", "{\"a\" : [ 1 , 2 ] , \"b\" : null }", "[1\n,2]",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0000\"", "\"\\u00e9\"", "\"\\uD834\\uDd1e\"", "\"\\uDBFF\\uDFFF\"", "\"\u{7f}\"", "\"é€😀\"",
        "\"\u{2028}\"",
        "\"\u{FFFE}\"", "{\"min\": -1.0e+28, \"max\": 1.0e+28}", "[1e-400]", "[123123e100]", "[20e1]", "[\"a\",\"b\"]",
        "100000000000000000000000000000000000000000", "{\"a\":\"b\",\"A\":\"c\"}", "[\"\\\\u0000\"]", "[\" \"]",
    ]

    @Test("valid texts are accepted", arguments: accepted)
    func accepts(text: String) throws {
        try JSONScanner.validate(Array(text.utf8))
        _ = try JSONDecoder().decode(JSONValue.self, from: Array(text.utf8))
    }

    static let refused: [String] = [
        "", " ", "nul", "nulll", "NULL", "True", "tru", "fals", "undefined", "NaN", "-NaN", "Infinity", "-Infinity",
        "'a'",
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1:2]", "[1}", "[\"a\"", "[\"a", "[]]",
        "[][]", "[1]x",
        "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{1:1}", "{a:1}", "{'a':1}",
        "{\"a\" 1}",
        "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{\"a\":1,,\"b\":2}", "{\"a\":1]", "{\"a\":1}}", "{\"a\":1}#",
        "{\"a\":1}/**/", "{\"a\",1}",
        "+1", "01", "-01", "00", "-", "--1", "1.", ".1", "-.1", "1.e1", "1e", "1e+", "1e-", "1E", "1.2.3", "0x10",
        "1_000", "1a",
        "0e", "1eE2", "1 000", "-a", "２", "1e400", "-1e400", "1e999999999999999999999",
        "\"", "\"a", "a\"", "\"\\", "\"\\\"", "\"\\x41\"", "\"\\a\"", "\"\\u\"", "\"\\u12\"", "\"\\u123g\"",
        "\"\\U0041\"", "\"\\ud800\"",
        "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\udc00\\ud800\"", "\"\\ud800\\u\"",
        "\"\\ud800\\", "\"\\u00\n41\"",
        "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1f}\"", "\u{feff}1", "1\u{0}", "\u{0}", "\u{c}1", "\u{a0}1", "1;",
        "[1]\u{0}", "//x\n1",
        "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"\":1,\"\":2}", "[{\"x\":{\"b\":1,\"c\":2,\"b\":3}}]",
    ]

    @Test("invalid texts are refused", arguments: refused)
    func refuses(text: String) {
        #expect { try JSONScanner.validate(Array(text.utf8)) } throws: { ($0 as? JSONError)?.kind == .syntax }
    }

    static let malformed: [[UInt8]] = [
        [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc3], [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf], [0xe2, 0x82],
        [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x8f, 0xbf, 0xbf], [0xf0, 0x9f, 0x98],
        [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xfe], [0xe9], [0xc3, 0x28],
    ]

    @Test("strings that are not UTF-8 are refused, wherever they stand", arguments: malformed)
    func utf8(bytes: [UInt8]) {
        for prefix in 0..<10 {
            let text = [UInt8(ascii: "\"")] + [UInt8](repeating: 0x61, count: prefix) + bytes
            #expect(throws: JSONError.self) { try JSONScanner.validate(text) }
            #expect(throws: JSONError.self) { try JSONScanner.validate(text + [UInt8(ascii: "\"")]) }
            #expect(throws: JSONError.self) { try JSONScanner.validate(text + Array("aaaaaaaaaaaa\"".utf8)) }
        }
    }

    @Test("every prefix of a text is refused, and none reads past its end")
    func prefixes() throws {
        let text = Array(#"{"a":[1,-2.5e3,"x\né😀\uD834\uDD1E",true,false,null],"b":{"c":{}}}"#.utf8)
        try JSONScanner.validate(text)
        for count in 0..<text.count {
            #expect(throws: JSONError.self) { try JSONScanner.validate(Array(text[..<count])) }
        }
    }

    @Test("escapes are read as the characters that they stand for")
    func escapes() throws {
        let text = Array(#"["\"\\\/\b\f\n\r\t","\u00e9\u20AC\uD83D\uDE00","a\u0000b"]"#.utf8)
        let strings = try JSONDecoder().decode([String].self, from: text)
        #expect(strings == ["\"\\/\u{8}\u{c}\n\r\t", "é€😀", "a\0b"])
    }

    @Test("a name that comes twice is found among many, in linear time")
    func duplicates() throws {
        let names = (0..<200_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        try JSONScanner.validate(Array("{\(names)}".utf8))
        #expect(throws: JSONError(kind: .syntax, message: "a member is named k77 twice")) {
            try JSONScanner.validate(Array("{\(names),\"\\u006b77\":1}".utf8))
        }
    }
}

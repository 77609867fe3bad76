import JSON
import Testing

@Suite struct ScannerTests {
    private func slice(_ text: [UInt8], _ value: JSONScanner.Value) -> String {
        String(decoding: text[value.range], as: UTF8.self)
    }

    static let frame = Array(
        #" {"jsonrpc":"2.0", "id" : 7,"method":"accounts.get","params": {"ids":[1, 2,"\n"] } ,"\u0078":"\u0079"} "#.utf8
    )

    @Test("members of the object at the top, with the bytes of their values")
    func members() throws {
        let scanner = try JSONScanner(Self.frame)
        let members = scanner.members()
        #expect(members.map(\.key) == ["jsonrpc", "id", "method", "params", "x"])
        #expect(
            members.map { slice(Self.frame, $0.value) } == [
                "\"2.0\"", "7", "\"accounts.get\"", #"{"ids":[1, 2,"\n"] }"#, #""\u0079""#,
            ])
        #expect(scanner.isObject)
        #expect(scanner.elements().isEmpty)
        #expect(slice(Self.frame, scanner.root).first == "{")
    }

    @Test("members by name, in any order, and decoded without another parse")
    func member() throws {
        let scanner = try JSONScanner(Self.frame)
        let params = try #require(scanner.member("params"))
        #expect(try scanner.decode(String.self, from: #require(scanner.member("method"))) == "accounts.get")
        #expect(try scanner.decode(Int.self, from: #require(scanner.member("id"))) == 7)
        #expect(scanner.member("nothing") == nil)
        #expect(scanner.member("") == nil)
        #expect(
            try scanner.elements(of: #require(scanner.member("ids", of: params))).map { slice(Self.frame, $0) } == [
                "1", "2", #""\n""#,
            ])
        #expect(
            throws: JSONError(kind: .value, path: "$.params.ids[2]", message: "expected an integer, found a string")
        ) {
            try scanner.decode([String: [Int]].self, from: params)
        }
    }

    @Test("elements of an array at the top")
    func elements() throws {
        let text = Array(#"[ {"a":[]} , 2,"]" ]"#.utf8)
        let scanner = try JSONScanner(text[...])
        #expect(scanner.elements().map { slice(text, $0) } == [#"{"a":[]}"#, "2", "\"]\""])
        #expect(scanner.members().isEmpty)
    }

    @Test("a value is skipped, whatever follows it")
    func skip() throws {
        for (text, end) in [("{\"a\":[1,2]}{", 11), (" 12 x", 3), ("\"a]\"]", 4), ("[[]]]", 4), ("true,", 4)] {
            #expect(try Array(text.utf8).withUnsafeBytes { try JSONScanner.endOfValue(in: $0) } == end)
        }
        #expect(throws: JSONError.self) { try Array("[1".utf8).withUnsafeBytes { try JSONScanner.endOfValue(in: $0) } }
    }
}

@Suite struct RawTests {
    struct Envelope: Codable, Equatable {
        var id: Int
        var body: JSONRaw
    }

    @Test("bytes are captured as they are, and copied")
    func verbatim() throws {
        let text = Array(#"{"id":1,"body": {"b":1.10,"a":"\u00e9"} }"#.utf8)
        let envelope = try JSONDecoder().decode(Envelope.self, from: text)
        #expect(String(decoding: envelope.body.bytes, as: UTF8.self) == #"{"b":1.10,"a":"\u00e9"}"#)
        #expect(
            String(decoding: try JSONEncoder().encode(envelope), as: UTF8.self)
                == #"{"id":1,"body":{"b":1.10,"a":"\u00e9"}}"#)
        let escaped = try JSONDecoder().decode([JSONRaw].self, from: Array(#"["\n",2]"#.utf8))
        #expect(escaped.map(\.bytes) == [Array(#""\n""#.utf8), Array("2".utf8)])
    }

    @Test("a text over several lines is written on one, so that it cannot end a frame")
    func lines() throws {
        let raw = try JSONRaw(validating: Array("\n{\r\n\"a\":\n1}\n".utf8))
        #expect(String(decoding: try JSONEncoder().encode([raw]), as: UTF8.self) == "[{  \"a\": 1}]")
        #expect(try JSONDecoder().decode([JSONRaw].self, from: JSONEncoder().encode([raw])) == [raw])
    }

    @Test("arrays are joined to one, whatever is in them; nothing else is")
    func joining() throws {
        func joined(_ texts: String...) throws -> String? {
            let arrays = try texts.map { try JSONRaw(validating: Array($0.utf8)) }
            return JSONRaw(joining: arrays).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        #expect(try joined() == "[]")
        #expect(try joined("[]", " [ ] ", "[\n]") == "[]")
        #expect(try joined("[1,[2]]", "[]", "[{\"a\":\"]\"}]") == "[1,[2],{\"a\":\"]\"}]")
        #expect(try joined("[1]", "{}") == nil)
        #expect(try joined("1") == nil)
    }

    @Test("what is not JSON cannot become raw")
    func invalid() {
        #expect(throws: JSONError.self) { try JSONRaw(validating: Array("{} {}".utf8)) }
        #expect(throws: JSONError.self) { try JSONRaw(validating: Array("\"\\ud800\"".utf8)) }
    }
}

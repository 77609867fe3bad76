import JSON
import Testing

@Suite struct LimitTests {
    private func kind(_ text: String, _ limits: JSONLimits = JSONLimits()) -> JSONError.Kind? {
        do {
            try JSONScanner.validate(Array(text.utf8), limits: limits)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test("depth: as deep as the limit, and no deeper")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(kind(nested(32)) == nil)
        #expect(kind(nested(33)) == .limit)
        #expect(kind(String(repeating: "{\"a\":", count: 33)) == .limit)
        #expect(kind(nested(3), JSONLimits(depthMax: 2)) == .limit)
        #expect(kind("[[],[],[[]]]", JSONLimits(depthMax: 3)) == nil)
    }

    @Test("a million opening brackets are refused at once, whatever depth is asked for")
    func bomb() {
        #expect(kind(String(repeating: "[", count: 1_000_000), JSONLimits(depthMax: .max)) == .limit)
        #expect(kind(String(repeating: "{\"a\":", count: 1_000_000), JSONLimits(depthMax: .max)) == .limit)
    }

    @Test("bytes, values and lengths of strings")
    func sizes() {
        #expect(kind("[1,2]", JSONLimits(bytesMax: 5)) == nil)
        #expect(kind("[1,2] ", JSONLimits(bytesMax: 5)) == .limit)
        #expect(kind("[1,2]", JSONLimits(valuesMax: 3)) == nil)
        #expect(kind("[1,2,3]", JSONLimits(valuesMax: 3)) == .limit)
        #expect(kind("{\"abc\":\"abc\"}", JSONLimits(stringBytesMax: 3)) == nil)
        #expect(kind("{\"abcd\":1}", JSONLimits(stringBytesMax: 3)) == .limit)
        #expect(kind("[\"abcd\"]", JSONLimits(stringBytesMax: 3)) == .limit)
        #expect(kind("[12345]", JSONLimits(stringBytesMax: 3)) == .limit)
    }

    @Test("the message says which limit")
    func message() {
        #expect(throws: JSONError(kind: .limit, message: "the text has more than 3 values")) {
            try JSONScanner.validate(Array("[1,2,3]".utf8), limits: JSONLimits(valuesMax: 3))
        }
    }

    @Test("encoding is limited in depth as well")
    func encodingDepth() {
        var value = JSONValue.null
        for _ in 0..<300 { value = .array([value]) }
        #expect { try JSONEncoder().encode(value) } throws: { ($0 as? JSONError)?.kind == .limit }
    }
}

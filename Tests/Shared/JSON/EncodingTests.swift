import JSON
import Testing

@Suite struct EncodingTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    @Test("compact, members in the order written, absent optionals left out")
    func compact() throws {
        struct Value: Encodable {
            var zulu = 1
            var alpha: [String] = ["a"]
            var none: Int?
            var empty: [String: Int] = [:]
            var flag = false
        }
        #expect(try text(Value()) == #"{"zulu":1,"alpha":["a"],"empty":{},"flag":false}"#)
        #expect(try text([[Int]]()) == "[]")
        #expect(try text([[Int](), []]) == "[[],[]]")
        #expect(try text(1.5) == "1.5")
        #expect(try text("a") == "\"a\"")
    }

    @Test("strings are escaped where RFC 8259 demands it, and only there")
    func escapes() throws {
        #expect(try text("\"\\/\u{8}\u{c}\n\r\t\0\u{1f}\u{7f}é😀") == #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7f}é😀\"")
        for length in 0..<40 {
            let plain = String(repeating: "x", count: length)
            #expect(try text(plain + "\n" + plain) == "\"\(plain)\\n\(plain)\"")
        }
        #expect(try text(["a\"b": 1]) == #"{"a\"b":1}"#)
    }

    @Test("nested containers, in the order in which they are written to")
    func nested() throws {
        struct Value: Encodable {
            enum Key: CodingKey { case a, b, c }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
                try inner.encode(1, forKey: .a)
                var array = inner.nestedUnkeyedContainer(forKey: .b)
                try array.encode(2)
                _ = array.nestedUnkeyedContainer()
                try array.encode(3)
                try inner.encode(4, forKey: .c)
                _ = container.superEncoder(forKey: .b)
                try container.encodeNil(forKey: .c)
            }
        }
        #expect(try text(Value()) == #"{"a":{"a":1,"b":[2,[],3],"c":4},"b":{},"c":null}"#)
        #expect(try text([Value(), Value()]).count == 2 * text(Value()).count + 3)
    }

    @Test("two containers of one kind for one value are one; a type may write another's members into its own")
    func flattened() throws {
        struct Inner: Encodable { var x = 1 }
        struct Outer: Encodable {
            enum Key: CodingKey { case y }
            func encode(to encoder: any Encoder) throws {
                try Inner().encode(to: encoder)
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(2, forKey: .y)
            }
        }
        #expect(try text([Outer()]) == #"[{"x":1,"y":2}]"#)
    }

    @Test("what JSON cannot say is refused: a container written to after it was closed, two values for one")
    func misuse() {
        struct Late: Encodable {
            enum Key: CodingKey { case a, b }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
                try container.encode(1, forKey: .b)
                try inner.encode(1, forKey: .a)
            }
        }
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            }
        }
        #expect(throws: JSONError.self) { try JSONEncoder().encode(Late()) }
        #expect(throws: JSONError.self) { try JSONEncoder().encode(Twice()) }
    }

    @Test("a number that cannot be written is named by its path, and leaves no half text behind")
    func failure() throws {
        struct Value: Encodable { var values: [[String: Double]] }
        let value = Value(values: [["a": 1], ["b": .nan]])
        #expect { try JSONEncoder().encode(value) } throws: { ($0 as? JSONError)?.path == "$.values[1].b" }
        var bytes = Array("before".utf8)
        #expect(throws: JSONError.self) { try JSONEncoder().encode(value, into: &bytes) }
        #expect(bytes == Array("before".utf8))
    }

    @Test("the writer puts commas where they are due")
    func writer() throws {
        var bytes: [UInt8] = []
        JSONWriter.beginObject(into: &bytes)
        JSONWriter.key("jsonrpc", into: &bytes)
        JSONWriter.string("2.0", into: &bytes)
        JSONWriter.key("id", into: &bytes)
        JSONWriter.integer(UInt64.max, into: &bytes)
        JSONWriter.key("params", into: &bytes)
        try JSONEncoder().encode(["a": 1], into: &bytes)
        JSONWriter.key("list", into: &bytes)
        JSONWriter.beginArray(into: &bytes)
        JSONWriter.raw(Array("{}".utf8), into: &bytes)
        JSONWriter.null(into: &bytes)
        JSONWriter.bool(true, into: &bytes)
        JSONWriter.integer(Int8.min, into: &bytes)
        try JSONWriter.number(0.5, into: &bytes)
        JSONWriter.endArray(into: &bytes)
        JSONWriter.endObject(into: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":18446744073709551615,"params":{"a":1},"list":[{},null,true,-128,0.5]}"#)
        bytes.append(UInt8(ascii: "\n"))
        JSONWriter.beginObject(into: &bytes)
        #expect(bytes.suffix(2) == Array("\n{".utf8))
    }
}

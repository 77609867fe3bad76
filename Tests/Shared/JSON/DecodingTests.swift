import JSON
import Primitives
import Testing

@Suite struct DecodingTests {
    struct Sample: Codable, Equatable {
        var type: String
        var value: Double
        var note: String?
    }

    enum Sex: String, Codable { case female, male }

    struct Account: Codable, Equatable {
        var id: UUID
        var email: String
        var born: CalendarDate
        var sex: Sex
        var isActive: Bool
        var samples: [Sample]
        var created: Timestamp
        var labels: [String: Int]
    }

    static let id = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"

    static func text(
        id: String = "\"\(id)\"", email: String = #""email":"a@example.org","#, born: String = "\"2000-02-29\"",
        sex: String = "\"female\"", second: String = #"{"type":"hr","value":61.5,"note":null}"#
    ) -> [UInt8] {
        Array(
            #"""
            {"id":\#(id),\#(email)"born":\#(born),"sex":\#(sex),"is_active":true,
             "samples":[{"type":"hr","value":60,"note":"a"},\#(second)],"created":"2026-01-31T12:00:00Z","labels":{"x":1,"y z":2}}
            """#.utf8)
    }

    private func failure<Value: Decodable>(
        _ type: Value.Type, _ text: [UInt8], unknownKeys: JSONDecoder.UnknownKeys = .ignore
    ) -> String {
        do {
            _ = try JSONDecoder(unknownKeys: unknownKeys).decode(type, from: text)
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test("a structure with nested values, in any order of members and from any kind of bytes")
    func structure() throws {
        let text = Self.text()
        let account = try JSONDecoder().decode(Account.self, from: text)
        #expect(
            account.samples == [Sample(type: "hr", value: 60, note: "a"), Sample(type: "hr", value: 61.5, note: nil)])
        #expect(account.labels == ["x": 1, "y z": 2])
        #expect(account.id == UUID(Self.id))
        #expect(try JSONDecoder().decode(Account.self, from: ([0] + text)[1...]) == account)
        #expect(try text.withUnsafeBytes { try JSONDecoder().decode(Account.self, from: $0) } == account)
        #expect(try JSONDecoder().decode(Account.self, from: try JSONEncoder().encode(account)) == account)
        let sample = try JSONDecoder().decode(
            Sample.self, from: Array(#"{"value":1,"x":[{}],"note":"n","type":"t"}"#.utf8))
        #expect(sample == Sample(type: "t", value: 1, note: "n"))
        let escaped = try JSONDecoder().decode(Sample.self, from: Array(#"{"\u0074ype":"t","value":1}"#.utf8))
        #expect(escaped.type == "t")
    }

    @Test("errors say where and what")
    func errors() {
        #expect(failure(Account.self, Self.text(email: "")) == "`$.email` is missing")
        #expect(failure(Account.self, Self.text(second: #"{"value":1}"#)) == "`$.samples[1].type` is missing")
        #expect(
            failure(Account.self, Self.text(second: #"{"type":"hr","value":"1"}"#))
                == "$.samples[1].value: expected a number, found a string")
        #expect(failure(Account.self, Self.text(second: "[]")) == "$.samples[1]: expected an object, found an array")
        #expect(failure(Account.self, Self.text(id: "\"x\"")) == "$.id: not a UUID")
        #expect(failure(Account.self, Self.text(id: "7")) == "$.id: expected a string, found a number")
        #expect(failure(Account.self, Self.text(born: "\"2001-02-29\"")) == "$.born: not a date of the form YYYY-MM-DD")
        #expect(failure(Account.self, Self.text(sex: "null")) == "$.sex: expected a string, found null")
        #expect(failure(Account.self, Self.text(sex: "\"x\"")).hasPrefix("$.sex: "))
        #expect(failure([Int].self, Array("[1,2,true]".utf8)) == "$[2]: expected an integer, found true")
        #expect(failure([[Int8]].self, Array("[[1],[2,\"\"]]".utf8)) == "$[1][1]: expected an integer, found a string")
        #expect(
            failure([String: Bool].self, Array(#"{"a b":0}"#.utf8))
                == #"$["a b"]: expected true or false, found a number"#)
        #expect(failure([Int].self, Array("[1,]".utf8)) == "expected a value at byte 3")
        #expect(failure([Int].self, Array("[1".utf8)) == "the text ends too early")
    }

    @Test("unknown members are ignored, or refused with their path")
    func unknownKeys() throws {
        let text = Self.text(second: #"{"type":"hr","value":1,"unit":"bpm"}"#)
        _ = try JSONDecoder().decode(Account.self, from: text)
        #expect(failure(Account.self, text, unknownKeys: .refuse) == "`$.samples[1].unit` is not known")
        #expect(failure(Account.self, Self.text(), unknownKeys: .refuse) == "no error")
        #expect(failure([String: Int].self, Array(#"{"any":1}"#.utf8), unknownKeys: .refuse) == "no error")
    }

    struct Positive: Decodable {
        struct Refusal: Error, CustomStringConvertible { let description = "not positive" }

        init(from decoder: any Decoder) throws {
            guard try decoder.singleValueContainer().decode(Int.self) > 0 else { throw Refusal() }
        }
    }

    @Test("errors of a type's own get the path of the value")
    func customErrors() {
        #expect(failure([String: [Positive]].self, Array(#"{"a":[1,0]}"#.utf8)) == "$.a[1]: not positive")
    }

    class Base: Codable {
        var base: Int
        init(base: Int) { self.base = base }
    }

    final class Derived: Base {
        var own: String
        enum CodingKeys: CodingKey { case own }
        init(base: Int, own: String) {
            self.own = own
            super.init(base: base)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            own = try container.decode(String.self, forKey: .own)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(own, forKey: .own)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test("superclasses are coded below `super`")
    func superclass() throws {
        let text = try JSONEncoder().encode(Derived(base: 7, own: "x"))
        #expect(String(decoding: text, as: UTF8.self) == #"{"own":"x","super":{"base":7}}"#)
        let back = try JSONDecoder().decode(Derived.self, from: text)
        #expect(back.base == 7)
        #expect(back.own == "x")
    }

    enum Event: Codable, Equatable {
        case started
        case moved(x: Double, y: Double?)
    }

    @Test("enumerations with values, optionals in arrays, dictionaries, sets and nested arrays survive")
    func shapes() throws {
        func survives<Value: Codable & Equatable>(_ value: Value) throws {
            #expect(try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value)) == value)
        }
        try survives([Event.started, .moved(x: 1, y: nil), .moved(x: 0.5, y: -1)])
        try survives([1, nil, 3] as [Int?])
        try survives([[1.5], [], [2]] as [[Double]])
        try survives(["a": ["b": [UUID.random()]]])
        try survives([UUID.random(): "x"])
        try survives([1: "one", 2: "two"])
        try survives(Set(["a", "b"]))
        try survives([true, false])
        try survives([UInt8](0...255))
        try survives([Int32.min, 0, .max])
        try survives(Optional<String>.none)
        try survives("")
    }

    @Test("an unkeyed container ends with an error, and stays where it is when an element is refused")
    func unkeyed() throws {
        struct Pair: Decodable {
            let first: String
            let hasMore: Bool
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                let number = try? container.decode(Int.self)
                first = try number.map { String($0) } ?? container.decode(String.self)
                hasMore = (try? container.decode(String.self)) != nil
            }
        }
        #expect(try JSONDecoder().decode(Pair.self, from: Array(#"["a"]"#.utf8)).first == "a")
        #expect(try !JSONDecoder().decode(Pair.self, from: Array(#"["a"]"#.utf8)).hasMore)
        #expect(try JSONDecoder().decode(Pair.self, from: Array(#"["a","b"]"#.utf8)).hasMore)
    }
}

import JSON
import SeededRandom
import Testing

@Suite struct ValueTests {
    private func value(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Array(text.utf8))
    }

    @Test("every kind of value, members in the order of the text")
    func kinds() throws {
        let text = #"{"z":null,"a":[true,1,-2.5,"x"],"9":9223372036854775807,"m":9223372036854775808}"#
        let value = try value(text)
        #expect(value["z"] == .null)
        #expect(value["a"] == .array([.bool(true), .integer(1), .number(-2.5), .string("x")]))
        #expect(value["9"] == .integer(.max))
        #expect(value["m"] == .number(9_223_372_036_854_775_808))
        #expect(value["absent"] == nil)
        guard case .object(let object) = value else { throw JSONError(kind: .value, message: "not an object") }
        #expect(object.members.map(\.key) == ["z", "a", "9", "m"])
    }

    @Test("members are replaced, added and removed in place")
    func editing() {
        var object: JSONObject = ["a": .integer(1), "b": .null, "a": .integer(2)]
        #expect(object.members.map(\.key) == ["a", "b"])
        #expect(object["a"] == .integer(2))
        object["c"] = .bool(true)
        object["a"] = nil
        #expect(object == ["b": .null, "c": .bool(true)])
    }

    @Test("any value survives, and the writer's text is accepted by the parser")
    func survive() throws {
        var generator = SeededGenerator(seed: 2026)
        for _ in 0..<500 {
            let value = Self.random(depth: 5, using: &generator)
            let text = try JSONEncoder().encode(value)
            #expect(try JSONDecoder().decode(JSONValue.self, from: text) == value)
            let wrapped = try JSONEncoder().encode(["raw": JSONRaw(validating: text)])
            #expect(try JSONDecoder().decode([String: JSONValue].self, from: wrapped) == ["raw": value])
        }
    }

    @Test("random changes of a valid text are accepted or refused, and what is accepted survives")
    func mutations() throws {
        var generator = SeededGenerator(seed: 99)
        let seed = Array(
            #"{"a":[1,-2.5e3,"x\né😀\uD834\uDD1E",true,false,null],"b":{"c":{},"d":[[],[0]]},"é":"\u0000"}"#.utf8)
        for _ in 0..<20_000 {
            var text = seed
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let position = Int.random(in: 0..<text.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: text[position] = UInt8.random(in: 0...255, using: &generator)
                case 1: text.remove(at: position)
                default: text.insert(seed.randomElement(using: &generator) ?? 0, at: position)
                }
            }
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: text) else { continue }
            #expect(try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(value)) == value)
        }
    }

    private static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int64(bitPattern: generator.next()))
        case 3:
            let number = Double(bitPattern: generator.next())
            return number.isFinite ? .number(number) : .number(0.5)
        case 4: return .string(string(using: &generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                object[string(using: &generator)] = random(depth: depth - 3, using: &generator)
            }
            return .object(object)
        }
    }

    private static func string(using generator: inout SeededGenerator) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<20, using: &generator) {
            let limit: UInt32 = [0x20, 0x80, 0x800, 0x11_0000].randomElement(using: &generator) ?? 0x80
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}

import JSON
import SeededRandom
import Testing

@Suite struct NumberTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws(JSONError) -> Value {
        try JSONDecoder().decode(type, from: Array(text.utf8))
    }

    @Test("integers are exact at the ends of their types, and refused beyond")
    func integers() throws {
        #expect(try decode(Int64.self, "9223372036854775807") == .max)
        #expect(try decode(Int64.self, "-9223372036854775808") == .min)
        #expect(try decode(UInt64.self, "18446744073709551615") == .max)
        #expect(try decode(Int.self, "-0") == 0)
        #expect(try decode(Int8.self, "-128") == -128)
        #expect(throws: JSONError.self) { try decode(Int64.self, "9223372036854775808") }
        #expect(throws: JSONError.self) { try decode(Int64.self, "-9223372036854775809") }
        #expect(throws: JSONError.self) { try decode(UInt64.self, "18446744073709551616") }
        #expect(throws: JSONError.self) { try decode(UInt64.self, "99999999999999999999") }
        #expect(throws: JSONError.self) { try decode(UInt64.self, "184467440737095516150") }
        #expect(throws: JSONError(kind: .value, message: "expected an integer from 0 to 255")) {
            try decode(UInt8.self, "256")
        }
        #expect(throws: JSONError.self) { try decode(UInt8.self, "-1") }
        #expect(throws: JSONError.self) { try decode(Int.self, "1.0") }
        #expect(throws: JSONError.self) { try decode(Int.self, "1e2") }
    }

    @Test(
        "doubles are the nearest, ties to even",
        arguments: [
            ("0.1", 0x1.999999999999ap-4), ("9007199254740993", 9_007_199_254_740_992),
            ("9007199254740995", 9_007_199_254_740_996),
            ("1e22", 1e22), ("1e23", 1e23), ("123456789012345678", 123_456_789_012_345_680),
            ("2.2250738585072011e-308", Double(bitPattern: 0x000f_ffff_ffff_ffff)),
            ("5e-324", .leastNonzeroMagnitude), ("2.4703282292062327e-324", 0),
            ("1.7976931348623157e308", 1.7976931348623157e308),
            ("1e-400", 0),
            ("0.000000000000000000000000000001", 1e-30), ("7.2057594037927933e16", 72_057_594_037_927_936),
            ("-2.5", -2.5),
            ("1.00000000000000011102230246251565404236316680908203125", 1), ("0e-999", 0), ("1E0005", 100_000),
        ])
    func doubles(text: String, value: Double) throws {
        #expect(try decode(Double.self, text) == value)
        #expect(try decode([Double].self, "[\(text)]") == [value])
    }

    @Test("a negative zero keeps its sign")
    func negativeZero() throws {
        #expect(try decode(Double.self, "-0.0").sign == .minus)
        #expect(try JSONEncoder().encode(-0.0) == Array("-0.0".utf8))
    }

    @Test("numbers too large for a double are refused, with an exponent or without")
    func tooLarge() {
        #expect(throws: JSONError.self) { try decode(Double.self, "1e400") }
        #expect(throws: JSONError.self) { try decode(Double.self, "1.8e308") }
        #expect(throws: JSONError.self) { try decode(Double.self, String(repeating: "9", count: 310)) }
        #expect(throws: JSONError.self) { try decode(Double.self, String(repeating: "9", count: 250) + "e99") }
        #expect(throws: JSONError.self) { try decode(Float.self, "1e39") }
    }

    @Test("any double survives, bit for bit")
    func doublesSurvive() throws {
        var generator = SeededGenerator(seed: 7)
        let values = (0..<20_000).map { _ in Double(bitPattern: generator.next()) }.filter(\.isFinite)
        let back = try JSONDecoder().decode([Double].self, from: try JSONEncoder().encode(values))
        #expect(values.map(\.bitPattern) == back.map(\.bitPattern))
        let places = values.map { _ in Double(Int.random(in: -180_000_000...180_000_000, using: &generator)) / 1e6 }
        #expect(try JSONDecoder().decode([Double].self, from: try JSONEncoder().encode(places)) == places)
    }

    @Test("any integer survives")
    func integersSurvive() throws {
        var generator = SeededGenerator(seed: 8)
        let values =
            (0..<5000).map { Int64(bitPattern: generator.next()) >> Int64($0 % 64) } + [.min, .max, 0, 9, 10, -1]
        #expect(try JSONDecoder().decode([Int64].self, from: try JSONEncoder().encode(values)) == values)
        #expect(
            String(decoding: try JSONEncoder().encode([Int32.min, 0, 99, 100]), as: UTF8.self)
                == "[-2147483648,0,99,100]")
        let floats = values.map { Float($0) / 3 }
        #expect(try JSONDecoder().decode([Float].self, from: try JSONEncoder().encode(floats)) == floats)
    }

    @Test("numbers that are not finite cannot be written", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) {
        #expect(throws: JSONError.self) { try JSONEncoder().encode(value) }
        #expect(throws: JSONError.self) { try JSONEncoder().encode([value]) }
    }
}

import JSON
import Primitives
import Testing

@Suite struct FaultTests {
    enum Sex: String, Codable, CaseIterable { case female, male }

    struct Place: Decodable {
        var latitude: Double
        var longitude: Double
    }

    struct Even: Decodable {
        struct Refusal: Error, CustomStringConvertible { let description = "expected an even number" }
        var value: Int
        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Int.self)
            guard value.isMultiple(of: 2) else { throw Refusal() }
        }
    }

    struct Form: Decodable {
        var id: UUID
        var name: String
        var born: CalendarDate
        var sex: Sex
        var places: [Place]
        var home: Place
        var even: Even
        var count: Int?
        var isOpen: Bool
    }

    private func faults<Value: Decodable>(_ type: Value.Type, _ text: String) -> [String] {
        do {
            _ = try JSONDecoder(unknownKeys: .refuse).decode(type, from: Array(text.utf8))
            return []
        } catch {
            return ([error] + error.others).map(\.description)
        }
    }

    @Test("every fault of a text is told at once")
    func all() {
        let text = #"""
            {"id":"x","name":7,"born":"2001-02-29","sex":"f","places":[{"latitude":1,"longitude":2},{"latitude":"1"}],
             "even":3,"count":1.5,"is_open":null,"extra":{"a":1}}
            """#
        #expect(
            faults(Form.self, text) == [
                "$.id: not a UUID", "$.name: expected a string, found a number",
                "$.born: not a date of the form YYYY-MM-DD", "$.sex: expected one of female, male",
                "$.places[1].latitude: expected a number, found a string", "`$.places[1].longitude` is missing",
                "`$.home` is missing", "$.even: expected an even number",
                "$.count: expected an integer, found a number with a fraction or an exponent",
                "$.is_open: expected true or false, found null", "`$.extra` is not known",
            ])
    }

    @Test("an unknown member beside the missing one that was meant: both are told")
    func misspelt() {
        #expect(
            faults(Place.self, #"{"latitude":1,"longtitude":2}"#)
                == ["`$.longitude` is missing", "`$.longtitude` is not known"])
    }

    @Test("a value's own rule says nothing about what could not be read")
    func consequences() {
        struct Range: Decodable {
            enum CodingKeys: CodingKey { case from, to }
            struct Refusal: Error, CustomStringConvertible { let description = "from must not be after to" }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let from = try container.decode(Int.self, forKey: .from)
                guard try from <= container.decode(Int.self, forKey: .to) else { throw Refusal() }
            }
        }
        struct Two: Decodable {
            var first: Range
            var second: Range
        }
        #expect(
            faults(Two.self, #"{"first":{"from":"x","to":0},"second":{"from":2,"to":1}}"#) == [
                "$.first.from: expected an integer, found a string", "$.second: from must not be after to",
            ])
    }

    @Test("at most 32 faults are told")
    func limit() {
        let many = (0..<1000).map { _ in #"{"latitude":"","longitude":""}"# }.joined(separator: ",")
        #expect(faults([Place].self, "[\(many)]").count == 32)
        let unknown = (0..<1000).map { #""k\#($0)":1"# }.joined(separator: ",")
        #expect(faults(Place.self, #"{"latitude":1,"longitude":1,\#(unknown)}"#).count == 32)
    }

    @Test("a type that refers to itself, and one without a stand-in, end the search")
    func noStandIn() {
        final class Tree: Decodable { var left: Tree }
        struct Never: Decodable {
            struct Refusal: Error, CustomStringConvertible { let description = "never" }
            init(from decoder: any Decoder) throws { throw Refusal() }
        }
        struct Form: Decodable {
            var tree: Tree
            var never: Never
            var name: String
        }
        #expect(faults(Form.self, #"{"tree":{},"never":1}"#).first == "`$.tree.left` is missing")
        #expect(faults(Never.self, "1") == ["$: never"] || faults(Never.self, "1") == ["never"])
    }
}

import JSON
import Testing

@testable import OpenAPITesting

@Suite struct SchemaCheckTests {
    private func faults(_ schema: String, _ value: String, components: String = "{}") throws -> [String] {
        let document = try JSONDecoder().decode(
            JSONValue.self, from: Array(#"{"components":{"schemas":\#(components)}}"#.utf8))
        return SchemaCheck.faults(
            of: try JSONDecoder().decode(JSONValue.self, from: Array(value.utf8)),
            try JSONDecoder().decode(JSONValue.self, from: Array(schema.utf8)), in: document, at: "$")
    }

    @Test(
        "what a schema asks for is checked",
        arguments: [
            (#"{"type":"string","minLength":2}"#, #""a""#, "$ is too short"),
            (#"{"type":"string","maxLength":2}"#, #""abc""#, "$ is too long"),
            (#"{"type":"string","pattern":"^[a-z]+$"}"#, #""A""#, "$ does not match ^[a-z]+$: A"),
            (#"{"type":"string","format":"uuid"}"#, #""x""#, "$ is not a uuid: x"),
            (#"{"type":"string","format":"date-time"}"#, #""2026-01-01""#, "$ is not a date-time: 2026-01-01"),
            (#"{"type":"string","format":"date"}"#, #""2026-02-30""#, "$ is not a date: 2026-02-30"),
            (#"{"type":"string","format":"email"}"#, #""a@b@c.org""#, "$ is not a email: a@b@c.org"),
            (#"{"type":"string","format":"uri"}"#, #""/here""#, "$ is not a uri: /here"),
            (#"{"type":"string","format":"uri-reference"}"#, #""a b""#, "$ is not a uri-reference: a b"),
            (#"{"type":["string","null"]}"#, "1", "$ is not string or null: 1"),
            (#"{"type":"integer","minimum":1}"#, "0", "$ is below 1.0"),
            (#"{"type":"number","maximum":1}"#, "1.5", "$ is above 1.0"),
            (#"{"type":"number","exclusiveMinimum":0}"#, "0", "$ is not above 0.0"),
            (#"{"type":"integer"}"#, "1.5", "$ is not integer: 1.5"),
            (#"{"enum":["a"]}"#, #""b""#, #"$ is none of the values of `enum`: "b""#),
            (#"{"const":1}"#, "2", "$ is not 1: 2"),
            (#"{"type":"array","items":{"type":"integer"}}"#, #"[1,"2"]"#, #"$[1] is not integer: "2""#),
            (
                #"{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"string"}}"#, "[1,2]",
                "$[1] is not string: 2"
            ),
            (#"{"type":"array","items":true,"minItems":1}"#, "[]", "$ has too few elements"),
            (#"{"type":"array","items":true,"maxItems":1}"#, "[1,2]", "$ has too many elements"),
            (#"{"type":"array","items":true,"uniqueItems":true}"#, "[1,1]", "$ has an element twice"),
            (#"{"type":"object","required":["a"]}"#, "{}", "$.a is missing"),
            (#"{"type":"object","additionalProperties":true,"minProperties":1}"#, "{}", "$ has too few members"),
            (
                #"{"type":"object","additionalProperties":true,"maxProperties":1}"#, #"{"a":1,"b":2}"#,
                "$ has too many members"
            ),
            (#"{"properties":{"a":{"type":"boolean"}}}"#, #"{"a":1}"#, "$.a is not boolean: 1"),
            (#"{"properties":{"a":false}}"#, #"{"a":1}"#, "$.a must not be there"),
            (#"{"additionalProperties":{"type":"string"}}"#, #"{"a":1}"#, "$.a is not string: 1"),
            (
                #"{"anyOf":[{"type":"string"},{"minimum":2}]}"#, "1",
                "$ fits nothing of `anyOf` (it is not string: 1; it is below 2.0)"
            ),
            (#"{"oneOf":[{"type":"integer"},{"minimum":0}]}"#, "1", "$ fits 2 of `oneOf`"),
            (##"{"$ref":"#/components/schemas/Nothing"}"##, "1", "$: the schema refers to nothing"),
        ])
    func assertions(_ schema: String, _ value: String, _ fault: String) throws {
        #expect(try faults(schema, value) == [fault])
    }

    @Test(
        "what fits its schema is no fault",
        arguments: [
            (#"{"type":"string","format":"date-time"}"#, #""2026-01-01T00:00:00Z""#),
            (#"{"type":"string","format":"uri"}"#, #""urn:trackme:problem:not-found""#),
            (#"{"type":"string","maxLength":1}"#, #""è""#), (#"{"type":"integer"}"#, "1.0"),
            (#"{"type":"number"}"#, "1"), (#"{"type":["object","null"],"required":["a"]}"#, "null"),
            (#"{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"string"}}"#, #"[1,"a"]"#),
            (#"{"oneOf":[{"type":"integer"},{"type":"string"}]}"#, "1"),
            (
                #"{"type":"object","properties":{"a":true},"oneOf":[{"required":["a"]},{"required":["b"]}]}"#,
                #"{"a":1}"#
            ),
        ])
    func fits(_ schema: String, _ value: String) throws {
        #expect(try faults(schema, value) == [])
    }

    @Test("a member that the schema does not name is a fault, in parts that name the members together too")
    func closed() throws {
        let base = #"{"Base":{"type":"object","properties":{"a":true}}}"#
        let schema = ##"{"allOf":[{"$ref":"#/components/schemas/Base"},{"properties":{"b":true}}]}"##
        #expect(try faults(schema, #"{"a":1,"b":2}"#, components: base) == [])
        #expect(try faults(schema, #"{"a":1,"c":2}"#, components: base) == ["$.c is not documented"])
        #expect(try faults(#"{"type":"object"}"#, #"{"c":2}"#) == ["$.c is not documented"])
        let choice =
            #"{"oneOf":[{"properties":{"a":true},"required":["a"]},{"properties":{"b":true},"required":["b"]}]}"#
        #expect(try faults(choice, #"{"a":1}"#) == [])
        #expect(
            try faults(choice, #"{"a":1,"c":2}"#)
                == ["$ fits nothing of `oneOf` (it.c is not documented; it.b is missing)"])
    }
}

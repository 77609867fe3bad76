import HTTP
import JSON
import Testing

@testable import OpenAPITesting

@Suite struct APIDocumentTests {
    /// A document with one operation, with one part of it replaced.
    private func document(_ part: String = "", by other: String = "") throws -> APIDocument {
        let text = """
            {"paths": {"/notes/{id}": {
              "parameters": [{"name": "id", "in": "path", "required": true, "example": 7,
                "schema": {"type": "integer", "minimum": 1}}],
              "put": {"operationId": "put", "summary": "Replaces a note",
                "parameters": [
                  {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 9}, "example": 5},
                  {"name": "X-Key", "in": "header", "required": true, "example": "k",
                    "schema": {"type": "string", "maxLength": 3}}],
                "requestBody": {"required": true, "content": {"application/json": {
                  "schema": {"$ref": "#/components/schemas/Note"}, "example": {"text": "a"}}}},
                "responses": {
                  "201": {"description": "Made.",
                    "headers": {"Location": {"required": true, "schema": {"type": "string", "format": "uri-reference"}}},
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}},
                  "409": {"description": "`taken`: another has it.", "content": {"application/problem+json": {
                    "schema": {"type": "object", "properties": {"code": {"type": "string"}}}}}}}},
              "delete": {"operationId": "delete", "summary": "Deletes a note",
                "responses": {"204": {"description": "Gone."}}}},
              "/notes": {"get": {"operationId": "follow", "summary": "Follows the notes", "responses": {
                "200": {"description": "Events.", "content": {"text/event-stream": {"schema": {"type": "string"},
                  "x-events": {"note": {"$ref": "#/components/schemas/Note"}}}}}}}}},
             "webhooks": {"note": {"post": {"operationId": "note", "summary": "A note was made",
               "requestBody": {"content": {"application/json": {
                 "schema": {"$ref": "#/components/schemas/Note"}, "example": {"text": "a"}}}},
               "responses": {"2XX": {"description": "Received."}}}}},
             "components": {"schemas": {"Note": {"type": "object", "required": ["text"],
               "properties": {"text": {"type": "string", "maxLength": 3}}}}}}
            """
        if !part.isEmpty { try #require(text.contains(part)) }
        return try APIDocument(Array(text.replacing(part, with: other).utf8))
    }

    private func faults(
        _ target: String = "/notes/7", method: HTTPMethod = .put, fields: HTTPFields = ["X-Key": "k"],
        _ body: String = #"{"text":"a"}"#, type: String = "application/json", by answer: HTTPResponse
    ) throws -> [String] {
        var fields = fields
        fields["Content-Type"] = type
        let request = try HTTPRequest(method, target, fields: fields, body: Array(body.utf8))
        return try document().faults(of: request, answer: answer)
    }

    private func answer(
        _ status: HTTPStatus = .created, _ body: String? = #"{"text":"a"}"#, type: MediaType = .json,
        fields: HTTPFields = ["Location": "/notes/7"]
    ) -> HTTPResponse {
        HTTPResponse(
            status, contentType: body == nil ? nil : type, fields: fields,
            body: body.map { .bytes(Array($0.utf8)) } ?? .empty)
    }

    @Test("an exchange that is as documented has no faults")
    func asDocumented() throws {
        #expect(try document().faults() == [])
        #expect(try faults("/notes/7?limit=9", by: answer()) == [])
        #expect(try faults(method: .delete, fields: [:], "", by: answer(.noContent, nil, fields: [:])) == [])
        // Of the router.
        #expect(try faults(method: .post, by: answer(.methodNotAllowed, nil, fields: [:])) == [])
        #expect(try faults(by: answer(.conflict, #"{"code":"taken"}"#, type: .problem, fields: [:])) == [])
    }

    @Test("an answer that is not as documented is a fault")
    func answers() throws {
        let name = "PUT /notes/{id}"
        #expect(try faults(by: answer(.ok)) == ["\(name) 200: the status is not documented"])
        #expect(try faults(by: answer(.created, nil)) == ["\(name) 201: the answer has no content"])
        #expect(try faults(by: answer(.created, "{")) == ["\(name) 201: the answer is not JSON"])
        #expect(try faults(by: answer(type: .text)) == ["\(name) 201: the media type text/plain is not documented"])
        #expect(try faults(by: answer(.created, #"{"text":"abcd"}"#)) == ["\(name) 201: $.text is too long"])
        #expect(try faults(by: answer(.created, #"{"text":"a","b":1}"#)) == ["\(name) 201: $.b is not documented"])
        #expect(try faults(by: answer(fields: [:])) == ["\(name) 201: the field Location is missing"])
        #expect(
            try faults(by: answer(fields: ["Location": "a b"])) == ["\(name) 201: Location is not a uri-reference: a b"]
        )
        #expect(
            try faults(by: answer(fields: ["Location": "/", "ETag": "1"]))
                == ["\(name) 201: the field ETag is not documented"])
        #expect(
            try faults(by: answer(.conflict, #"{"code":"full"}"#, type: .problem, fields: [:]))
                == ["\(name) 409: the code `full` is not named in the description"])
        #expect(try faults("/other", by: answer(.ok)) == ["PUT /other is answered 200 and not documented"])
    }

    @Test("a request that succeeds though the document forbids it is a fault")
    func requests() throws {
        let name = "PUT /notes/{id} 201:"
        #expect(try faults("/notes/0", by: answer()) == ["\(name) the parameter id is below 1.0"])
        #expect(try faults("/notes/x", by: answer()) == ["\(name) the parameter id is not integer: \"x\""])
        #expect(try faults("/notes/1?limit=10", by: answer()) == ["\(name) the parameter limit is above 9.0"])
        #expect(try faults("/notes/1?other=1", by: answer()) == ["\(name) the parameter other is not documented"])
        #expect(try faults(fields: [:], by: answer()) == ["\(name) the parameter X-Key was not needed"])
        #expect(try faults(fields: ["X-Key": "keys"], by: answer()) == ["\(name) the parameter X-Key is too long"])
        #expect(try faults("/notes/7", "", by: answer()) == ["\(name) the body was not needed"])
        #expect(try faults("/notes/7", "{", by: answer()) == ["\(name) a body was taken that is not JSON"])
        #expect(try faults("/notes/7", #"{"text":1}"#, by: answer()) == ["\(name) the request.text is not string: 1"])
        #expect(
            try faults("/notes/7", #"{"text":"","b":1}"#, by: answer()) == ["\(name) the request.b is not documented"])
        #expect(
            try faults("/notes/7", "a", type: "text/plain", by: answer())
                == ["\(name) a body of text/plain was taken and is not documented"])
        // What is refused may be anything.
        #expect(
            try faults("/notes/0", "{", by: answer(.conflict, #"{"code":"taken"}"#, type: .problem, fields: [:])) == [])
    }

    @Test("a parameter in a cookie is part of the example, and is checked")
    func cookie() throws {
        let document = try document(#""in": "header""#, by: #""in": "cookie""#)
        let operation = try #require(document.operations.first { $0.name == "PUT /notes/{id}" })
        let example = try #require(try document.examples(of: operation).first)
        #expect(example.fields["Cookie"] == "X-Key=k")
        for (cookie, fault) in [
            ("a=1; X-Key=k", nil), ("X-Key=keys", "the parameter X-Key is too long"),
            ("a=1", "the parameter X-Key was not needed"),
        ] {
            var fields = example.fields
            fields["Cookie"] = cookie
            let request = try HTTPRequest(.put, example.target, fields: fields, body: example.body)
            #expect(
                document.faults(of: request, answer: answer()) == (fault.map { ["PUT /notes/{id} 201: \($0)"] } ?? []))
        }
    }

    @Test(
        "a document that leaves something unsaid or unchecked has faults",
        arguments: [
            (#""maxLength": 3}}}}}}"#, #""maxLength": 3, "if": {}}}}}}}"#, "Note.text: the keyword if is not checked"),
            (
                #""format": "uri-reference""#, #""format": "uri-template""#,
                "PUT /notes/{id} 201 Location: the format uri-template is not checked"
            ),
            (
                #""in": "header", "required": true"#, #""in": "header", "need": true"#,
                "PUT /notes/{id} X-Key: need is no part of an OpenAPI parameter, or is not checked"
            ),
            (#""summary": "Deletes a note","#, "", "DELETE /notes/{id} has no summary"),
            (
                #""operationId": "delete""#, #""operationId": "put""#,
                "DELETE /notes/{id} has no `operationId` of its own"
            ),
            (
                #"{"text": "a"}}}}"#, #"{"text": "abcd"}}}}"#,
                "PUT /notes/{id} application/json's example.text is too long"
            ),
            (#", "example": {"text": "a"}"#, "", "PUT /notes/{id} application/json has no example"),
            (#""required": true, "example": "k","#, #""required": true,"#, "PUT /notes/{id} X-Key has no example"),
            (
                #"{"type": "string", "maxLength": 3}}]"#, #"{"type": "string"}}]"#,
                "PUT /notes/{id} X-Key is sent by clients and has no `maxLength`"
            ),
            (#""required": ["text"]"#, #""required": ["text", "b"]"#, "Note.b is required and not described"),
            (
                #"{"type": "string", "maxLength": 3}}}}}}"#, #"{"type": "array", "maxItems": 1}}}}}}"#,
                "Note.text: its elements are not described"
            ),
            (
                #"{"type": "string", "maxLength": 3}}}}}}"#, #"{"description": "x"}}}}}}"#,
                "Note.text: the schema says nothing"
            ),
            (
                #"{"type": "string", "maxLength": 3}}}}}}"#, ##"{"$ref": "#/nothing", "maxLength": 3}}}}}}"##,
                "Note.text: what stands beside $ref is not checked; write allOf"
            ),
        ])
    func audit(_ part: String, _ other: String, _ fault: String) throws {
        #expect(try document(part, by: other).faults().contains(fault))
    }

    @Test("examples are sent with the needed parameters, then with all")
    func examples() throws {
        let document = try document()
        let examples = try document.examples(of: document.operations[0])
        #expect(examples.map(\.target) == ["/notes/7", "/notes/7?limit=5"])
        #expect(examples.allSatisfy { $0.fields["X-Key"] == "k" && $0.fields["Content-Type"] == "application/json" })
        #expect(examples.allSatisfy { String(decoding: $0.body, as: UTF8.self) == #"{"text":"a"}"# })
    }

    @Test("bodies and answers of success without an example are named, by their schema's examples too")
    func withoutExample() throws {
        let stream = "GET /notes 200 text/event-stream has no example"
        #expect(try document().withoutExample == ["PUT /notes/{id} 201 application/json has no example", stream])
        let schema = #""Note": {"type": "object", "examples": [{"text": "a"}],"#
        #expect(try document(#""Note": {"type": "object","#, by: schema).withoutExample == [stream])
        let bodies = try document(#", "example": {"text": "a"}"#).withoutExample
        #expect(bodies.first == "PUT /notes/{id} application/json has no example" && bodies.count == 3)
    }

    @Test("the data of events and the messages to others are checked")
    func events() throws {
        let document = try document()
        func faults(_ text: String) throws -> [String] {
            try document.faults(ofEvents: Array(text.utf8), of: "GET /notes")
        }
        #expect(try faults("event: note\ndata: {\"text\":\"a\"}\n\n: wait\n\n") == [])
        #expect(try faults("event: note\ndata: {}\n\n") == ["GET /notes note.text is missing"])
        #expect(try faults("event: other\ndata: {}\n\n") == ["GET /notes: the event other is not documented"])
        #expect(document.faults(ofMessage: Array(#"{"text":"a"}"#.utf8), to: "note") == [])
        #expect(document.faults(ofMessage: Array(#"{"text":"abcd"}"#.utf8), to: "note") == ["note.text is too long"])
        #expect(document.faults(ofMessage: [], to: "other") == ["the webhook other is not documented"])
    }

    @Test("variants of an example have one thing that the document forbids")
    func variants() throws {
        let document = try document()
        let variants = try document.variants(of: document.operations[0])
        #expect(Set(variants.map(\.target)) == ["/notes/7", "/notes/7?limit=10", "/notes/7?limit=no%20number"])
        let bodies = Set(variants.filter { $0.target == "/notes/7" }.map { String(decoding: $0.body, as: UTF8.self) })
        #expect(
            bodies == [
                "[]", #"{"text":"a","misspelt":true}"#, "{}", #"{"text":7}"#, #"{"text":"aaaa"}"#,
            ])
    }
}

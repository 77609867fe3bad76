import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

/// A service that does not do what its document says.
private enum NotesService: ServiceDefinition {
    struct Settings: Codable, Sendable {}

    private struct Note: Codable { let text: String }

    static let name = "accounts"
    static let migrations: [Migration] = []
    static let openAPI = Array(
        """
        {"paths": {
          "/accounts/v1/notes": {"post": {"operationId": "add", "summary": "Adds a note",
            "requestBody": {"required": true, "content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/Note"}, "example": {"text": "a"}}}},
            "responses": {
              "201": {"description": "Added.", "content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/Note"}}}},
              "400": {"description": "`invalid-json`: no JSON.", "content": {"application/problem+json": {
                "schema": {"$ref": "#/components/schemas/Problem"}}}},
              "415": {"description": "Another type.", "headers": {
                  "Accept-Post": {"schema": {"type": "string"}}, "Accept-Encoding": {"schema": {"type": "string"}}},
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}}}},
          "/accounts/v1/lost": {"get": {"operationId": "lost", "summary": "Is lost", "security": [{"bearer": []}],
            "responses": {"204": {"description": "Nothing."}}}},
          "/accounts/v1/gone": {"get": {"operationId": "gone", "summary": "Is gone",
            "responses": {"204": {"description": "Nothing."}}}}},
         "components": {"schemas": {
          "Note": {"type": "object", "required": ["text"], "additionalProperties": false,
            "properties": {"text": {"type": "string", "maxLength": 3}}},
          "Problem": {"type": "object", "additionalProperties": true}}}}
        """.utf8)

    static let operatorsOpenAPI = Array(
        """
        {"security": [{"session": []}], "paths": {
          "/accounts/v1/operator/notes": {"post": {"operationId": "tidy", "summary": "Tidies up",
            "responses": {"204": {"description": "Done."}}}},
          "/accounts/v1/operator/known": {"get": {"operationId": "known", "summary": "Is known",
            "responses": {"204": {"description": "Nothing."}}}}},
         "components": {"securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "session"}}}}
        """.utf8)

    static func build(_ context: ServiceContext<Settings>) async throws -> ServiceParts {
        var parts = ServiceParts()
        parts.operators(document: operatorsOpenAPI) { routes in
            routes.on(
                .post, "/accounts/v1/operator/notes",
                admitting: { (request) async throws in
                    guard request.cookie("session") != nil else { throw Problem.unauthorized("log in") }
                }
            ) { _, _ in .noContent }
            routes.on(.get, "/accounts/v1/operator/known", access: .anyone) { _ in .noContent }
            routes.on(.get, "/accounts/v1/operator/hidden", access: .anyone) { _ in .noContent }
        }
        parts.http { routes in
            routes.on(.post, "/accounts/v1/notes", access: .anyone) { request in
                try .json(try request.json(Note.self), status: .created)
            }
            routes.on(.get, "/accounts/v1/lost", access: .anyone) { _ in throw Problem.notFound }
            routes.on(.get, "/accounts/v1/hidden", access: .anyone) { _ in .noContent }
        }
        return parts
    }
}

@Suite struct DocumentWalkTests {
    @Test("NFR-09: what a document and its service do not have in common is found")
    func walk() async throws {
        try await TestService<NotesService>.with(settings: .init()) { service in
            let walk = try DocumentWalk(service.assembled) { kind, _ in
                try service.tokens.token(kind, account: .random())
            }
            let faults = try await walk.faults()
            let notes = "POST /accounts/v1/notes"
            for fault in [
                "GET /accounts/v1/gone is documented and not served",
                "GET /accounts/v1/hidden is served and not documented",
                "GET /accounts/v1/lost: security is documented and not needed",
                "GET /accounts/v1/lost 404: the status is not documented (`not-found`)",
                "GET /accounts/v1/lost: no example succeeds",
                "\(notes) 201: the request.text is too long (to /accounts/v1/notes {\"text\":\"aaaa\"})",
                "\(notes) 415: the code `unsupported-media-type` is not named",
                "\(notes) 422: the status is not documented (`invalid-request`)",
            ] {
                #expect(faults.contains { $0.hasPrefix(fault) }, "\(fault)")
            }
            #expect(!faults.contains { $0.contains("201: $.text is missing") })
            #expect(try await walk.faults(unsuccessful: [notes]).contains("\(notes): an example succeeds"))
        }
    }

    @Test("NFR-09: an exchange that the document does not say is an error of the test that asks")
    func errors() async throws {
        try await TestService<NotesService>.with(settings: .init()) { service in
            _ = try await service.call(.post, "/accounts/v1/notes", body: Array(#"{"text":"a"}"#.utf8))
            await #expect(throws: UndocumentedExchange.self) {
                _ = try await service.call(.post, "/accounts/v1/notes", body: Array(#"{"text":"aaaa"}"#.utf8))
            }
            await #expect(throws: UndocumentedExchange.self) {
                _ = try await service.call(.get, "/accounts/v1/hidden")
            }
        }
    }

    @Test("NFR-09: what the document about operators' routes and their listener do not have in common is found")
    func operators() async throws {
        try await TestService<NotesService>.with(settings: .init()) { service in
            let faults = try await DocumentWalk(operatorsOf: service.assembled, cookie: "session=1").faults()
            let notes = "POST /accounts/v1/operator/notes"
            for fault in [
                "GET /accounts/v1/operator/hidden is served and not documented",
                "GET /accounts/v1/operator/known: security is documented and not needed",
                "\(notes): `log-in-needed` is not documented", "\(notes): `cross-site-request` is not documented",
                "\(notes) 401: the status is not documented (`unauthorized`)",
                "\(notes) 422: the status is not documented (`invalid-request`)",
            ] {
                #expect(faults.contains { $0.hasPrefix(fault) }, "\(fault)")
            }
            #expect(!faults.contains { $0.contains("no example succeeds") })
        }
    }

    @Test(
        "NFR-09: an exchange with a service's own routes on the operators' listener that the document does not say is such an error, too"
    )
    func operatorsErrors() async throws {
        try await TestService<NotesService>.with(settings: .init()) { service in
            let session: HTTPFields = ["Cookie": "session=1"]
            let tidied = try await service.ask(.post, "/accounts/v1/operator/notes", fields: session)
            #expect(tidied.status == .noContent)
            #expect(try await service.ask("/healthz").status == .ok)
            await #expect(throws: UndocumentedExchange.self) {
                _ = try await service.ask(.post, "/accounts/v1/operator/notes")
            }
            await #expect(throws: UndocumentedExchange.self) {
                _ = try await service.ask("/accounts/v1/operator/hidden")
            }
        }
    }
}

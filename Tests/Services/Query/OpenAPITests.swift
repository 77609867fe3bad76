import HTTP
import JSON
import Postgres
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Query

@Suite struct OpenAPITests {
    private struct Operation: Sendable {
        let name: String
        let method: HTTPMethod
        let target: String
        let isForThirdParties: Bool
        /// Description by status.
        let responses: [String: String]
    }

    private static func operations() throws -> [Operation] {
        let document = try JSONDecoder().decode(JSONValue.self, from: QueryService.openAPI)
        var operations: [Operation] = []
        for (path, item) in document["paths"]?.members ?? [] {
            for (name, operation) in item.members where name != "parameters" {
                operations.append(
                    Operation(
                        name: "\(name) \(path)",
                        method: try #require(HTTPMethod.allCases.first { "\($0)".lowercased() == name }),
                        target: path.replacing("{id}", with: UUID.random().description),
                        isForThirdParties: !path.contains("/me/"),
                        responses: Dictionary(
                            uniqueKeysWithValues: (operation["responses"]?.members ?? []).map {
                                ($0.0, $0.1["description"]?.text ?? "")
                            })))
            }
        }
        return operations
    }

    /// Status and code of the answer, which the document must name.
    private func check(
        _ world: World, _ operation: Operation, token: String?, query: String = "", body: String = ""
    ) async throws -> Int {
        let response = try await world.service.call(
            operation.method, operation.target + query, token: token, body: Array(body.utf8))
        let status = Int(response.status.rawValue)
        guard status >= 400 else { return status }
        let problem = try JSONDecoder().decode(JSONValue.self, from: try await response.collectedBody())
        let code = try #require(problem["code"]?.text)
        let isNamed = operation.responses["\(status)"]?.contains("`\(code)`") == true
        #expect(isNamed, "\(operation.name) answers \(status) \(code)")
        return status
    }

    @Test("NFR-09: every operation is served, and the refusals that it answers with are in the OpenAPI document")
    func refusals() async throws {
        try await World.with { world in
            let tokens = world.service.tokens
            let person = try tokens.token(.individual, account: world.person)
            let company = try tokens.token(.thirdParty, account: world.company, scopes: ["requests", "groups"])
            let scopeless = try tokens.token(.thirdParty, account: world.company)
            let operations = try Self.operations()
            #expect(operations.count == 13)
            for operation in operations {
                let (token, wrong) = operation.isForThirdParties ? (company, person) : (person, company)
                #expect(try await check(world, operation, token: nil) == 401)
                #expect(try await check(world, operation, token: wrong) == 403)
                if operation.isForThirdParties {
                    #expect(try await check(world, operation, token: scopeless) == 403)
                }
                _ = try await check(world, operation, token: token)
                if operation.method == .get {
                    _ = try await check(world, operation, token: token, query: "?cursor=x")
                    _ = try await check(world, operation, token: token, query: "?limit=x&wait_ms=x")
                } else {
                    _ = try await check(world, operation, token: token, body: "{")
                }
            }
        }
    }

    @Test("NFR-09: every operation says what it answers while the database cannot be reached")
    func withoutDatabase() async throws {
        try await World.with { world in
            let tokens = world.service.tokens
            let person = try tokens.token(.individual, account: world.person)
            let company = try tokens.token(.thirdParty, account: world.company, scopes: ["requests", "groups"])
            await world.service.database.close()
            await world.statistics.close()
            for operation in try Self.operations() {
                let body =
                    switch operation.name {
                    case "post /query/v1/requests": World.draft
                    case "post /query/v1/group-requests": GroupRequestTests.question
                    default: ""
                    }
                #expect(
                    try await check(
                        world, operation, token: operation.isForThirdParties ? company : person, body: body) == 503,
                    "\(operation.name)")
            }
        }
    }
}

extension JSONValue {
    /// Of an object.
    fileprivate var members: [(String, JSONValue)] {
        if case .object(let object) = self { object.members.map { ($0.key, $0.value) } } else { [] }
    }
}

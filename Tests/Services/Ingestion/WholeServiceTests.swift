import Contracts
import Domain
import HTTP
import JSON
import Primitives
import RPC
import Security
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct WholeServiceTests {
    private struct Operation {
        let method: HTTPMethod
        let path: String
        let statuses: Set<String>
    }

    private func operations(_ document: JSONValue) throws -> [Operation] {
        guard case .object(let paths) = document["paths"] else { return [] }
        var result: [Operation] = []
        for path in paths.members {
            guard case .object(let operations) = path.value else { continue }
            for operation in operations.members {
                guard case .object(let responses) = operation.value["responses"] else { continue }
                let method = try #require(HTTPMethod.allCases.first { "\($0)".lowercased() == operation.key })
                result.append(
                    Operation(method: method, path: path.key, statuses: Set(responses.members.map(\.key))))
            }
        }
        return result
    }

    @Test("NFR-09: every operation of the OpenAPI document is served and lists what it answers; its references hold")
    func openAPI() async throws {
        let document = try JSONDecoder().decode(JSONValue.self, from: IngestionService.openAPI)
        let operations = try operations(document)
        #expect(document["openapi"] == .string("3.1.0") && operations.count == 6)
        try await IngestionTest.with { test in
            let account = UUID.random()
            let tokens = [
                nil, try test.token(of: account), try test.token(device: .random(), of: account),
                try test.service.tokens.token(.thirdParty, account: .random()),
            ]
            for operation in operations {
                for token in tokens {
                    for body in ["", "{", "{}"] {
                        let answer = try await test.service.call(
                            operation.method, operation.path, token: token, body: Array(body.utf8))
                        #expect(answer.status != .notFound && answer.status != .methodNotAllowed)
                        #expect(
                            operation.statuses.contains("\(answer.status.rawValue)"),
                            "\(operation.method) \(operation.path) \(answer.status)")
                    }
                }
            }
        }
        let text = String(decoding: IngestionService.openAPI, as: UTF8.self)
        for part in text.split(separator: "\"#/").dropFirst() {
            let reference = part.prefix { $0 != "\"" }.split(separator: "/").map(String.init)
            #expect(reference.reduce(document) { $0[$1] ?? .null } != .null)
        }
    }

    @Test("NFR-09: while tokens cannot be checked, every operation says so as the OpenAPI document has it")
    func withoutKeys() async throws {
        let operations = try operations(try JSONDecoder().decode(JSONValue.self, from: IngestionService.openAPI))
        let nobody = LocalCaller(router: RPCRouter(), as: "ingestion")
        try await IngestionTest.with(peers: ["accounts": nobody]) { test in
            let token = try test.token(of: .random())
            for operation in operations {
                let answer = try await test.service.call(operation.method, operation.path, token: token)
                #expect(answer.status == .serviceUnavailable && operation.statuses.contains("503"))
            }
        }
    }
}

import HTTP
import OpenAPITesting
import Primitives
import RPC
import Security
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct WholeServiceTests {
    @Test("NFR-09: while tokens cannot be checked, every operation says so as the OpenAPI document has it")
    func withoutKeys() async throws {
        let nobody = LocalCaller(router: RPCRouter(), as: "ingestion")
        try await IngestionTest.with(peers: ["accounts": nobody]) { test in
            let token = try test.token(of: .random())
            for operation in try APIDocument.of(IngestionService.openAPI).operations {
                let path = ["{import}", "{deletion}"].reduce(operation.path) {
                    $0.replacing($1, with: UUID.random().description)
                }
                let answer = try await test.service.call(operation.method, path, token: token)
                #expect(answer.status == .serviceUnavailable, "\(operation.name)")
            }
        }
    }
}

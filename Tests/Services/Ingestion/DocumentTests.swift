import HTTP
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct DocumentTests {
    @Test("NFR-09: the OpenAPI document says what is served, and the requests that it shows are answered as it says")
    func walk() async throws {
        try await IngestionTest.with { test in
            let (account, device) = (UUID.random(), UUID.random())
            let begun = try await test.service.call(
                .post, "/ingestion/v1/imports", token: try test.token(of: account), fields: ["Upload-Complete": "?0"])
            let path = try #require(begun.fields["Location"])
            let walk = try DocumentWalk(
                test.service.assembled, paths: ["/ingestion/v1/imports/{import}": path]
            ) { kind, scopes in
                kind == .device
                    ? try test.token(device: device, of: account)
                    : try test.service.tokens.token(kind, account: account, scopes: scopes)
            }
            let faults = try await walk.faults()
            #expect(faults == [])
        }
    }
}

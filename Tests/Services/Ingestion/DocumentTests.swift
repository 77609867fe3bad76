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
            _ = try await test.upload(1000, [heartRates([61])], device: device, of: account)
            let asked = try await test.post(
                "deletions", Array("{\"from\": \"2026-05-01T00:00:00Z\", \"to\": \"2026-05-02T00:00:00Z\"}".utf8),
                token: try test.token(of: account))
            let deletion = try #require(asked.fields["Location"])
            let walk = try DocumentWalk(
                test.service.assembled,
                paths: ["/ingestion/v1/imports/{import}": path, "/ingestion/v1/deletions/{deletion}": deletion]
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

import HTTP
import JSON
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await IngestionTest.with { test in
            let faults = try await AccessWalk.faults(
                in: test.service.assembled, tokens: test.service.tokens, open: [])
            #expect(faults == [])
        }
    }

    @Test(
        "NFR-05b: each RPC method is for the neighbours that this table names, and refuses everybody else before it looks at what they send"
    )
    func neighbours() async throws {
        try await IngestionTest.with { test in
            let faults = await ClientWalk.faults(
                in: test.service.assembled,
                table: [
                    "feed.read": ["query", "dispatcher", "track4run"],
                    "feed.snapshot": ["query", "dispatcher", "track4run"],
                    "ingestion.types": ["query"],
                    "ingestion.collected": ["query"],
                    "ingestion.read": ["query"],
                    "ingestion.read_many": ["query"],
                    "ingestion.read_end": ["query"],
                    "ingestion.aggregate": ["query"],
                    "ingestion.touched": ["query"],
                    "ingestion.read_gap": ["dispatcher", "track4run"],
                    "ingestion.close_days": ["simulator", "operator"],
                    "ingestion.publish_days": ["query"],
                    "ingestion.export": ["accounts"],
                    "ingestion.erasures": ["accounts"],
                ])
            #expect(faults == [])
        }
    }

    @Test("NFR-05: an imported file and a deletion are not there for anybody but their owner")
    func others() async throws {
        try await IngestionTest.with { test in
            let (account, stranger) = (UUID.random(), UUID.random())
            let imports = ImportTest(test: test, account: account)
            // Half of a file, which could be gone on with.
            let begun = try await imports.call(
                .post, "/ingestion/v1/imports",
                ["Content-Type": "application/gpx+xml", "Upload-Complete": "?0"], body: Array("<gpx".utf8))
            let file = try #require(begun.fields["Location"])
            _ = try await test.upload(1, [heartRates([60, 61])], device: .random(), of: account)
            let wish = #"{"from": "2026-05-01T00:00:00Z", "to": "2026-05-02T00:00:00Z"}"#
            let deletion = try #require(
                try await test.post("deletions", Array(wish.utf8), token: try test.token(of: account))
                    .fields["Location"])
            let patch = "PATCH /ingestion/v1/imports/:import"
            let faults = try await OwnershipWalk.faults(
                in: test.service.assembled,
                things: [
                    "/ingestion/v1/imports/:import": file, "/ingestion/v1/deletions/:deletion": deletion,
                ], bodies: [patch: " version"],
                fields: [
                    patch: [
                        "Content-Type": "application/partial-upload", "Upload-Offset": "4", "Upload-Complete": "?0",
                    ]
                ]
            ) { try test.service.tokens.token($0, account: stranger) }
            #expect(faults == [])
            #expect(try await imports.status(file).receivedBytes == 4)
            #expect(
                try await test.service.call(.get, deletion, token: try test.token(of: account)).status == .ok)
        }
    }
}

import Contracts
import Domain
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct ExportTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func counts(_ test: IngestionTest, of account: UUID) async throws -> [String: Int] {
        let caller = test.service.rpc(as: "accounts")
        return try await ExportPages.all { after in
            try await caller.call(
                Ingestion.Export.self, .init(accountID: account, kind: .individual, after: after))
        }
    }

    @Test("ACC-13: every sample is in the export, whether it is in a block or not, with the values of days")
    func everything() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, .init(accountID: account, kind: .individual, subject: 4))
            _ = try await test.upload(1, [heartRates([61, 62])], device: device, of: account)
            try await test.seal(account)
            _ = try await test.upload(2, [heartRates([63])], device: device, of: account)
            let position = SampleSeries(
                type: .position, start: IngestionTest.start, offsets: [0, 1000], latitudes: [45.46, 45.461],
                longitudes: [9.19, 9.191])
            _ = try await test.upload(3, [position], device: device, of: account)
            let counts = try await counts(test, of: account)
            #expect(
                counts.keys.sorted() == [
                    "samples/days.csv", "samples/heart-rate.csv", "samples/position.csv", "samples/position.gpx",
                ])
            let header = SampleCSV.headerWithSource.count
            #expect((counts["samples/heart-rate.csv"] ?? 0) > header + 3 * 60)
            #expect(try await self.counts(test, of: .random()).isEmpty)
        }
    }

    @Test("ACC-13: a long history comes in pages, with each day once")
    func pages() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, .init(accountID: account, kind: .individual, subject: 4))
            let days = 70
            for day in 0..<days {
                let start = IngestionTest.start - .seconds(86_400 * Int64(days - day))
                _ = try await test.upload(Int64(day + 1), [heartRates([61], from: start)], device: device, of: account)
            }
            let counts = try await counts(test, of: account)
            // All lines are equally long.
            let lines = try #require(counts["samples/heart-rate.csv"]) - SampleCSV.headerWithSource.count
            #expect(lines.isMultiple(of: days) && (80...130).contains(lines / days))
        }
    }
}

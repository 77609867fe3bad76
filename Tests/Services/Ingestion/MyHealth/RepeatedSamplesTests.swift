import Contracts
import Domain
import Feed
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct RepeatedSamplesTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private struct Series: Decodable {
        struct Bucket: Decodable {
            let count: Int
            let sum: Double?
        }
        let series: [SampleSeries]?
        let buckets: [Bucket]?
    }

    private let november = "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z"

    private func steps(_ values: [Double], from start: Timestamp) -> SampleSeries {
        SampleSeries(
            type: .steps, start: start, offsets: values.indices.map { Int64($0) * 60_000 }, values: values)
    }

    @Test(
        "ING-02c ING-06: what a source sends again under another number counts once; raw samples are those of all sources"
    )
    func sums() async throws {
        try await IngestionTest.with { test in
            let noon = Timestamp("2026-11-18T12:00:00Z")!
            try await test.change(
                1, .init(accountID: account, kind: .individual, subject: 7))
            _ = try await test.upload(2, [steps([30, 40], from: noon + .seconds(120))], device: device, of: account)
            _ = try await test.upload(1, [steps([10, 20, 30], from: noon)], device: device, of: account)
            _ = try await test.upload(3, [steps([40, 50], from: noon + .seconds(180))], device: device, of: account)
            _ = try await test.upload(1, [steps([10], from: noon)], device: .random(), of: account)
            let day: Series = try await test.decoded(
                try await test.get("series?type=steps&\(november)&granularity=day", of: account))
            // Of two sources of the same hour one counts; both are shown.
            #expect(day.buckets?.map(\.sum) == [150] && day.buckets?.map(\.count) == [5])
            let raw: Series = try await test.decoded(
                try await test.get("series?type=steps&\(november)", of: account))
            #expect(raw.series?.map(\.values) == [[10, 10, 20, 30, 40, 50]])
            #expect(try await test.close(through: "2026-11-18") == 1)
            let events = try await test.events(Ingestion.rollupsFeed, as: "query")
            let days = try events.filter { $0.kind == "day" }.map { try $0.decode(Ingestion.DayRollups.self) }
            // Of two sources of the same hour one counts.
            #expect(days.map(\.values) == [[150]])
        }
    }

    @Test(
        "ING-06e: every so many samples stay of what has no order, the first and the last among them", arguments: 2...7)
    func spread(_ countMax: Int) {
        let kept = Thinning.spread(100, countMax: countMax)
        #expect(kept.count == countMax && kept.first == 0 && kept.last == 99 && kept == kept.sorted())
        #expect(Thinning.spread(3, countMax: countMax).count == min(3, countMax))
    }
}

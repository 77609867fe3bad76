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

    @Test("ING-02c ING-06: what a source sends again under another number counts once, sources by themselves")
    func sums() async throws {
        try await IngestionTest.with { test in
            let noon = Timestamp("2026-11-18T12:00:00Z")!
            try await test.change(
                1, .init(accountID: account, kind: .individual, state: .active, subject: 7))
            _ = try await test.upload(2, [steps([30, 40], from: noon + .seconds(120))], device: device, of: account)
            _ = try await test.upload(1, [steps([10, 20, 30], from: noon)], device: device, of: account)
            _ = try await test.upload(3, [steps([40, 50], from: noon + .seconds(180))], device: device, of: account)
            _ = try await test.upload(1, [steps([10], from: noon)], device: .random(), of: account)
            let day: Series = try await test.decoded(
                try await test.get("series?type=steps&\(november)&granularity=day", of: account))
            #expect(day.buckets?.map(\.sum) == [160] && day.buckets?.map(\.count) == [6])
            let raw: Series = try await test.decoded(
                try await test.get("series?type=steps&\(november)", of: account))
            #expect(raw.series?.map(\.values) == [[10, 10, 20, 30, 40, 50]])
            let closed = try await test.service.rpc(as: "simulator").call(
                Ingestion.CloseDays.self, .init(through: CalendarDate("2026-11-18")!))
            #expect(closed.rollups == 1)
            let events = try await test.events(Ingestion.rollupsFeed, as: "query")
            let days = try events.filter { $0.kind == "day" }.map { try $0.decode(Ingestion.DayRollups.self) }
            #expect(days.map(\.values) == [[160]])
        }
    }

    private func batch(_ times: some Sequence<Int64>) -> SampleBatch {
        SampleBatch(values: [ValueColumn(type: .steps, times: Array(times), values: times.map { $0 % 7 })])
    }

    @Test("Batches in the order of their beginnings are handed on as they become complete, each sample once")
    func merges() throws {
        var merge = SampleMerge(gatherMin: 1000)
        var seen: [Int64] = []
        var most = 0
        func take(_ pieces: [SampleMerge.Piece]) {
            for piece in pieces { seen += piece.column.times[piece.range] }
        }
        for start in stride(from: Int64(0), to: 10_000, by: 100) {
            // Each half is sent twice.
            take(try merge.add(batch(start..<start + 150), from: 1, types: .max, from: 0, to: 9900))
            most = max(most, Int(start) - seen.count)
        }
        #expect(most < 4000 && seen.count > 5000)
        take(merge.finish())
        let isComplete = seen == Array(0..<9900)
        #expect(isComplete)
    }

    @Test("What lies one over the other beyond measure is refused, and not kept")
    func overlap() throws {
        var merge = SampleMerge(overlapMax: 10_000, gatherMin: 1000)
        #expect(throws: SampleMerge.Overlap.self) {
            for number in Int64(0)..<30 {
                let times = (0..<Int64(1000)).map { $0 * 30 + number }
                _ = try merge.add(batch(times), from: 1, types: .max, from: 0, to: .max)
            }
        }
    }
}

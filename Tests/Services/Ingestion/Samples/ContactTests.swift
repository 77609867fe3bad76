import Contracts
import Domain
import Feed
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Ingestion

/// `contact` from the upload to every answer.
@Suite struct ContactTests {
    private let account = UUID.random()
    private let device = UUID.random()
    private let november = "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z"

    private struct Series: Decodable {
        struct Bucket: Decodable {
            let count: Int
            let min: Double?
        }
        let series: [SampleSeries]?
        let buckets: [Bucket]?
    }

    private struct Answer: Decodable {
        struct Statistics: Decodable {
            let count: Int
            let mean: Double?
            let min: Double?
        }
        let statistics: Statistics
        let withoutContact: Int?
    }

    /// A lost sensor, a heart that stands still, two beats; from a device that tells contact.
    private var told: SampleSeries {
        var series = heartRates([0, 0, 60, 70], from: Timestamp("2026-11-18T12:00:00Z")!)
        series.contact = [false, true, true, false]
        return series
    }

    @Test("SOS-11 REQ-08: readings without contact are stored as such, shown as such, and are no values")
    func kept() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, .init(accountID: account, kind: .individual, subject: 7))
            _ = try await test.upload(1, [told], device: device, of: account)
            #expect(try await test.read(account).series == [told])
            let raw: Series = try await test.decoded(
                try await test.get("series?type=heart-rate&\(november)", of: account))
            var shown = told
            shown.zoneOffset = .utc
            #expect(raw.series == [shown])
            let days: Series = try await test.decoded(
                try await test.get("series?type=heart-rate&\(november)&granularity=day", of: account))
            #expect(days.buckets?.map(\.count) == [2] && days.buckets?.map(\.min) == [0])
            let statistics: Answer = try await test.decoded(
                try await test.get("statistics?type=heart-rate&\(november)", of: account))
            // 0 for a second, then 60 for 5 minutes.
            let weighed = try #require(statistics.statistics.mean)
            #expect(statistics.statistics.count == 2 && abs(weighed - 60 * 300 / 301.0) < 1e-9)
            #expect(statistics.statistics.min == 0 && statistics.withoutContact == 2)
            struct Latest: Decodable {
                struct Sample: Decodable { let contact: Bool? }
                let latest: [Sample]
            }
            let latest: Latest = try await test.decoded(try await test.get("latest", of: account))
            #expect(latest.latest.map(\.contact) == [false])
            _ = try await test.close(through: "2026-11-18")
            let rollups = try await test.events(Ingestion.rollupsFeed, as: "query").filter { $0.kind == "day" }
            let values = try rollups.flatMap { try $0.decode(Ingestion.DayRollups.self).values }
            // The heart stood still for a second; 60 holds for 5 minutes.
            let mean: Double = 60 * 300 / 301
            #expect(values.count == 1 && abs((values.first ?? 0) - mean) < 0.01)
        }
    }

    @Test("Of a device that does not tell contact, a rate of 0 is a reading without it, and 0 steps are steps")
    func notTold() async throws {
        try await IngestionTest.with { test in
            let noon = Timestamp("2026-11-18T12:00:00Z")!
            let rates = heartRates([0, 60], from: noon)
            _ = try await test.upload(1, [rates, single(.steps, 0, at: noon)], device: device, of: account)
            #expect(try await test.read(account, [.heartRate]).series == [rates])
            let answer: Answer = try await test.decoded(
                try await test.get("statistics?type=heart-rate&\(november)", of: account))
            #expect(answer.statistics.count == 1 && answer.withoutContact == 1)
            let steps: Answer = try await test.decoded(
                try await test.get("statistics?type=steps&\(november)", of: account))
            #expect(steps.statistics.count == 1)
            #expect(!rates.hasContact(0) && rates.hasContact(1))
        }
    }

    @Test("Columns of devices that tell contact and of others fit together")
    func mixed() {
        var column = ValueColumn(type: .heartRate, times: [1, 2], values: [0, 600])
        column.append(
            0..<2, of: ValueColumn(type: .heartRate, times: [3, 4], values: [0, 0], contacts: [true, false]))
        column.append(time: 5, value: 0)
        #expect(column.contacts == [false, true, true, false, false])
        var other = ValueColumn(type: .heartRate, times: [1], values: [600], contacts: [true])
        other.append(0..<1, of: ValueColumn(type: .heartRate, times: [0], values: [0]))
        other.normalize()
        #expect(other.times == [0, 1] && other.contacts == [false, true])
    }

    @Test("ING-02c: repeats with the same contact disappear, and readings that differ in it stay")
    func repeats() {
        var column = ValueColumn(
            type: .heartRate, times: [2, 1, 2, 2], values: [5, 5, 5, 5], contacts: [true, true, false, true])
        column.normalize()
        #expect(
            column
                == ValueColumn(type: .heartRate, times: [1, 2, 2], values: [5, 5, 5], contacts: [true, false, true]))
    }

    @Test("ING-06e: a thinned series keeps the least value of the person, not the zeros of a lost sensor")
    func thinned() {
        var column = ValueColumn(type: .heartRate)
        for index in 0..<100 {
            column.append(time: Int64(index), value: index % 3 == 0 ? 0 : 600 + Int64(index), contact: index % 3 != 0)
        }
        let kept = Thinning.kept(column, countMax: 10)
        #expect(kept.count == 10)
        for index in kept { #expect(column.hasContact(index)) }
    }
}

import Contracts
import Domain
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// Local days, and which of several sources counts, in what people see of their samples.
@Suite struct CountedSamplesTests {
    private let account = UUID.random()
    private let phone = UUID.random()
    private let watch = UUID.random()
    private let november = "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z"

    private struct Series: Decodable {
        struct Bucket: Decodable {
            let start: Timestamp
            let date: CalendarDate?
            let count: Int
            let sum: Double?
            let mean: Double?
            let states: [String: Double]?
        }
        let buckets: [Bucket]?
        let series: [SampleSeries]?
    }

    private struct Answer: Decodable {
        struct Statistics: Decodable {
            let count: Int
            let mean: Double?
            let median: Double?
        }
        let basis: String
        let statistics: Statistics
        let states: [String: Double]?
    }

    private func change(
        _ test: IngestionTest, _ version: Int64, zone: String, _ preferred: [SourcePreference] = []
    ) async throws {
        try await test.change(
            version,
            .init(
                accountID: account, kind: .individual, subject: 7,
                person: .init(
                    zone: TimeZoneName(zone)!, language: .english, birthDate: CalendarDate("1980-01-01")!, sex: .female,
                    preferredSources: preferred)),
            keys: SubjectKeys(store: test.keyStore, cipher: FieldCipher(test.service.context.keys.fields)))
    }

    private func series(_ test: IngestionTest, _ query: String) async throws -> Series {
        try await test.decoded(try await test.get("series?\(query)", of: account))
    }

    private func interval(
        _ type: DataType, _ value: Double, _ start: String, hours: Double, zone: Int? = nil
    ) -> SampleSeries {
        SampleSeries(
            type: type, start: Timestamp(start)!, offsets: [0], durations: [Int64(hours * 3_600_000)],
            zoneOffset: zone.flatMap(ZoneOffset.init(minutes:)), values: [value])
    }

    @Test(
        "ING-06c: days are the person's local days; intervals are split at midnight, sleep belongs to the day it ends")
    func localDays() async throws {
        try await IngestionTest.with { test in
            try await change(test, 1, zone: "Europe/Rome")
            // 23:30 to 00:30 in Rome; 23:00 in New York, where the phone says it is.
            _ = try await test.upload(
                1,
                [
                    interval(.steps, 100, "2026-11-17T22:30:00Z", hours: 1),
                    interval(.steps, 7, "2026-11-17T04:00:00Z", hours: 0, zone: -300),
                    interval(.sleep, 420, "2026-11-17T21:30:00Z", hours: 8),
                ], device: phone, of: account)
            for isSealed in [false, true] {
                if isSealed { _ = try await test.seal(account) }
                let days = try await series(test, "type=steps&\(november)&granularity=day")
                #expect(days.buckets?.map(\.date?.description) == ["2026-11-16", "2026-11-17", "2026-11-18"])
                #expect(days.buckets?.map(\.sum) == [7, 50, 50] && days.buckets?.map(\.count) == [1, 1, 0])
                #expect(days.buckets?.last?.start == Timestamp("2026-11-17T23:00:00Z")!)
                let hours = try await series(
                    test, "type=steps&from=2026-11-17T22:00:00Z&to=2026-11-18T00:00:00Z&granularity=hour")
                #expect(hours.buckets?.map(\.start.description) == ["2026-11-17T22:00:00Z", "2026-11-17T23:00:00Z"])
                let sleep = try await series(test, "type=sleep&\(november)&granularity=day")
                #expect(sleep.buckets?.map(\.date?.description) == ["2026-11-18"] && sleep.buckets?.map(\.sum) == [420])
                let week = try await series(test, "type=steps&\(november)&granularity=week")
                #expect(week.buckets?.map(\.sum) == [107] && week.buckets?.map(\.date?.description) == ["2026-11-16"])
                let minutes = try await series(
                    test, "type=steps&from=2026-11-17T22:30:00Z&to=2026-11-17T22:33:00Z&granularity=minute")
                #expect(minutes.buckets?.count == 3)
                #expect(minutes.buckets?.compactMap(\.sum).reduce(0, +) == 5)
            }
        }
    }

    @Test("ING-06 ACC-14d: a person's preferred source counts in each hour that it measured, and the others are kept")
    func preferred() async throws {
        try await IngestionTest.with { test in
            try await change(test, 1, zone: "UTC")
            _ = try await test.upload(
                1, [interval(.steps, 500, "2026-11-17T10:00:00Z", hours: 2)], device: phone, of: account)
            _ = try await test.upload(
                1, [interval(.steps, 300, "2026-11-17T10:00:00Z", hours: 1)], device: watch, of: account)
            _ = try await test.seal(account)
            let first = try await series(test, "type=steps&\(november)&granularity=day")
            #expect(first.buckets?.map(\.sum) == [500])
            try await change(
                test, 2, zone: "UTC", [SourcePreference(dataType: .steps, sources: [.device(watch)])])
            let second = try await series(test, "type=steps&\(november)&granularity=day")
            #expect(second.buckets?.map(\.sum) == [550])
            let raw = try await series(test, "type=steps&\(november)")
            #expect(raw.series?.reduce(0) { $0 + $1.count } == 2)
            let answer: Answer = try await test.decoded(
                try await test.get("statistics?type=steps&\(november)", of: account))
            #expect(answer.basis == "day-sums" && answer.statistics.mean == 550)
        }
    }

    @Test("ING-06d: of counters and states counts what lies in the span")
    func partsOfDays() async throws {
        try await IngestionTest.with { test in
            try await change(test, 1, zone: "Europe/Rome")
            _ = try await test.upload(
                1,
                [
                    interval(.steps, 300, "2026-11-17T10:00:00Z", hours: 3),
                    interval(.activity, 3, "2026-11-17T10:00:00Z", hours: 3),
                ], device: phone, of: account)
            func answer(_ query: String) async throws -> Answer {
                try await test.decoded(try await test.get("statistics?\(query)", of: account))
            }
            let hour = "from=2026-11-17T11:00:00Z&to=2026-11-17T12:00:00Z"
            let steps = try await answer("type=steps&\(hour)")
            #expect(steps.basis == "hour-sums" && steps.statistics.count == 1 && steps.statistics.mean == 100)
            #expect(try await answer("type=activity&\(hour)").states == ["3": 3600])
            // The day has begun before, or is not over.
            for part in [
                "from=2026-11-17T00:00:00Z&to=2026-11-17T23:00:00Z",
                "from=2026-11-16T23:00:00Z&to=2026-11-17T22:59:00Z",
            ] {
                let part = try await answer("type=steps&\(part)")
                #expect(part.basis == "hour-sums" && part.statistics.count == 3)
            }
            let day = try await answer("type=steps&from=2026-11-16T23:00:00Z&to=2026-11-17T23:00:00Z")
            #expect(day.basis == "day-sums" && day.statistics.count == 1 && day.statistics.mean == 300)
        }
    }

    @Test("ING-06c: each of the two hours that a clock shows twice has what was measured in it")
    func clockPutBack() async throws {
        try await IngestionTest.with { test in
            try await change(test, 1, zone: "Europe/Rome")
            _ = try await test.upload(
                1,
                [
                    interval(.steps, 10, "2025-10-26T00:00:00Z", hours: 1),
                    interval(.steps, 20, "2025-10-26T01:00:00Z", hours: 1),
                ], device: phone, of: account)
            for isSealed in [false, true] {
                if isSealed { _ = try await test.seal(account) }
                for granularity in ["hour", "minute"] {
                    let found = try await series(
                        test, "type=steps&from=2025-10-26T01:00:00Z&to=2025-10-26T02:00:00Z&granularity=\(granularity)")
                    let sum = (found.buckets ?? []).compactMap(\.sum).reduce(0, +)
                    #expect(abs(sum - 20) < 1e-9 && found.buckets?.first?.start == Timestamp("2025-10-26T01:00:00Z")!)
                }
            }
        }
    }

    @Test("ING-06d: time in each state; beyond a month rates are computed from the summaries of days, and it says so")
    func longSpans() async throws {
        try await IngestionTest.with { test in
            let run = 3
            _ = try await test.upload(
                1,
                [
                    interval(.activity, Double(run), "2026-11-17T10:00:00Z", hours: 0.5),
                    interval(.activity, 0, "2026-11-17T10:30:00Z", hours: 1),
                    heartRates((0..<100).map { 60 + Double($0 % 11) }, from: Timestamp("2026-10-01T08:00:00Z")!),
                    heartRates([80], from: Timestamp("2026-11-17T08:00:00Z")!),
                ], device: phone, of: account)
            let states: Answer = try await test.decoded(
                try await test.get("statistics?type=activity&\(november)", of: account))
            #expect(states.basis == "state-times" && states.states == [String(run): 1800, "0": 3600])
            for isSealed in [false, true] {
                if isSealed { _ = try await test.seal(account) }
                let year: Answer = try await test.decoded(
                    try await test.get(
                        "statistics?type=heart-rate&from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z", of: account))
                #expect(year.basis == "day-summaries" && year.statistics.count == 101)
                let median = try #require(year.statistics.median)
                #expect(abs(median - 65) <= 1)
            }
        }
    }

    @Test(
        "ING-06: the last reading of a span holds until the next one, which is after it, and to the end of the span at most"
    )
    func lastReading() async throws {
        try await IngestionTest.with { test in
            let noon = Timestamp("2026-11-17T12:00:00Z")!
            let values = (0..<21).map { $0 == 19 ? 120.0 : 60 }
            _ = try await test.upload(
                1,
                [
                    SampleSeries(
                        type: .heartRate, start: noon, offsets: values.indices.map { Int64($0) * 30_000 },
                        values: values)
                ],
                device: phone, of: account)
            // In the second span the reading of 12:09:30 holds for 15 of 585 seconds.
            for (to, mean) in [("12:10:00", 63), ("12:09:45", (570 * 60 + 15 * 120) / 585.0)] {
                let answer: Answer = try await test.decoded(
                    try await test.get(
                        "statistics?type=heart-rate&from=2026-11-17T12:00:00Z&to=2026-11-17T\(to)Z", of: account))
                let found = try #require(answer.statistics.mean)
                #expect(answer.statistics.count == 20 && abs(found - mean) < 1e-6)
            }
        }
    }

    @Test("ING-06c: hours that were measured in another zone than the person's are there, whatever day they lie on")
    func otherZone() async throws {
        try await IngestionTest.with { test in
            try await change(test, 1, zone: "Europe/Rome")
            // 21:30 to 22:30 of the day before in New York.
            _ = try await test.upload(
                1, [interval(.steps, 100, "2026-11-18T02:30:00Z", hours: 1, zone: -300)], device: phone, of: account)
            let hours = try await series(
                test, "type=steps&from=2026-11-18T00:00:00Z&to=2026-11-19T00:00:00Z&granularity=hour")
            #expect(hours.buckets?.map(\.start.description) == ["2026-11-18T02:00:00Z", "2026-11-18T03:00:00Z"])
            #expect(hours.buckets?.map(\.sum) == [50, 50])
        }
    }

    @Test("ING-06 ACC-14d: around midnight, too, one source counts in each hour, minute by minute")
    func minutesAroundMidnight() async throws {
        try await IngestionTest.with { test in
            try await change(test, 1, zone: "UTC", [SourcePreference(dataType: .steps, sources: [.device(phone)])])
            _ = try await test.upload(
                1, [interval(.steps, 1200, "2026-11-17T23:30:00Z", hours: 1)], device: phone, of: account)
            _ = try await test.upload(
                1, [interval(.steps, 960, "2026-11-18T00:00:00Z", hours: 1)], device: watch, of: account)
            let span = "type=steps&from=2026-11-18T00:00:00Z&to=2026-11-18T01:00:00Z"
            let minutes = try await series(test, "\(span)&granularity=minute")
            let hours = try await series(test, "\(span)&granularity=hour")
            #expect(hours.buckets?.map(\.sum) == [600])
            #expect(minutes.buckets?.compactMap(\.sum).reduce(0, +) == 600 && minutes.buckets?.count == 30)
        }
    }
}

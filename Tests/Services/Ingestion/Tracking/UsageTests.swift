import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct UsageTests {
    private let account = UUID.random()
    private let device = UUID.random()
    private let noon = Timestamp("2026-11-18T12:00:00Z")!

    private struct Usage: Decodable {
        struct OfType: Decodable {
            let type: DataType
            let bytes: Int64
            let days: Int
            let firstDay: CalendarDate
            let samplesSince: CalendarDate?
        }
        let quotaBytes: Int64
        let usedBytes: Int64
        let waitingBytes: Int64
        let types: [OfType]
    }

    /// Noise, which does not compress, on so many days.
    private func fill(_ test: IngestionTest, _ days: Range<Int>) async throws {
        for day in days {
            let values = (0..<600).map { 60 + Double(($0 &* 7919 &+ day &* 104_729) % 400) / 10 }
            _ = try await test.upload(
                Int64(day + 1), [heartRates(values, from: noon - .seconds(86_400 * day))], device: device, of: account)
        }
    }

    private func usage(_ test: IngestionTest) async throws -> Usage {
        try await test.decoded(try await test.get("usage", of: account))
    }

    private func sealer(_ test: IngestionTest, _ quotaBytes: Int64) -> Sealer {
        Sealer(
            database: test.database, keys: test.keys, threads: .computing, observer: test.service.context.observer,
            quotaBytes: quotaBytes)
    }

    @Test("ING-10c: used bytes, the quota, and the oldest samples by type are shown, also of what is in no block yet")
    func shown() async throws {
        try await IngestionTest.with { test in
            let nothing = try await usage(test)
            #expect(nothing.usedBytes == 0 && nothing.types.isEmpty && nothing.quotaBytes == 10 << 20)
            try await fill(test, 0..<5)
            let before = try await usage(test)
            #expect(before.waitingBytes > 1000 && before.usedBytes == before.waitingBytes && before.types.isEmpty)
            try await test.seal(account)
            let after = try await usage(test)
            let rates = try #require(after.types.first)
            #expect(after.waitingBytes == 0 && after.types.count == 1 && after.usedBytes == rates.bytes)
            #expect(rates.type == .heartRate && rates.days == 5 && rates.bytes > 1000)
            #expect(rates.firstDay == CalendarDate("2026-11-14") && rates.samplesSince == CalendarDate("2026-11-14"))
        }
    }

    @Test("ING-10a ING-10b: what is stored stays within the quota; beyond it the oldest samples go, their sums stay")
    func quota() async throws {
        try await IngestionTest.with { test in
            try await fill(test, 0..<4)
            try await test.seal(account)
            let quota = try await usage(test).usedBytes
            // Older and newer ones come, and twice as much as fits, at once.
            try await fill(test, 4..<12)
            try await sealer(test, quota).seal(try await test.number(of: account))
            let full = try await usage(test)
            let rates = try #require(full.types.first)
            #expect(full.usedBytes <= quota && full.usedBytes > quota / 2)
            #expect(rates.days == 12 && rates.firstDay == CalendarDate("2026-11-07"))
            let oldest = try #require(rates.samplesSince)
            #expect(oldest > CalendarDate("2026-11-14")! && oldest <= CalendarDate("2026-11-18")!)
            // All days older than that have lost theirs, none newer has.
            let kept = try await test.database.query(
                "select day from block where samples is not null order by day", as: CalendarDate.self)
            #expect(kept.first == oldest && kept.last == CalendarDate("2026-11-18"))
            #expect(kept.count == Int(CalendarDate("2026-11-18")!.daysSinceEpoch - oldest.daysSinceEpoch) + 1)
            let sums = try await test.database.queryOne(
                "select sum(octet_length(summary) + coalesce(octet_length(samples), 0))::bigint from block",
                as: Int64.self)
            #expect(sums == full.usedBytes)
        }
    }

    @Test("ING-10b: summaries leave half of the quota to samples, whatever they take")
    func summaries() {
        func excess(_ samples: Int64, _ summaries: Int64) -> Int64 {
            BlockBytes(samples: samples, summaries: summaries).excess(over: 100)
        }
        #expect(excess(60, 40) == 0 && excess(70, 40) == 10 && excess(50, 900) == 0 && excess(51, 900) == 1)
    }

    @Test("ING-13 ING-10b: statistics of days whose samples had to go come from their summaries, and say so")
    func statistics() async throws {
        try await IngestionTest.with { test in
            struct Answer: Decodable {
                struct Statistics: Decodable { let count: Int }
                let basis: String
                let statistics: Statistics
            }
            try await fill(test, 0..<3)
            try await test.seal(account)
            func answer(_ from: String, _ to: String) async throws -> Answer {
                try await test.decoded(
                    try await test.get(
                        "statistics?type=heart-rate&from=\(from)T00:00:00Z&to=\(to)T00:00:00Z", of: account))
            }
            let whole = try await answer("2026-11-10", "2026-11-20")
            #expect(whole.basis == "samples" && whole.statistics.count > 0)
            try await test.database.execute("update block set samples = null where day < '2026-11-18'")
            let same = try await answer("2026-11-10", "2026-11-20")
            #expect(same.basis == "day-summaries" && same.statistics.count == whole.statistics.count)
            #expect(try await answer("2026-11-18", "2026-11-20").basis == "samples")
        }
    }

    @Test(
        "ING-10b ING-06: what comes for a day whose samples had to go is added to hours without any, and changes no others"
    )
    func late() async throws {
        try await IngestionTest.with { test in
            struct Series: Decodable {
                struct Bucket: Decodable, Equatable {
                    let date: CalendarDate?
                    let count: Int
                    let mean: Double?
                }
                let buckets: [Bucket]
            }
            func days() async throws -> [Series.Bucket] {
                let path = "series?type=heart-rate&granularity=day&from=2026-11-15T12:00:00Z&to=2026-11-18T20:00:00Z"
                let series: Series = try await test.decoded(try await test.get(path, of: account))
                return series.buckets
            }
            try await fill(test, 0..<3)
            try await test.seal(account)
            try await test.database.execute("update block set samples = null where day <= '2026-11-17'")
            let before = try await days()
            #expect(before.map(\.count) == [600, 600, 600])
            let day = noon - .seconds(86_400)
            func upload(_ number: Int64) async throws {
                _ = try await test.upload(
                    number,
                    [
                        heartRates([190], from: day + .seconds(1800)),
                        heartRates([70, 80], from: day + .seconds(3600)),
                        heartRates([191], from: noon + .seconds(3600)),
                    ], device: device, of: account)
            }
            try await upload(50)
            let unsealed = try await days()
            #expect(unsealed.map(\.count) == [600, 602, 601] && unsealed.first == before.first)
            try await test.seal(account)
            #expect(try await days() == unsealed)
            let metrics = String(decoding: await test.service.assembled.metrics.text(), as: UTF8.self)
            #expect(metrics.contains("trackme_ingestion_samples_dropped_total 1\n"))
            let isCounted = try await test.database.queryOne(
                "select summary_bytes = (select sum(octet_length(summary)) from block) from person", as: Bool.self)
            #expect(isCounted == true)
            // Repeats are in hours that are known by now.
            try await upload(51)
            try await test.seal(account)
            #expect(try await days() == unsealed)
            let later = String(decoding: await test.service.assembled.metrics.text(), as: UTF8.self)
            #expect(later.contains("trackme_ingestion_samples_dropped_total 4\n"))
        }
    }
}

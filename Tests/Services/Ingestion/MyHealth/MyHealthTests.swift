import Contracts
import Domain
import HTTP
import Primitives
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct MyHealthTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private struct Latest: Decodable {
        struct Sample: Decodable {
            let type: DataType
            let time: Timestamp
            let value: Double?
            let latitude: Double?
        }
        let latest: [Sample]
    }

    private struct Series: Decodable {
        struct Bucket: Decodable, Equatable {
            let start: Timestamp
            let count: Int
            let mean: Double?
            let sum: Double?
        }
        struct Thinned: Decodable {
            let samples: Int
            let shown: Int
        }
        let unit: String
        let series: [SampleSeries]?
        let buckets: [Bucket]?
        let thinned: Thinned?
    }

    private struct Answer: Decodable {
        struct Statistics: Decodable {
            let count: Int
            let mean: Double?
            let median: Double?
            let variance: Double?
            let standardDeviation: Double?
            let standardError: Double?
            let percentiles: [String: Double]
            let tooFew: [String]
        }
        let basis: String
        let weights: String
        let statistics: Statistics
    }

    private let november = "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z"

    @Test("ING-06a: the newest value of each data type, also when it arrived before older ones")
    func latest() async throws {
        try await IngestionTest.with { test in
            let start = IngestionTest.start
            let position = SampleSeries(
                type: .position, start: start - .seconds(90), offsets: [0, 1000], latitudes: [45.4, 45.5],
                longitudes: [9.2, 9.2])
            _ = try await test.upload(1, [heartRates([61, 62]), position], device: device, of: account)
            _ = try await test.upload(
                2,
                [heartRates([50, 51], from: start - .seconds(900)), single(.weight, 70, at: start - .seconds(9000))],
                device: device, of: account)
            let answer: Latest = try await test.decoded(try await test.get("latest", of: account))
            #expect(answer.latest.map(\.type) == [.position, .heartRate, .weight])
            #expect(answer.latest.map(\.value) == [nil, 62, 70])
            #expect(answer.latest[0].latitude == 45.5)
            let nobody: Latest = try await test.decoded(try await test.get("latest", of: .random()))
            #expect(nobody.latest.isEmpty)
        }
    }

    @Test("ING-06c: series at every granularity; zeros of a sensor without contact are shown raw and not in means")
    func series() async throws {
        try await IngestionTest.with { test in
            let midnight = Timestamp("2026-11-16T00:00:00Z")!  // a Monday
            _ = try await test.upload(
                1, [heartRates([60, 70, 0, 80, 90], from: midnight - .seconds(2))], device: device, of: account)
            _ = try await test.upload(2, [heartRates([100], from: midnight)], device: device, of: account)
            func get(_ granularity: String) async throws -> Series {
                try await test.decoded(
                    try await test.get("series?type=heart-rate&\(november)&granularity=\(granularity)", of: account))
            }
            let raw = try await get("raw")
            #expect(raw.unit == "/min" && raw.thinned == nil)
            #expect(raw.series?.map(\.values) == [[60, 70, 0, 100, 80, 90]])
            let expected: [Series.Bucket] = [
                .init(start: Timestamp("2026-11-15T00:00:00Z")!, count: 2, mean: 65, sum: nil),
                .init(start: midnight, count: 3, mean: 90, sum: nil),
            ]
            #expect(try await get("day").buckets == expected)
            #expect(try await get("week").buckets?.map(\.start) == [Timestamp("2026-11-09T00:00:00Z")!, midnight])
            // The last one holds for 5 minutes, the others for a second each.
            let mean = try #require(try await get("month").buckets?.first?.mean)
            #expect(abs(mean - (60 + 70 + 100 + 80 + 90 * 300) / 304) < 1e-9)
            #expect(try await get("minute").buckets?.map(\.count) == [2, 3])
        }
    }

    @Test("ING-06b: samples, and sums by hour or day, come as a table, whole, which is imported as it was")
    func tables() async throws {
        try await IngestionTest.with { test in
            func table(_ query: String) async throws -> [String] {
                let span = "from=2026-11-18T00:00:00Z&to=2026-11-20T00:00:00Z&max_points=2"
                let response = try await test.service.call(
                    .get, "/ingestion/v1/me/series?\(query)&\(span)", token: try test.token(of: account),
                    fields: ["Accept": "text/csv"])
                #expect(response.contentType == .csv)
                let body = String(decoding: try await response.collectedBody(), as: UTF8.self)
                #expect(body.hasSuffix("\r\n"))
                return body.split(separator: "\r\n").map(String.init)
            }
            let noon = Timestamp("2026-11-18T12:00:00Z")!
            let walk = SampleSeries(
                type: .steps, start: noon, offsets: [0], durations: [3_600_000], zoneOffset: ZoneOffset(minutes: 60),
                values: [1200])
            let still = SampleSeries(
                type: .activity, start: noon, offsets: [0], durations: [7_200_000],
                values: [Activity(.walking).value])
            _ = try await test.upload(
                1, [heartRates([61, 62.5, 0, 64], from: noon), walk, still], device: device, of: account)
            let end = ",device \(device)"
            let raw = try await table("type=heart-rate")
            #expect(
                raw == [
                    "type,time,value,unit,latitude,longitude,altitude,accuracy,contact,duration_ms,zone_offset,source",
                    "heart-rate,2026-11-18T12:00:00Z,61,/min,,,,,true,,Z\(end)",
                    "heart-rate,2026-11-18T12:00:01Z,62.5,/min,,,,,true,,Z\(end)",
                    "heart-rate,2026-11-18T12:00:02Z,0,/min,,,,,false,,Z\(end)",
                    "heart-rate,2026-11-18T12:00:03Z,64,/min,,,,,true,,Z\(end)",
                ])
            let steps = try await table("type=steps")
            #expect(steps.last == "steps,2026-11-18T12:00:00Z,1200,{steps},,,,,,3600000,+01:00\(end)")
            let report = imported(
                (raw + steps.dropFirst()).joined(separator: "\r\n") + "\r\n", by: CSVImporter(clock: testClock)
            ).report
            #expect(report.failure == nil && report.taken == [.heartRate: 3, .steps: 1])
            #expect(
                try await table("type=steps&granularity=day") == [
                    "start,date,type,unit,count,mean,sum,min,max,state,seconds",
                    "2026-11-18T00:00:00Z,2026-11-18,steps,{steps},1,,1200,1200,1200,,",
                ])
            let states = try await table("type=activity&granularity=hour")
            #expect(states.count == 3 && states.allSatisfy { $0.hasPrefix("start") || $0.hasSuffix(",3600") })
            let other = try await test.service.call(
                .get, "/ingestion/v1/me/series?type=steps&from=2026-11-18T00:00:00Z&to=2026-11-20T00:00:00Z",
                token: try test.token(of: account), fields: ["Accept": "image/png"])
            #expect(other.status == .notAcceptable)
        }
    }

    @Test("ING-06b ING-04f: a table that is imported again tells its sources apart, and nothing counts twice")
    func roundTrip() async throws {
        try await IngestionTest.with { test in
            let noon = Timestamp("2026-11-18T12:00:00Z")!
            let (phone, watch) = (device, UUID.random())
            // Both count the same steps.
            for (device, steps) in [(phone, 1000.0), (watch, 1100)] {
                let walk = SampleSeries(
                    type: .steps, start: noon, offsets: [0], durations: [3_600_000], values: [steps])
                _ = try await test.upload(1, [walk], device: device, of: account)
            }
            func table(of owner: UUID) async throws -> [UInt8] {
                let response = try await test.service.call(
                    .get, "/ingestion/v1/me/series?type=steps&\(november)", token: try test.token(of: owner),
                    fields: ["Accept": "text/csv"])
                return try await response.collectedBody()
            }
            func sums(of owner: UUID) async throws -> [Double?] {
                let series: Series = try await test.decoded(
                    try await test.get("series?type=steps&\(november)&granularity=day", of: owner))
                return series.buckets?.map(\.sum) ?? []
            }
            test.service.start()
            let own = try await table(of: account)
            let lines = String(decoding: own, as: UTF8.self).split(separator: "\r\n").dropFirst()
            #expect(lines.count == 2)
            #expect(zip(lines, [phone, watch]).allSatisfy { $0.hasSuffix(",device \($1)") })
            let other = ImportTest(test: test, account: .random())
            #expect(try await other.imported(own).report.taken == ["steps": 2])
            for owner in [account, other.account] { #expect(try await sums(of: owner) == [1000]) }
            // What a file called its sources stays, also with signs that tables use.
            let named = ImportTest(test: test, account: .random())
            let text = "type,time,value,source\nsteps,\(noon),7,\"My \"\"watch\"\", old\"\nsteps,\(noon),8,\n"
            _ = try await named.imported(Array(text.utf8))
            let again = String(decoding: try await table(of: named.account), as: UTF8.self)
            #expect(again.contains(",\"My \"\"watch\"\", old\"\r\n") && again.hasSuffix(",8,{steps},,,,,,,Z,\r\n"))
            let report = try await named.imported(Array(again.utf8)).report
            #expect(report.taken == ["steps": 2])
            #expect(try await sums(of: named.account) == [7])
        }
    }

    @Test("ING-06b: a series of many samples comes in several of a limited size, with nothing lost between them")
    func longSeries() async throws {
        try await IngestionTest.with { test in
            let values = (0..<25_000).map { Double(50 + $0 % 97) }
            let end = IngestionTest.start - .seconds(60)
            for part in 0..<3 {
                let range = part * 10_000..<min((part + 1) * 10_000, values.count)
                _ = try await test.upload(
                    Int64(part + 1),
                    [heartRates(Array(values[range]), from: end - .seconds(values.count - range.lowerBound))],
                    device: device, of: account)
            }
            let found: Series = try await test.decoded(
                try await test.get("series?type=heart-rate&\(november)&max_points=100000", of: account))
            let series = try #require(found.series)
            #expect(series.allSatisfy { $0.count <= SeriesAnswer.pieceSamplesMax } && series.count >= 3)
            #expect(series.flatMap { $0.values ?? [] } == values)
            let times = series.flatMap { one in one.offsets.indices.map(one.time) }
            #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 == .seconds(1) })
            #expect(found.thinned == nil && found.unit == "/min")
        }
    }

    @Test("ING-06e: when a series is thinned the answer says so, and the peaks stay")
    func thinned() async throws {
        try await IngestionTest.with { test in
            var values = (0..<1000).map { 60 + Double($0 % 5) }
            values[617] = 180
            values[618] = 40
            _ = try await test.upload(
                1, [heartRates(values, from: IngestionTest.start - .seconds(1000))], device: device, of: account)
            let answer: Series = try await test.decoded(
                try await test.get("series?type=heart-rate&\(november)&max_points=50", of: account))
            let shown = answer.series?.first?.values ?? []
            #expect(answer.thinned?.samples == 1000 && answer.thinned?.shown == shown.count && shown.count <= 50)
            #expect(shown.max() == 180 && shown.min() == 40)
        }
    }

    @Test("ING-06d ING-13: statistics of samples and of a counter's days, and what too little data says nothing about")
    func statistics() async throws {
        try await IngestionTest.with { test in
            let start = Timestamp("2026-11-16T12:00:00Z")!
            _ = try await test.upload(
                1,
                [
                    heartRates([0, 61, 62, 65], from: start), single(.steps, 100, at: start),
                    single(.steps, 50, at: start + .seconds(60)), single(.steps, 250, at: start + .seconds(86_400)),
                ], device: device, of: account)
            func get(_ type: String) async throws -> Answer {
                try await test.decoded(try await test.get("statistics?type=\(type)&\(november)", of: account))
            }
            let rates = try await get("heart-rate")
            #expect(rates.basis == "samples" && rates.statistics.count == 3)
            #expect(abs(rates.statistics.mean! - (61 + 62 + 65 * 300) / 302.0) < 1e-9 && rates.statistics.median == 62)
            #expect(rates.weights == "time")
            #expect(rates.statistics.tooFew == ["p5", "p25", "p75", "p95"])
            let steps = try await get("steps")
            #expect(steps.basis == "day-sums" && steps.statistics.mean == 200)
            let none = try await get("weight")
            #expect(none.statistics.count == 0 && none.statistics.mean == nil)
            #expect(none.statistics.tooFew.contains("mean"))
        }
    }

    @Test("Questions that cannot be answered are refused with the parameter's name")
    func refusals() async throws {
        try await IngestionTest.with { test in
            for query in [
                "series?type=aura&\(november)", "series?type=steps&from=2026-11-01T00:00:00Z",
                "series?type=position&\(november)&granularity=day", "series?type=steps&\(november)&granularity=year",
                "statistics?type=position&\(november)",
                "series?type=steps&from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z",
                "series?type=steps&\(november)&max_points=1", "series?type=steps&\(november)&thinned=no",
            ] {
                let response = try await test.get(query, of: account)
                #expect(response.status == .unprocessableContent, "\(query)")
            }
            let response = try await test.service.call(.get, "/ingestion/v1/me/latest")
            #expect(response.status == .unauthorized)
        }
    }

    @Test("ING-06d: mean, variance and what follows from it weigh readings by how long they held, percentiles do not")
    func weighted() async throws {
        try await IngestionTest.with { test in
            // From 50 to 69, a minute each, in no order; 70 at last, which holds for five.
            let values = (0..<20).map { 50 + Double($0 * 7 % 20) } + [70]
            let series = SampleSeries(
                type: .heartRate, start: Timestamp("2026-11-16T12:00:00Z")!,
                offsets: values.indices.map { Int64($0) * 60_000 }, values: values)
            _ = try await test.upload(1, [series], device: device, of: account)
            for isSealed in [false, true] {
                if isSealed { try await test.seal(account) }
                let answer: Answer = try await test.decoded(
                    try await test.get("statistics?type=heart-rate&\(november)", of: account))
                let found = answer.statistics
                #expect(answer.basis == "samples" && answer.weights == "time" && found.count == 21)
                func isNear(_ value: Double?, _ expected: Double) -> Bool {
                    value.map { abs($0 - expected) < 1e-4 } ?? false
                }
                // (1190 · 60 + 70 · 300) / 1500
                #expect(isNear(found.mean, 61.6))
                // Squares of distances times seconds: 753.2 · 60 + 70.56 · 300 = 66,360; of 1500 s, times 21/20.
                #expect(isNear(found.variance, 46.452) && isNear(found.standardDeviation, 46.452.squareRoot()))
                #expect(isNear(found.standardError, 2.212.squareRoot()))
                #expect(found.median == 60)
                #expect(found.percentiles == ["p5": 51, "p25": 55, "p75": 65, "p95": 69] && found.tooFew.isEmpty)
            }
        }
    }

    @Test(
        "ING-06d: percentiles of 31 days are those of all readings, exactly, sealed or not; of more days they are near")
    func exactPercentiles() async throws {
        try await IngestionTest.with { test in
            let first = Timestamp("2026-10-20T00:00:00Z")!
            var all: [Double] = []
            let days = (0..<31).map { day -> SampleSeries in
                // As they fall in no order, and others on each day.
                let values = (0..<40).map { 50 + Double(($0 * $0 * 31 + day * 7919 + $0 * day * 17) % 1009) / 10 }
                all += values
                return SampleSeries(
                    type: .heartRate, start: first + .seconds(day * 86_400),
                    offsets: values.indices.map { Int64($0) * 600_000 }, values: values)
            }
            _ = try await test.upload(1, days, device: device, of: account)
            all.sort()
            func rank(_ fraction: Double) -> Double {
                let place = fraction * Double(all.count - 1)
                let low = Int(place)
                return all[low] + (all[min(low + 1, all.count - 1)] - all[low]) * (place - Double(low))
            }
            func get(_ from: String) async throws -> Answer {
                let span = "from=\(from)T00:00:00Z&to=2026-11-20T00:00:00Z"
                return try await test.decoded(
                    try await test.get("statistics?type=heart-rate&\(span)", of: account))
            }
            for isSealed in [false, true] {
                if isSealed { try await test.seal(account) }
                let month = try await get("2026-10-20")
                #expect(month.basis == "samples" && month.statistics.count == 31 * 40)
                for (name, fraction) in [("p5", 0.05), ("p25", 0.25), ("p75", 0.75), ("p95", 0.95)] {
                    let found = try #require(month.statistics.percentiles[name])
                    #expect(abs(found - rank(fraction)) < 1e-9, "\(name)")
                }
                #expect(try abs(#require(month.statistics.median) - rank(0.5)) < 1e-9)
                let longer = try await get("2026-10-19")
                #expect(longer.basis == "day-summaries" && longer.statistics.count == 31 * 40)
                #expect(try abs(#require(longer.statistics.percentiles["p95"]) - rank(0.95)) < 3)
            }
        }
    }

    @Test("ING-06d NFR-01: of more samples than may be looked at one by one, statistics are those of days, and say so")
    func samplesMax() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61, 62, 63, 64])], device: device, of: account)
            try await test.seal(account)
            let samples = PersonSamples(database: test.database, keys: test.keys, threads: .computing)
            let person = try await PersonContexts(database: test.database, keys: test.keys).context(of: account)
            let span = try HTTPRequest(.get, "/?type=heart-rate&\(november)").parameters { (query) throws(Problem) in
                try Span(&query)
            }
            for (samplesMax, basis) in [(4, StatisticsAnswer.Basis.samples), (3, .daySummaries)] {
                let counted = CountedSamples(
                    samples: samples, person: person, account: account, samplesMax: samplesMax)
                let answer = try await counted.statistics(span)
                #expect(answer.basis == basis && answer.statistics.count == 4)
            }
        }
    }

    @Test("ING-06d: statistics are those of the textbook")
    func textbook() {
        let statistics = Statistics([(2, 1), (4, 3), (5, 2), (7, 1), (9, 1)])
        #expect(statistics.count == 8 && statistics.mean == 5 && statistics.median == 4.5)
        #expect(abs(statistics.variance! - 32 / 7.0) < 1e-12)
        #expect(abs(statistics.standardDeviation! - 2.138089935299395) < 1e-12)
        #expect(abs(statistics.standardError! - (32 / 7.0 / 8).squareRoot()) < 1e-12)
        #expect(statistics.percentiles["p25"] == 4 && statistics.percentiles["p75"] == 5.5)
        #expect(statistics.tooFew == ["p5", "p95"])
        // 1 to 20: the 5th percentile lies 0.95 of the way from the first to the second, the 95th 0.05 of that to the last.
        let twenty = Statistics((1...20).map { (Double($0), 1) })
        #expect(twenty.mean == 10.5 && abs(twenty.variance! - 35) < 1e-12)
        #expect(abs(twenty.standardDeviation! - 5.916079783099616) < 1e-12)
        #expect(abs(twenty.standardError! - 1.3228756555322954) < 1e-12)
        #expect(abs(twenty.percentiles["p5"]! - 1.95) < 1e-12 && abs(twenty.percentiles["p95"]! - 19.05) < 1e-12)
        #expect(twenty.min == 1 && twenty.max == 20 && twenty.tooFew.isEmpty)
    }

    @Test(
        "ING-06c: weeks and months begin and end where the calendar says, before 1970 too",
        arguments: [
            (Granularity.week, "1969-12-31", "1969-12-29", "1970-01-04"),
            (.week, "2026-11-22", "2026-11-16", "2026-11-22"), (.week, "2026-11-23", "2026-11-23", "2026-11-29"),
            (.month, "2024-02-29", "2024-02-01", "2024-02-29"), (.month, "2026-12-31", "2026-12-01", "2026-12-31"),
            (.day, "2026-11-16", "2026-11-16", "2026-11-16"),
        ])
    func calendar(granularity: Granularity, day: String, first: String, last: String) {
        let day = CalendarDate(day)!
        #expect(granularity.firstDay(of: day) == CalendarDate(first)!)
        #expect(granularity.lastDay(of: day) == CalendarDate(last)!)
    }
}

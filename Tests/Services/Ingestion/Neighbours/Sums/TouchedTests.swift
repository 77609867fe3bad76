import Contracts
import Domain
import Postgres
import Primitives
import SeededRandom
import ServiceTesting
import Testing

@testable import Ingestion

/// Which sums are given anew when something has come.
@Suite struct TouchedTests {
    private typealias Span = Ingestion.Touched.Span

    private let account = UUID.random()
    private let phone = UUID.random()
    private let watch = UUID.random()
    private let ten = Timestamp("2026-11-17T10:00:00Z")!
    private let from = Timestamp("2026-11-01T00:00:00Z")!
    private let to = Timestamp("2026-12-01T00:00:00Z")!

    private func touched(
        _ test: IngestionTest, _ type: DataType, _ granularity: Ingestion.Granularity,
        after: inout Ingestion.ReadCursor
    ) async throws -> [Span] {
        let found = try await test.touched(account, [type], granularity, from: from, to: to, after: after)
        after = found.next
        return found.spans[type] ?? []
    }

    private func span(_ minutes: Range<Int64>) -> Span {
        Span(start: ten + .seconds(60 * minutes.lowerBound), end: ten + .seconds(60 * minutes.upperBound))
    }

    private func steps(_ value: Double, _ minute: Int64) -> SampleSeries {
        single(.steps, value, at: ten + .seconds(60 * minute))
    }

    @Test(
        "SUB-01b: the minutes of new samples are told, once; what is sent again tells nothing",
        arguments: [false, true])
    func minutes(isSealed: Bool) async throws {
        try await IngestionTest.with { test in
            var cursor = Ingestion.ReadCursor.beginning
            func next(_ granularity: Ingestion.Granularity = .minute) async throws -> [Span] {
                if isSealed {
                    try await test.seal(account)
                    try await test.database.execute("delete from arrival")
                }
                return try await touched(test, .steps, granularity, after: &cursor)
            }
            _ = try await test.upload(1, [steps(5, 2), steps(6, 3), steps(7, 9)], device: phone, of: account)
            let first = try await next()
            // The first of an hour decides which source counts in it.
            #expect(first == [span(0..<60)])
            #expect(try await next() == [])
            // Of other data types, again, and without contact.
            _ = try await test.upload(2, [heartRates([60], from: ten)], device: phone, of: account)
            _ = try await test.upload(3, [steps(6, 3)], device: phone, of: account)
            #expect(try await next() == [])
            _ = try await test.upload(4, [steps(6, 3), steps(1, 59)], device: phone, of: account)
            #expect(try await next() == [span(59..<60)])
            _ = try await test.upload(5, [steps(1, 70)], device: phone, of: account)
            #expect(try await next(.hour) == [span(60..<120)])
            _ = try await test.upload(
                6, [interval(.steps, 100, "2026-11-17T12:58:30Z", minutes: 4)], device: phone, of: account)
            let longer = try await next()
            #expect(longer == [span(120..<240)])
            _ = try await test.upload(7, [steps(3, 0)], device: phone, of: account)
            let midnight = Timestamp("2026-11-17T00:00:00Z")!
            #expect(try await next(.day) == [Span(start: midnight, end: midnight + .seconds(86_400))])
        }
    }

    @Test("SUB-01b: a reading changes also how long the one before it held, in later buckets, too")
    func held() async throws {
        try await IngestionTest.with { test in
            var cursor = Ingestion.ReadCursor.beginning
            // The one with a duration holds until 12:00.
            _ = try await test.upload(
                1, [interval(.heartRate, 60, "2026-11-17T10:00:00Z", minutes: 120)], device: phone, of: account)
            #expect(try await touched(test, .heartRate, .hour, after: &cursor) == [span(0..<120)])
            _ = try await test.upload(2, [heartRates([90], from: ten + .seconds(630))], device: phone, of: account)
            let minutes = cursor
            #expect(try await touched(test, .heartRate, .hour, after: &cursor) == [span(0..<120)])
            cursor = minutes
            // The second one holds to the end of its minute.
            #expect(try await touched(test, .heartRate, .minute, after: &cursor) == [span(10..<120)])
            _ = try await test.upload(3, [heartRates([0, 91], from: ten + .seconds(750))], device: phone, of: account)
            #expect(try await touched(test, .heartRate, .minute, after: &cursor) == [span(12..<13)])
            // Without contact.
            _ = try await test.upload(4, [heartRates([0], from: ten + .seconds(900))], device: phone, of: account)
            #expect(try await touched(test, .heartRate, .minute, after: &cursor) == [])
        }
    }

    @Test("SUB-01b ACC-14d: a source that does not count touches nothing, one that begins to count its whole hour")
    func sources() async throws {
        try await IngestionTest.with { test in
            try await test.settle(
                account, in: "UTC", [SourcePreference(dataType: .steps, sources: [.device(watch)])])
            var cursor = Ingestion.ReadCursor.beginning
            _ = try await test.upload(1, [steps(5, 2), steps(6, 3)], device: phone, of: account)
            let first = try await touched(test, .steps, .minute, after: &cursor)
            #expect(first == [span(0..<60)])
            _ = try await test.upload(1, [steps(9, 30)], device: watch, of: account)
            #expect(try await touched(test, .steps, .minute, after: &cursor) == [span(0..<60)])
            _ = try await test.upload(2, [steps(1, 31)], device: watch, of: account)
            #expect(try await touched(test, .steps, .minute, after: &cursor) == [span(31..<32)])
            _ = try await test.upload(2, [steps(1, 40)], device: phone, of: account)
            #expect(try await touched(test, .steps, .minute, after: &cursor) == [])
            // Of sleep the whole day.
            _ = try await test.upload(
                3, [interval(.sleep, 60, "2026-11-17T01:00:00Z", minutes: 60)], device: phone, of: account)
            _ = try await touched(test, .sleep, .hour, after: &cursor)
            _ = try await test.upload(
                3, [interval(.sleep, 50, "2026-11-17T13:00:00Z", minutes: 60)], device: watch, of: account)
            #expect(try await touched(test, .sleep, .hour, after: &cursor) == [])
            try await test.settle(
                account, in: "UTC", [SourcePreference(dataType: .sleep, sources: [.device(watch)])], version: 2)
            _ = try await test.upload(
                4, [interval(.sleep, 50, "2026-11-16T13:00:00Z", minutes: 60)], device: phone, of: account)
            _ = try await touched(test, .sleep, .hour, after: &cursor)
            _ = try await test.upload(
                4, [interval(.sleep, 50, "2026-11-16T20:00:00Z", minutes: 60)], device: watch, of: account)
            #expect(
                try await touched(test, .sleep, .hour, after: &cursor) == [
                    span(-20 * 60..<(-19 * 60)), span(-13 * 60..<(-12 * 60)),
                ])
        }
    }

    @Test("SUB-01b: buckets that are partly outside of the period are not told; nor what was measured elsewhere")
    func period() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(
                1, [interval(.steps, 240, "2026-11-17T10:00:00Z", minutes: 240), steps(1, -86_400)], device: phone,
                of: account)
            func spans(_ granularity: Ingestion.Granularity) async throws -> [Span]? {
                try await test.touched(
                    account, [.steps], granularity, from: ten + .seconds(30 * 60 + 1), to: ten + .seconds(150 * 60 + 1)
                ).spans[.steps]
            }
            #expect(try await spans(.minute) == [span(31..<150)])
            #expect(try await spans(.hour) == [span(60..<120)])
            #expect(try await spans(.day) == nil)
            #expect(try await spans(.week) == nil)
        }
    }

    @Test("SUB-01b ING-10: what comes for a day whose samples had to go touches what is known of it")
    func closed() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [steps(5, 0)], device: phone, of: account)
            try await test.seal(account)
            var cursor = Ingestion.ReadCursor.beginning
            #expect(try await touched(test, .steps, .hour, after: &cursor) == [span(0..<60)])
            try await test.database.execute("update block set samples = null")
            _ = try await test.upload(2, [steps(7, 60)], device: phone, of: account)
            #expect(try await touched(test, .steps, .hour, after: &cursor) == [span(0..<120)])
            let sums = try await test.aggregate(account, [.steps], .hour, from: from, to: to)
            #expect(sums[.steps]?.map(\.sum) == [5, 7])
        }
    }

    // MARK: Whatever comes

    /// Somebody with three devices that measure now here and now there, send late and again.
    private struct History {
        var random: SeededGenerator
        let devices: [UUID]
        private var sent: [(device: Int, series: [SampleSeries])] = []
        private var number: Int64 = 0

        init(seed: UInt64, devices: [UUID]) {
            random = SeededGenerator(seed: seed)
            self.devices = devices
        }

        mutating func upload() -> (number: Int64, device: UUID, series: [SampleSeries]) {
            number += 1
            if !sent.isEmpty, Int.random(in: 0..<5, using: &random) == 0 {
                var again = sent[Int.random(in: 0..<sent.count, using: &random)]
                if Bool.random(using: &random) { again.series.append(series()) }
                return (number, devices[again.device], again.series)
            }
            let device = Int.random(in: 0..<devices.count, using: &random)
            let series = (0..<Int.random(in: 1...3, using: &random)).map { _ in self.series() }
            sent.append((device, series))
            return (number, devices[device], series)
        }

        private mutating func series() -> SampleSeries {
            let type = [DataType.heartRate, .steps, .sleep, .activity][Int.random(in: 0..<4, using: &random)]
            let count = type == .sleep ? 1 : Int.random(in: 1...12, using: &random)
            var (offsets, time) = ([Int64](), Int64(0))
            for _ in 0..<count {
                offsets.append(time)
                time += Int64.random(in: 1...500_000, using: &random)
            }
            let lasts = type == .sleep || Bool.random(using: &random)
            let longest: Int64 = Int.random(in: 0..<6, using: &random) == 0 ? 40 * 3_600_000 : 7_200_000
            let durations = lasts ? offsets.map { _ in Int64.random(in: 60_000...longest, using: &random) } : nil
            let values = offsets.map { _ in
                switch type {
                case .heartRate: [0, 60, 75.5, 120][Int.random(in: 0..<4, using: &random)]
                case .activity: Double(Int.random(in: 0...3, using: &random))
                default: Double(Int.random(in: 1...500, using: &random))
                }
            }
            // Few hours, so that devices meet.
            let days = Int64.random(in: 0..<3, using: &random) * 86_400
            let start =
                Timestamp("2026-11-14T20:00:00Z")! + .seconds(days + Int64.random(in: 0..<21_600, using: &random))
            let zone = [nil, 60, -300, 330][Int.random(in: 0..<4, using: &random)]
            return SampleSeries(
                type: type, start: start, offsets: offsets, durations: durations,
                zoneOffset: zone.flatMap(ZoneOffset.init(minutes:)), values: values)
        }
    }

    private struct Place: Hashable {
        let type: DataType
        let granularity: Ingestion.Granularity
        let start: Timestamp
        let end: Timestamp
    }

    private static let types: [DataType] = [.heartRate, .steps, .sleep, .activity]

    private func sums(
        _ test: IngestionTest, from: Timestamp, to: Timestamp
    ) async throws -> [Place: Ingestion.Aggregate.Bucket] {
        var found: [Place: Ingestion.Aggregate.Bucket] = [:]
        for granularity in Ingestion.Granularity.allCases {
            let all = try await test.aggregate(account, Self.types, granularity, from: from, to: to)
            for (type, buckets) in all {
                for bucket in buckets {
                    let place = Place(type: type, granularity: granularity, start: bucket.start, end: bucket.end)
                    #expect(found.updateValue(bucket, forKey: place) == nil, "\(place) comes twice")
                }
            }
        }
        return found
    }

    private struct OwnSeries: Decodable {
        struct Bucket: Decodable, Equatable {
            let start: Timestamp
            let count: Int
            let mean: Double?
            let sum: Double?
        }
        let buckets: [Bucket]
    }

    /// Where no bucket is partly outside of the period, the person sees the same.
    private func compareWithOwnViews(_ test: IngestionTest) async throws {
        let (first, last) = ("2026-11-01T23:00:00Z", "2026-11-29T23:00:00Z")
        for granularity in Ingestion.Granularity.allCases {
            let all = try await test.aggregate(
                account, Self.types, granularity, from: Timestamp(first)!, to: Timestamp(last)!)
            for type in Self.types {
                let own: OwnSeries = try await test.decoded(
                    try await test.get(
                        "series?type=\(type.name)&from=\(first)&to=\(last)&granularity=\(granularity.rawValue)",
                        of: account))
                let told = all[type, default: []].map {
                    OwnSeries.Bucket(start: $0.start, count: $0.count, mean: $0.mean, sum: $0.sum)
                }
                #expect(told == own.buckets, "\(type) \(granularity)")
            }
        }
    }

    @Test(
        "SUB-01b ACC-14d: whatever comes, late, again, of several sources and zones, sealed or not: each sum that it changes is told",
        arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) async throws {
        try await IngestionTest.with { test in
            var history = History(seed: seed, devices: [phone, watch, .random()])
            let named = Self.types.map { SourcePreference(dataType: $0, sources: [.device(watch)]) }
            try await test.settle(account, in: "Europe/Rome", seed % 2 == 0 ? named : [])
            // Odd times within the first day, so that some of what comes is outside.
            let (from, to) = (Timestamp("2026-11-14T21:17:03Z")!, Timestamp("2026-11-29T23:00:00Z")!)
            var (cursor, before) = (Ingestion.ReadCursor.beginning, [Place: Ingestion.Aggregate.Bucket]())
            for round in 0..<6 {
                for _ in 0..<Int.random(in: 1...4, using: &history.random) {
                    let upload = history.upload()
                    _ = try await test.upload(upload.number, upload.series, device: upload.device, of: account)
                    if Int.random(in: 0..<4, using: &history.random) == 0 { try await test.seal(account) }
                }
                if Bool.random(using: &history.random) {
                    try await test.database.execute(
                        "delete from arrival where arrival <= (select sealed_through from person)")
                }
                let after = try await sums(test, from: from, to: to)
                let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
                var next = cursor
                for granularity in Ingestion.Granularity.allCases {
                    let limit = Int.random(in: 1...40, using: &history.random)
                    let told = try await test.touched(
                        account, Self.types, granularity, from: from, to: to, after: cursor, limit: limit)
                    for place in changed where place.granularity == granularity {
                        let isTold = told.spans[place.type]?.contains {
                            $0.start <= place.start && place.end <= $0.end
                        }
                        #expect(isTold == true, "round \(round): \(place)")
                    }
                    next = told.next
                }
                (cursor, before) = (next, after)
            }
            try await compareWithOwnViews(test)
        }
    }
}

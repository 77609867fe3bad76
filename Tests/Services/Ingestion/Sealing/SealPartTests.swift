import Contracts
import Domain
import Postgres
import Primitives
import Reactor
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

/// What has samples of very many days.
@Suite struct SealPartTests {
    private static let days = 30
    private let account = UUID.random()
    private let device = UUID.random()
    private let noon = Timestamp("2026-11-18T12:00:00Z")!

    private struct Stopped: Error {}

    /// One upload with something of two data types on each day.
    private func fill(_ test: IngestionTest) async throws {
        let series = (0..<Self.days).flatMap { day in
            let time = noon - .seconds(86_400 * Int64(day))
            return [heartRates([60 + Double(day), 61], from: time), single(.weight, 70 + Double(day), at: time)]
        }
        #expect(try await test.upload(1, series, device: device, of: account).stored == 3 * Self.days)
    }

    private func sealer(
        _ test: IngestionTest, quotaBytes: Int64 = Sealer.quotaBytesDefault,
        summaryBytesMax: Int64 = SummaryQuota.bytesMax, blocksMax: Int = 7,
        _ step: @escaping @Sendable (Sealer.Step) async throws -> Void = { _ in }
    ) -> Sealer {
        Sealer(
            database: test.database, keys: test.keys, threads: .computing, observer: test.service.context.observer,
            quotaBytes: quotaBytes, summaryBytesMax: summaryBytesMax, blocksMax: blocksMax, step: step)
    }

    /// What a third party reads, and what the person sees.
    private func view(_ test: IngestionTest) async throws -> [String] {
        struct Series: Decodable {
            struct Bucket: Decodable {
                let count: Int
                let mean: Double?
            }
            let buckets: [Bucket]
        }
        let read = try await test.readAll(account).series.flatMap { one in
            (0..<one.count).map { "\(one.type) \(one.time($0)) \(one.values?[$0] ?? 0)" }
        }
        let path = "series?type=heart-rate&granularity=day&from=2026-10-01T00:00:00Z&to=2026-11-20T00:00:00Z"
        let series: Series = try await test.decoded(try await test.get(path, of: account))
        return read.sorted() + series.buckets.map { "\($0.count) \($0.mean ?? 0)" }
    }

    private func blocks(_ test: IngestionTest) async throws -> Int {
        try await test.database.queryOne("select count(*) from block", as: Int.self) ?? -1
    }

    /// What the person's row tells of the bytes in blocks, and what is in them.
    private func expectBytes(_ test: IngestionTest) async throws {
        let told = try await test.database.queryOne(
            "select sample_bytes, summary_bytes from person", as: Int64.self, Int64.self)
        let found = try await test.database.queryOne(
            "select sum(coalesce(octet_length(samples), 0))::bigint, sum(octet_length(summary))::bigint from block",
            as: Int64.self, Int64.self)
        #expect(told?.0 == found?.0 && told?.1 == found?.1)
    }

    @Test(
        "ING-02 NFR-03: what makes very many blocks is sealed in several transactions, between which all reads the same"
    )
    func parts() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            let number = try await test.number(of: account)
            let views = Mutex<[[String]]>([try await view(test)])
            let sealer = sealer(test) { step in
                guard step == .committed else { return }
                let count = views.withLock { $0.count }
                #expect(try await blocks(test) == min(7 * count, 2 * Self.days))
                if count == 3 {
                    // On a day whose block is stored already.
                    let late = heartRates([99], from: noon - .seconds(86_400 * Int64(Self.days - 1) - 3600))
                    #expect(try await test.upload(2, [late], device: device, of: account).stored == 1)
                }
                let view = try await view(test)
                views.withLock { $0.append(view) }
            }
            let sealed = try await sealer.seal(number)
            #expect(sealed.arrivals == 2 && sealed.blocks == 2 * Self.days + 1)
            let seen = views.withLock { $0 }
            #expect(seen.count == 11 && Set(seen[..<3]).count == 1 && Set(seen[3...]).count == 1)
            #expect(seen[3].count == seen[0].count + 1)
            try await expectBytes(test)
            try await test.database.execute("delete from arrival")
            #expect(try await view(test) == seen[10])
        }
    }

    @Test(
        "NFR-03 ING-02: sealing that is broken off between two of these transactions is done anew, and stores nothing twice"
    )
    func brokenOff() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            let before = try await view(test)
            let number = try await test.number(of: account)
            let count = Mutex<Int>(0)
            let broken = sealer(test) { step in
                let isEnough = count.withLock { count in
                    count += step == .committed ? 1 : 0
                    return count == 3
                }
                if isEnough { throw Stopped() }
            }
            await #expect(throws: (any Error).self) { try await broken.seal(number) }
            #expect(try await blocks(test) == 21)
            #expect(try await view(test) == before)
            try await test.seal(account)
            #expect(try await blocks(test) == 2 * Self.days)
            try await expectBytes(test)
            try await test.database.execute("delete from arrival")
            #expect(try await view(test) == before)
        }
    }

    @Test(
        "ING-10b: of summaries, too, the oldest days go as a whole when they are beyond what a person may have of them")
    func summaries() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            try await test.seal(account)
            let bytes = try await test.database.queryOne("select summary_bytes from person", as: Int64.self)
            let most = try #require(bytes) / 2
            _ = try await test.upload(2, [single(.steps, 5, at: noon)], device: device, of: account)
            let limited = sealer(test, quotaBytes: most, summaryBytesMax: most)
            try await limited.seal(try await test.number(of: account))
            let left = try await test.database.query(
                "select day, count(*) from block where type <> \(Int16(DataType.steps.rawValue)) group by day order by day",
                as: CalendarDate.self, Int.self)
            // Newer ones stay, and of each day all or nothing.
            #expect(left.count > Self.days / 4 && left.count < Self.days / 2 + 1)
            #expect(left.allSatisfy { $0.1 == 2 } && left.last?.0 == CalendarDate("2026-11-18"))
            #expect(left.first?.0 == CalendarDate("2026-11-18")?.adding(days: 1 - left.count))
            try await expectBytes(test)
            let kept = try await test.database.queryOne("select summary_bytes from person", as: Int64.self)
            #expect(try #require(kept) <= most)
            // Below the limit nothing goes.
            _ = try await test.upload(3, [single(.weight, 71, at: noon)], device: device, of: account)
            try await limited.seal(try await test.number(of: account))
            #expect(try await blocks(test) == 2 * left.count + 1)
        }
    }
}

import Contracts
import Domain
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Ingestion

/// What third parties get of a person who wears a watch and carries a phone.
@Suite struct ReadSourcesTests {
    private let account = UUID.random()
    private let watch = UUID.random()
    private let phone = UUID.random()
    private let ten = Timestamp("2026-11-18T10:00:00Z")!

    private func prefer(_ test: IngestionTest, _ sources: [PreferredSource], version: Int64 = 1) async throws {
        try await test.change(
            version,
            .init(
                accountID: account, kind: .individual, subject: 7,
                person: .init(
                    zone: TimeZoneName("UTC")!, language: .english, birthDate: CalendarDate("1980-01-01")!,
                    sex: .female,
                    preferredSources: [SourcePreference(dataType: .steps, sources: sources)])))
    }

    private func steps(_ value: Double, _ minutes: Int64) -> SampleSeries {
        single(.steps, value, at: ten + .seconds(60 * minutes))
    }

    private func values(_ series: [SampleSeries]) -> [Double] { series.flatMap { $0.values ?? [] } }

    /// From the beginning, of arrivals and of blocks.
    private func read(_ test: IngestionTest, isSealed: Bool) async throws -> [Double] {
        if isSealed {
            try await test.seal(account)
            try await test.database.execute("delete from arrival")
        }
        return values(try await test.readAll(account, [.steps], limit: 2).series).sorted()
    }

    @Test("ACC-14d REQ-07: of two sources one is delivered for each hour, sealed or not", arguments: [false, true])
    func once(isSealed: Bool) async throws {
        try await IngestionTest.with { test in
            try await prefer(test, [.device(watch)])
            // The phone came first, and has hours of its own.
            _ = try await test.upload(1, [steps(900, 10), steps(50, 70), steps(7, 200)], device: phone, of: account)
            _ = try await test.upload(1, [steps(1000, 5), steps(1, 55), steps(60, 75)], device: watch, of: account)
            #expect(try await read(test, isSealed: isSealed) == [1, 7, 60, 1000])
        }
    }

    @Test("ACC-14d REQ-07: a follower gets what counts when it reads; without a wish the source that was seen first")
    func follower() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [steps(900, 10)], device: phone, of: account)
            let first = try await test.read(account, [.steps])
            #expect(values(first.series) == [900])
            _ = try await test.upload(1, [steps(1000, 5), steps(60, 75)], device: watch, of: account)
            let second = try await test.read(account, [.steps], after: first.next)
            #expect(values(second.series) == [60] && second.next != first.next)
            // From now on the watch.
            try await prefer(test, [.device(watch)])
            _ = try await test.upload(2, [steps(20, 80)], device: phone, of: account)
            _ = try await test.upload(2, [steps(30, 82)], device: watch, of: account)
            #expect(values(try await test.read(account, [.steps], after: second.next).series) == [30])
        }
    }

    @Test("ACC-14d REQ-07: sleep is of one source all night")
    func sleep() async throws {
        try await IngestionTest.with { test in
            func night(_ state: Double, _ minutes: Int64) -> SampleSeries {
                var series = single(.sleep, state, at: ten + .seconds(60 * minutes))
                series.durations = [600_000]
                return series
            }
            _ = try await test.upload(1, [night(60, 0)], device: watch, of: account)
            _ = try await test.upload(1, [night(60, 0), night(90, 300)], device: phone, of: account)
            #expect(values(try await test.read(account, [.sleep]).series) == [60])
        }
    }

    @Test("ACC-14d NFR-02: a waiting reader is not woken by what does not count, and reads on behind it")
    func waiting() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [steps(900, 10)], device: watch, of: account)
            let first = try await test.read(account, [.steps])
            _ = try await test.upload(1, [steps(800, 12)], device: phone, of: account)
            async let next = test.read(account, [.steps], after: first.next, waitMS: 20_000)
            _ = try await test.upload(2, [steps(5, 130)], device: phone, of: account)
            #expect(values(try await next.series) == [5])
        }
    }
}

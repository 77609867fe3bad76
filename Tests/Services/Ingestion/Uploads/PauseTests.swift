import Contracts
import Domain
import Feed
import HTTP
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Ingestion

/// What is measured while collection is paused (ING-14), and comes later.
@Suite struct PauseTests {
    private let account = UUID.random()
    private let device = UUID.random()
    private let start = IngestionTest.start

    /// `age`: so long ago.
    private func pause(
        _ test: IngestionTest, _ version: Int64, _ groups: [String], age: Duration = .zero
    ) async throws {
        try await test.change(
            version, .init(accountID: account, kind: .individual, subject: 5, paused: groups), age: age)
    }

    /// Pauses for a while: from 10:00 to 10:10.
    private func pause(_ test: IngestionTest, _ groups: [String]) async throws {
        try await pause(test, 1, groups)
        test.service.clock.advance(by: .seconds(600))
        try await pause(test, 2, [])
        test.service.clock.advance(by: .seconds(600))
    }

    private func series(_ type: DataType, _ values: [Double], minutes: [Double], lasting: Double = 0) -> SampleSeries {
        SampleSeries(
            type: type, start: start, offsets: minutes.map { Int64($0 * 60_000) },
            durations: lasting > 0 ? minutes.map { _ in Int64(lasting * 60_000) } : nil, values: values)
    }

    @Test("ING-14ab: what was measured in a pause is not stored and nobody gets it, also when it comes after the pause")
    func comesLater() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            try await pause(test, ["health"])
            let rates = series(.heartRate, [61, 62, 63, 64, 65], minutes: [-2, 0, 9.9, 10, 12])
            let position = SampleSeries(
                type: .position, start: start, offsets: [300_000], latitudes: [45.4], longitudes: [9.2])
            for isRepeated in [false, true] {
                let answer = try await test.upload(1, [rates, position], device: device, of: account)
                #expect(answer.stored == 4 && answer.paused == ["health"] && answer.repeated == isRepeated)
                #expect(answer.refused.isEmpty)
            }
            let stored = try await test.read(account).series
            #expect(stored.first { $0.type == .heartRate }?.values == [61, 64, 65])
            #expect(stored.first { $0.type == .position }?.count == 1)
            let live = try await test.events(Ingestion.liveFeed, as: "dispatcher")
            let told = try live.flatMap { try $0.decode(Ingestion.LiveSamples.self).series }
            #expect(told.filter { $0.type == .heartRate }.flatMap { $0.values ?? [] } == [61, 64, 65])
            // Nothing is left of this one; its number is used.
            let nothing = try await test.upload(
                2, [series(.heartRate, [66], minutes: [5])], device: device, of: account)
            #expect(nothing.stored == 0 && nothing.paused == ["health"])
        }
    }

    @Test("ING-14a: an interval that was paused in part is not stored; one before or after is")
    func intervals() async throws {
        try await IngestionTest.with { test in
            try await pause(test, ["health"])
            let steps = series(.steps, [1, 2, 3, 4, 5], minutes: [-16, -14.5, 2, 9.5, 10], lasting: 15)
            let answer = try await test.upload(1, [steps], device: device, of: account)
            #expect(answer.stored == 2 && answer.paused == ["health"])
            #expect(try await test.read(account).series.first?.values == [1, 5])
        }
    }

    enum Place: CaseIterable { case arrivals, both, blocks }

    @Test(
        "ING-14a: what came between a pause and the news of it goes again, sealed or not, and nobody sees a deletion",
        arguments: Place.allCases)
    func lateNews(place: Place) async throws {
        try await IngestionTest.with { test in
            test.service.clock.advance(by: .seconds(600))
            let rates = series(.heartRate, [61, 62, 63], minutes: [4, 5, 9])
            let steps = series(.steps, [1, 2, 3], minutes: [3, 4.5, 6], lasting: 1)
            let position = SampleSeries(
                type: .position, start: start, offsets: [300_000], latitudes: [45.4], longitudes: [9.2])
            _ = try await test.upload(1, [rates, steps, position], device: device, of: account)
            if place != .arrivals { try await test.seal(account) }
            // As when the partitions of the days on which it came are dropped.
            if place == .blocks { try await test.database.execute("delete from arrival") }
            // At 10:05.
            try await pause(test, 1, ["health"], age: .seconds(300))
            let list = try await test.service.call(
                .get, "/ingestion/v1/deletions", token: try test.token(of: account))
            #expect(String(decoding: try await list.collectedBody(), as: UTF8.self) == #"{"deletions":[]}"#)
            while try await test.deletionWorker().deleteNext() {}
            #expect(try await test.database.queryOne("select count(*) from deletion", as: Int.self) == 0)
            let stored = try await test.read(account).series
            #expect(stored.first { $0.type == .heartRate }?.values == [61])
            #expect(stored.first { $0.type == .steps }?.values == [1])
            #expect(stored.first { $0.type == .position }?.count == 1)
        }
    }

    @Test("ING-14a: each of several pauses counts, of its own group, whichever way their clock was set between them")
    func several() async throws {
        try await IngestionTest.with { test in
            try await pause(test, ["position"])
            // Back to 10:05.
            test.service.clock.advance(by: .seconds(-900))
            try await pause(test, 3, ["position", "health"])
            test.service.clock.advance(by: .seconds(600))
            try await pause(test, 4, ["health"])
            test.service.clock.advance(by: .seconds(600))
            try await pause(test, 5, [])
            test.service.clock.advance(by: .seconds(600))
            let positions = SampleSeries(
                type: .position, start: start, offsets: [-60_000, 60_000, 720_000, 960_000],
                latitudes: [45.1, 45.2, 45.3, 45.4], longitudes: [9, 9, 9, 9])
            let rates = series(.heartRate, [61, 62, 63, 64], minutes: [4, 6, 24, 26])
            let answer = try await test.upload(1, [rates, positions], device: device, of: account)
            #expect(answer.stored == 4 && answer.paused == ["health", "position"])
            let stored = try await test.read(account).series
            #expect(stored.first { $0.type == .heartRate }?.values == [61, 64])
            #expect(stored.first { $0.type == .position }?.latitudes == [45.1, 45.4])
        }
    }

    @Test("ING-14a ING-04: of a file what was measured in a pause is not stored, and the report says how much that was")
    func imported() async throws {
        // A minute before the track begins.
        let clock = TestClock(Timestamp("2026-05-01T06:59:00Z")!)
        try await IngestionTest.with(clock: clock) { test in
            test.service.clock.advance(by: .seconds(62))
            try await pause(test, 1, ["position"])
            test.service.clock.advance(by: .seconds(3))
            try await pause(test, 2, [])
            test.service.clock.advance(by: .seconds(600))
            let imports = ImportTest(test: test, account: account)
            test.service.start()
            let report = try await imports.imported(ImportTest.gpx(10)).report
            #expect(report.paused == ["position"] && report.dropped == 3)
            #expect(report.taken == ["heart-rate": 10, "position": 10] && report.repeated == 0)
            let stored = try await test.read(account).series
            #expect(stored.first { $0.type == .position }?.count == 7)
            #expect(stored.first { $0.type == .heartRate }?.count == 10)
        }
    }
}

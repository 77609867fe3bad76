import Contracts
import Domain
import Feed
import JSON
import Primitives
import Postgres
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct LiveFeedTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func live(_ test: IngestionTest, as consumer: String = "dispatcher") async throws -> [Ingestion.LiveSamples]
    {
        try await test.events(Ingestion.liveFeed, as: consumer).map { try $0.decode() }
    }

    @Test("SOS-02 RUN-09: the samples of watched people are published once, nobody else's, and not those of repeats")
    func onlyWatched() async throws {
        try await IngestionTest.with { test in
            let start = IngestionTest.start
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            try await test.watch(account)
            try await test.watch(.random(), until: start + .seconds(10), by: .track4run)
            let position = SampleSeries(
                type: .position, unit: "deg", start: start, offsets: [0], latitudes: [45.4], longitudes: [9.2],
                accuracies: [8])
            _ = try await test.upload(2, [heartRates([62]), position], device: device, of: account, sentAt: start)
            _ = try await test.upload(2, [heartRates([62]), position], device: device, of: account, sentAt: start)
            _ = try await test.upload(1, [heartRates([63])], device: .random(), of: .random())
            let events = try await live(test)
            #expect(events.count == 1)
            #expect(events.first?.accountID == account && events.first?.deviceID == device)
            #expect(events.first?.receivedAt == start && events.first?.sentAt == start)
            #expect(events.first?.series == [heartRates([62]), position])
            #expect(try await live(test, as: "track4run").count == 1)
            try await test.watch(account, false, version: 2)
            _ = try await test.upload(3, [heartRates([64])], device: device, of: account)
            #expect(try await live(test).count == 1)
        }
    }

    @Test("RUN-09: a watch ends at its time")
    func ends() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account, until: IngestionTest.start + .seconds(10), by: .track4run)
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            test.service.clock.advance(by: .seconds(11))
            _ = try await test.upload(2, [heartRates([62])], device: device, of: account)
            #expect(try await live(test).map { $0.series.first?.values } == [[61]])
        }
    }

    @Test("SOS-05: samples of watched people are not refused for a wrong clock")
    func wrongClock() async throws {
        try await IngestionTest.with { test in
            let far = heartRates([35, 36], from: Timestamp("2031-01-01T00:00:00Z")!)
            #expect(try await test.upload(1, [far], device: device, of: account).stored == 0)
            try await test.watch(account)
            #expect(try await test.upload(2, [far], device: device, of: account).stored == 2)
            #expect(try await live(test).first?.series == [far])
        }
    }

    @Test("NFR-05: live samples are encrypted where they are kept, and long ones are several events")
    func sealed() async throws {
        try await IngestionTest.with { test in
            try await test.watch(account)
            let values = (0..<1000).map { 60 + Double($0 % 7) }
            let start = IngestionTest.start - .seconds(1000)
            _ = try await test.upload(1, [heartRates(values, from: start)], device: device, of: account)
            let kept = try await test.database.query("select payload from feed_event", as: [UInt8].self)
            #expect(kept.count == 3)
            for payload in kept { #expect(!String(decoding: payload, as: UTF8.self).contains("heart")) }
            #expect(try await live(test).flatMap { $0.series.flatMap { $0.values ?? [] } } == values)
        }
    }

    @Test("A snapshot of watched people replaces what was known")
    func snapshot() async throws {
        try await IngestionTest.with { test in
            let other = UUID.random()
            try await test.watch(account)
            try await test.watch(other, by: .track4run)
            let changes = WatchChanges(source: .dispatcher)
            try await test.settle(changes.beginSnapshot())
            try await test.settle(changes.endSnapshot())
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            _ = try await test.upload(1, [heartRates([62])], device: .random(), of: other)
            #expect(try await live(test).map(\.accountID) == [other])
        }
    }
}

import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct TrackingTests {
    private let account = UUID.random()
    private let watch = UUID.random()
    private let ring = UUID.random()
    /// Of the clock on the wall in Rome, which is an hour ahead of UTC in November.
    private let midnight = Timestamp("2026-11-18T23:00:00Z")!

    private struct Answer: Decodable {
        struct Day: Decodable, Equatable {
            let date: CalendarDate
            let covered: Double
        }
        struct Gap: Decodable {
            let from: Timestamp
            let to: Timestamp
            let hours: Int
            let reason: String
            let text: String
        }
        struct OfType: Decodable {
            let type: DataType
            let covered: Double
            let days: [Day]
            let gaps: [Gap]
        }
        let language: String
        let types: [OfType]
    }

    private func known(_ test: IngestionTest, _ version: Int64 = 1, paused: [String]? = nil) async throws {
        let details = Accounts.PersonDetails(language: .english, birthDate: CalendarDate("1980-05-17")!, sex: .female)
        try await test.change(
            version,
            .init(
                accountID: account, kind: .individual, subject: 4, paused: paused, person: details))
    }

    /// A heart rate every 4 minutes of hours after midnight.
    private func wear(
        _ test: IngestionTest, _ number: Int64, _ hours: Range<Int>, _ type: DataType = .heartRate,
        by device: UUID? = nil
    ) async throws {
        let start = midnight + .seconds(3600 * hours.lowerBound)
        let count = hours.count * 15
        let series = SampleSeries(
            type: type, start: start, offsets: (0..<count).map { Int64($0) * 240_000 },
            values: (0..<count).map { 60 + Double($0 % 7) })
        _ = try await test.upload(number, [series], device: device ?? watch, of: account)
    }

    private func tracking(_ test: IngestionTest, _ query: String = "") async throws -> Answer {
        try await test.decoded(try await test.get("tracking?\(query)", of: account))
    }

    @Test(
        "ING-12c: of each local day the covered share and the gaps are told, sealed or not, until now",
        arguments: [false, true])
    func gaps(isSealed: Bool) async throws {
        // Friday, 11:00 in Rome.
        try await IngestionTest.with { test in
            try await known(test)
            try await wear(test, 1, 0..<6)
            try await wear(test, 2, 8..<24)
            try await wear(test, 3, 24..<30)
            // Steps in one of the hours that lack heart rates, all day yesterday, and what tracks nothing.
            try await wear(test, 4, 6..<7, .steps)
            if isSealed { try await test.seal(account) }
            let span = "from=2026-11-19&to=2026-11-20"
            let all = try await tracking(test, span)
            #expect(all.language == "en" && all.types.map(\.type) == [.heartRate])
            let one = try #require(all.types.first)
            #expect(
                one.days == [
                    .init(date: CalendarDate("2026-11-19")!, covered: 0.9167),
                    .init(date: CalendarDate("2026-11-20")!, covered: 0.5455),
                ])
            #expect(one.covered == 0.8)
            #expect(one.gaps.map(\.hours) == [2, 5])
            #expect(one.gaps.first?.from == midnight + .seconds(6 * 3600))
            #expect(one.gaps.last?.to == midnight + .seconds(35 * 3600))
            // In the first a device sent as often as not, in the last nothing came.
            #expect(one.gaps.map(\.reason) == ["not-measured", "device-silent"])
            #expect(one.gaps.last?.text == "No device sent any data.")
            #expect(try await tracking(test, span + "&min_hours=3").types.first?.gaps.map(\.hours) == [5])
            // Asked for by name: a day without any is a gap as a whole.
            let none = try #require(try await tracking(test, "from=2026-11-19&to=2026-11-19&type=glucose").types.first)
            #expect(none.covered == 0 && none.gaps.map(\.hours) == [24])
        }
    }

    @Test("ING-12c ING-14: pauses, removed devices and what a device may not provide are told as reasons")
    func reasons() async throws {
        try await IngestionTest.with { test in
            func last() async throws -> String? {
                try await tracking(test, "from=2026-11-19&to=2026-11-20&type=heart-rate").types.first?.gaps.last?.reason
            }
            try await known(test)
            try await wear(test, 1, 0..<24)
            #expect(try await last() == "device-silent")
            try await wear(test, 2, 24..<35, .oxygenSaturation)
            #expect(try await last() == "not-measured")
            // By another device, which never measured heart rates.
            try await wear(test, 1, 24..<35, .oxygenSaturation, by: ring)
            try await test.change(
                2, .init(deviceID: watch, accountID: account, dataTypes: [.oxygenSaturation], isRemoved: false))
            #expect(try await last() == "not-collected")
            try await test.change(3, .init(deviceID: watch, accountID: account, dataTypes: [], isRemoved: true))
            #expect(try await last() == "device-removed")
            // A pause that was over before, one of the other group, and one that is neither.
            try await known(test, 4, paused: ["position"])
            #expect(try await last() == "device-removed")
            test.service.clock.advance(by: .seconds(-5400))
            try await known(test, 5, paused: ["health"])
            test.service.clock.advance(by: .seconds(5400))
            #expect(try await last() == "paused")
            try await known(test, 6, paused: [])
            #expect(try await last() == "paused")
            // One event says nothing of pauses.
            try await known(test, 7)
            let rows = try await test.database.query(
                "select kind, until is null from pause order by since", as: String.self, Bool.self)
            #expect(rows.map(\.0) == ["health", "position"] && rows.allSatisfy { !$0.1 })
        }
    }

    @Test("ING-12c: days have the hours that they really have when clocks are changed")
    func clocks() throws {
        let rome = try TimeZones().rules(of: .rome)
        let spring = CalendarDate("2026-03-29")!
        let hours = TrackedHours(spring...spring, in: rome, until: Timestamp("2026-04-01T00:00:00Z")!).hours
        #expect(hours.count == 23)
        #expect(zip(hours, hours.dropFirst()).allSatisfy { $1.start - $0.start == 3_600_000 })
        let autumn = CalendarDate("2026-10-25")!
        #expect(TrackedHours(autumn...autumn, in: rome, until: Timestamp("2026-12-01T00:00:00Z")!).hours.count == 25)
        let now = TrackedHours(spring...spring, in: rome, until: Timestamp("2026-03-29T09:30:00Z")!)
        #expect(now.hours.last?.start == Timestamp("2026-03-29T08:00:00Z")!.milliseconds && now.reachesNow)
    }

    @Test("ING-12c: spans and types that cannot be answered are refused")
    func refused() async throws {
        try await IngestionTest.with { test in
            for query in [
                "from=2026-11-20&to=2026-11-19", "from=2025-11-19&to=2026-11-20", "type=steps", "min_hours=25",
                "type=x",
            ] {
                let status = try await test.get("tracking?\(query)", of: account).status
                #expect(status == .unprocessableContent)
            }
            let nothing = try await tracking(test)
            #expect(nothing.types.isEmpty)
        }
    }
}

import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite("Health over HTTP")
struct HealthRoutesTests {
    private let account = UUID.random()
    private let watch = UUID.random()
    private let phone = UUID.random()

    /// Query, with an answer that was given to it.
    private static func query(_ released: Query.AgeStatistics.Released?) -> LocalCaller {
        var router = RPCRouter()
        router.register(Query.AgeStatistics.self, allow: ["ingestion"]) { params, _ in
            .init(released: params.type == .steps && params.age == 46 ? released : nil)
        }
        return LocalCaller(router: router, as: "ingestion")
    }

    private func known(_ test: IngestionTest, preferred: [PreferredSource] = []) async throws {
        let details = Accounts.PersonDetails(
            language: .english, birthDate: CalendarDate("1980-05-17")!, sex: .female,
            preferredSources: preferred.isEmpty ? [] : [SourcePreference(dataType: .steps, sources: preferred)])
        try await test.change(
            1, .init(accountID: account, kind: .individual, subject: 4, person: details))
    }

    /// Steps of the eight hours that begin at 9 by the clock in Rome, for so many days until yesterday.
    private func walk(_ test: IngestionTest, _ steps: Double, days: Int, on device: UUID, from first: Int64)
        async throws
    {
        for back in 1...days {
            let start = Timestamp("2026-11-20T08:00:00Z")! - .seconds(Int64(back) * 86_400)
            let series = SampleSeries(
                type: .steps, start: start, offsets: [0], durations: [8 * 3_600_000], values: [steps])
            _ = try await test.upload(first + Int64(back), [series], device: device, of: account)
        }
    }

    private func get(_ test: IngestionTest, _ path: String) async throws -> JSONValue {
        let response = try await test.get(path, of: account)
        #expect(response.status == .ok)
        return try await test.decoded(response)
    }

    @Test("ING-09a ING-09c ING-13: the score comes with its reasons and sources, in the person's language")
    func health() async throws {
        try await IngestionTest.with(peers: ["query": Self.query(nil)]) { test in
            try await known(test)
            try await walk(test, 4000, days: 7, on: watch, from: 0)
            var answer = try await get(test, "health")
            #expect(answer["day"]?.text == "2026-11-20" && answer["score"]?["missing"]?.text == "too-little-data")
            let night = Timestamp("2026-11-20T05:00:00Z")!
            for back in 1...6 {
                let series = SampleSeries(
                    type: .sleep, start: night - .seconds(Int64(back) * 86_400 + 8 * 3600), offsets: [0],
                    durations: [8 * 3_600_000], values: [480])
                _ = try await test.upload(100 + Int64(back), [series], device: watch, of: account)
            }
            try await test.seal(account)
            answer = try await get(test, "health")
            let score = answer["score"]
            #expect(score?["points"]?.integer == 75)
            #expect(score?["parts"]?.items.map { $0["points"]?.integer } == [50, 100])
            #expect(score?["unknown"]?.items.map { $0["component"]?.text } == ["body-mass", "blood-pressure"])
            #expect(score?["parts"]?.items.first?["reason"]?.text == "4000 steps a day in the last week")
            // A page in another language asks for its own.
            let italian = try await test.get("health", of: account, in: "it")
            #expect(italian["language"]?.text == "it")
            #expect(italian["score"]?["parts"]?.items.first?["reason"]?.text?.contains("passi al giorno") == true)
            #expect(try await test.get("tracking", of: account, in: "it-IT, en;q=0.5")["language"]?.text == "it")
            #expect(try await test.get("report", of: account, in: "de")["language"]?.text == "en")
            #expect(answer["tips"]?.items.map { $0["code"]?.text } == ["move-more"])
            #expect(answer["sources"]?.items.contains { $0["citation"]?.text?.contains("Paluch") == true } == true)
        }
    }

    @Test("ING-06 ING-09: two sources of the same hours count once, the preferred one, sealed or not")
    func sources() async throws {
        try await IngestionTest.with(peers: ["query": Self.query(nil)]) { test in
            try await known(test)
            try await walk(test, 4000, days: 7, on: watch, from: 0)
            try await test.seal(account)
            try await walk(test, 5200, days: 7, on: phone, from: 0)
            func steps() async throws -> Double? {
                let parts = try await get(test, "health")["score"]?["parts"]?.items
                return parts?.first { $0["component"]?.text == "activity" }?["value"]?.double
            }
            // Not 9200: the first one to have come counts where none is preferred.
            #expect(try await steps() == 4000)
            let report = try await get(test, "report")
            #expect(report["from"]?.text == "2026-11-09")
            // The seven days before Friday the 20th begin on the Friday of the week before.
            let days = try #require(report["lines"]?.items.first?["days"]?.items)
            #expect(days.map(\.double) == [nil, nil, nil, nil, 4000, 4000, 4000])
            try await test.change(
                2,
                .init(
                    accountID: account, kind: .individual, subject: 4,
                    person: .init(
                        language: .english, birthDate: CalendarDate("1980-05-17")!, sex: .female,
                        preferredSources: [SourcePreference(dataType: .steps, sources: [.device(phone)])])))
            #expect(try await steps() == 5200)
            let preferred = try await get(test, "report")["lines"]?.items.first?["days"]?.items.compactMap(\.double)
            #expect(preferred == [5200, 5200, 5200])
            try await test.seal(account)
            #expect(try await steps() == 5200)
        }
    }

    @Test(
        "ACC-14b ACC-14d ING-06: a device that took another's place counts where that one did, and so do the days of before"
    )
    func replaced() async throws {
        try await IngestionTest.with(peers: ["query": Self.query(nil)]) { test in
            try await known(test)
            try await walk(test, 4000, days: 7, on: watch, from: 0)
            try await walk(test, 5200, days: 7, on: phone, from: 0)
            let next = UUID.random()
            try await walk(test, 4350, days: 2, on: next, from: 0)
            func steps() async throws -> Double? {
                let parts = try await get(test, "health")["score"]?["parts"]?.items
                return parts?.first { $0["component"]?.text == "activity" }?["value"]?.double
            }
            #expect(try await steps() == 4000)
            let usual: [SourcePreference] = []
            let named = [SourcePreference(dataType: .steps, sources: [.device(next), .device(phone)])]
            for (version, preferences) in [(Int64(2), usual), (3, named)] {
                try await test.change(
                    version,
                    .init(
                        accountID: account, kind: .individual, subject: 4,
                        person: .init(
                            language: .english, birthDate: CalendarDate("1980-05-17")!, sex: .female,
                            preferredSources: preferences, replacements: [[next, watch]])))
                // Two days of the new one, five of the old one; none of the phone, which was there before the new one.
                #expect(try await steps() == 4100)
                try await test.seal(account)
                #expect(try await steps() == 4100)
            }
        }
    }

    @Test(
        "ING-09b ING-09d ING-13: runs alone tell no resting pulse; days that a watch was worn do, whatever runs are in them"
    )
    func restingPulse() async throws {
        try await IngestionTest.with(peers: ["query": Self.query(nil)]) { test in
            try await known(test)
            let midnight = Timestamp("2026-11-19T23:00:00Z")!  // in Rome
            for back in 1...7 {
                let run = heartRates(
                    Array(repeating: 165, count: 3000), from: midnight - .seconds(Int64(back) * 86_400 - 18 * 3600))
                _ = try await test.upload(Int64(back), [run], device: watch, of: account)
            }
            func health() async throws -> JSONValue { try await get(test, "health") }
            func lacking(_ answer: JSONValue) -> [String?] {
                answer["too_little"]?.items.map { $0["type"]?.text } ?? []
            }
            for isSealed in [false, true] {
                if isSealed { try await test.seal(account) }
                let answer = try await health()
                #expect(answer["out_of_range"]?.items.isEmpty == true && answer["advice"]?.items.isEmpty == true)
                #expect(lacking(answer) == ["heart-rate"])
                let lack = answer["too_little"]?.items.first
                #expect(lack?["days"]?.integer == 0 && lack?["days_needed"]?.integer == 3)
                let lines = try await get(test, "report")["lines"]?.items
                #expect(lines?.isEmpty == true)
            }
            // Every 5 minutes from midnight on for ten hours; in the third hour the person is calmest.
            func wear(_ resting: Double, from first: Int64) async throws {
                for back in 1...7 {
                    let values = (0..<120).map { $0 / 12 == 2 ? resting : resting + 20 }
                    let series = SampleSeries(
                        type: .heartRate, start: midnight - .seconds(Int64(back) * 86_400),
                        offsets: values.indices.map { Int64($0) * 300_000 }, values: values)
                    _ = try await test.upload(first + Int64(back), [series], device: watch, of: account)
                }
            }
            try await wear(104, from: 100)
            let answer = try await health()
            #expect(answer["out_of_range"]?.items.map { $0["value"]?.double } == [104])
            #expect(answer["advice"]?.items.map { $0["code"]?.text } == ["resting-pulse-high"])
            #expect(lacking(answer) == [])
            let days = try await get(test, "report")["lines"]?.items.first?["days"]?.items
            #expect(days?.map(\.double) == [nil, nil, nil, nil, 104, 104, 104])
        }
    }

    @Test("ING-07 ING-13: own values stand beside what was released of the age, or the answer says why not")
    func comparison() async throws {
        let released = Query.AgeStatistics.Released(
            ageFrom: 40, ageTo: 49, from: CalendarDate("2026-11-10")!, to: CalendarDate("2026-11-10")!, mean: 5000,
            margin: 200)
        try await IngestionTest.with(peers: ["query": Self.query(released)]) { test in
            try await known(test)
            try await walk(test, 4000, days: 7, on: watch, from: 0)
            let answer = try await get(test, "comparison?type=steps")
            #expect(answer["own"]?.double == 4000 && answer["group"]?["mean"]?.double == 5000)
            #expect(try await get(test, "comparison?type=sleep")["missing"]?.text == "too-little-data")
            let position = try await test.get("comparison?type=position", of: account)
            #expect(position.status == .unprocessableContent)
        }
        try await IngestionTest.with(peers: ["query": Self.query(nil)]) { test in
            try await known(test)
            try await walk(test, 4000, days: 7, on: watch, from: 0)
            #expect(try await get(test, "comparison?type=steps")["missing"]?.text == "not-released")
        }
    }

    @Test("ING-08a ING-08b: places and tracks of a span, and GPX of all positions")
    func locations() async throws {
        try await IngestionTest.with { test in
            let start = Timestamp("2026-11-20T06:00:00Z")!
            // Half an hour at home, then a kilometre in ten minutes.
            let minutes = Array(0..<41)
            let latitudes = minutes.map { 45.4642 + Double(max(0, $0 - 30)) * 0.0009 }
            let series = SampleSeries(
                type: .position, start: start, offsets: minutes.map { Int64($0) * 60_000 }, latitudes: latitudes,
                longitudes: minutes.map { _ in 9.19 })
            _ = try await test.upload(1, [series], device: watch, of: account)
            let span = "from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z"
            let answer = try await get(test, "locations?\(span)")
            #expect(answer["places"]?.items.count == 1 && answer["tracks"]?.items.count == 1)
            let distance = try #require(answer["tracks"]?.items.first?["distance"]?.double)
            #expect((600...1000).contains(distance))
            #expect(answer["thinned"] == nil)
            #expect(try await get(test, "locations?\(span)&max_points=2")["thinned"]?["shown"]?.integer == 2)
            try await test.seal(account)
            let file = try await test.get("locations.gpx?\(span)", of: account)
            let text = String(decoding: try await file.collectedBody(), as: UTF8.self)
            #expect(text.split(separator: "<trkpt").count == 42 && text.hasSuffix("</gpx>\n"))
            // The phone's few positions of the same hour are in the file, and do not hide the way.
            let few = SampleSeries(
                type: .position, start: start + .seconds(1800), offsets: [0, 600_000], latitudes: [45.4, 45.4],
                longitudes: [9.1, 9.1])
            _ = try await test.upload(1, [few], device: phone, of: account)
            #expect(try await get(test, "locations?\(span)") == answer)
            let both = try await test.get("locations.gpx?\(span)", of: account)
            let tracks = String(decoding: try await both.collectedBody(), as: UTF8.self)
            #expect(tracks.split(separator: "<trkpt").count == 44 && tracks.split(separator: "<trk>").count == 3)
            let nothing = try await test.get(
                "locations.gpx?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z", of: account)
            #expect(
                String(decoding: try await nothing.collectedBody(), as: UTF8.self).hasSuffix("</metadata>\n</gpx>\n"))
        }
    }

    @Test("ING-11: a week that is not over, or long ago, has no report; without data there is none")
    func weeks() async throws {
        try await IngestionTest.with(peers: ["query": Self.query(nil)]) { test in
            #expect(try await test.get("health", of: account).status == .notFound)
            try await known(test)
            _ = try await test.upload(
                1, [SampleSeries(type: .weight, start: IngestionTest.start, offsets: [0], values: [70])], device: watch,
                of: account)
            for week in ["2026-11-16", "2026-11-25", "2020-01-01", "yesterday"] {
                #expect(try await test.get("report?week=\(week)", of: account).status == .unprocessableContent)
            }
            #expect(try await get(test, "report?week=2026-11-11")["from"]?.text == "2026-11-09")
            #expect(CalendarDate("1969-12-31")!.monday == CalendarDate("1969-12-29")!)
        }
    }
}

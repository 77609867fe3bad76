import Contracts
import Domain
import HTTP
import LoadGenerator
import Primitives
import Security
import Synchronization
import Testing

@Suite("Days of many people")
struct DaySourceTests {
    private static let key = Ed25519Key.random()
    /// In winter, a Sunday and a Monday.
    private static let days = [
        CalendarDate(year: 2027, month: 1, day: 10)!, CalendarDate(year: 2027, month: 1, day: 11)!,
    ]

    /// All uploads of two people.
    private func uploads(_ people: LoadPeople = LoadPeople()) async throws -> [UploadTaker.Taken] {
        let taker = UploadTaker { (_) throws(Problem) in try .json(UploadTaker.Answer(stored: 1)) }
        let result = try await taker.with { port in
            let tokens = try DeviceTokens(of: .device, count: 4, devicesEach: 2, seed: 1, key: Self.key)
            let source = DaySource(Self.days, tokens: tokens, host: "127.0.0.1:\(port)", people: people)
            let result = try LoadRunner(host: "127.0.0.1", port: port, connections: 1, source: source)
                .run(.closed, for: .requests(source.uploads))
            return (good: result.good, uploads: source.uploads, samples: source.samples)
        }
        let taken = taker.taken.withLock { $0 }
        #expect(result.good == 8 && result.uploads == 8)
        #expect(result.samples == taken.reduce(0) { $0 + $1.upload.series.reduce(0) { $0 + $1.count } })
        return taken
    }

    @Test("each person's watch and phone upload each day, densely, and all of it lies on that day")
    func days() async throws {
        let verifier = TokenVerifier(
            keys: JSONWebKeySet([Self.key.publicKey]), issuer: "trackme-accounts", audience: "trackme")
        var devices: [UUID: Set<UUID>] = [:]
        for (index, one) in try await uploads().enumerated() {
            let claims = try verifier.verified(one.token, at: .now()).0
            #expect(claims.subject == DeviceTokens.account(index / 2 % 2, seed: 1))
            devices[claims.subject, default: []].insert(try #require(claims.session))
            let (day, isWatch) = (Self.days[index / 4], index.isMultiple(of: 2))
            let types = one.upload.series.map(\.type)
            #expect(types.contains(.heartRate) == isWatch && types.contains(.sleep) == isWatch)
            #expect(types.contains(.position) == !isWatch && types.contains(.steps))
            let count = one.upload.series.reduce(0) { $0 + $1.count }
            #expect(isWatch ? (9000...16_000).contains(count) : (250...8000).contains(count), "\(count)")
            for series in one.upload.series {
                #expect(series.shapeError == nil && series.zoneOffset == ZoneOffset(minutes: 120))
                let ends = (0..<series.count).map { number in
                    series.time(number) + .milliseconds(series.durations?[number] ?? 0) + .seconds(7200)
                }
                let begin = day.startUTC
                #expect(ends.allSatisfy { $0 >= begin && $0 <= begin + .seconds(86_401) })
                #expect(series.type != .steps || series.durations != nil)
            }
        }
        #expect(devices.count == 2 && devices.values.allSatisfy { $0.count == 2 })
    }

    @Test("the same seed sends the same days, another one others, and a share of ill people is ill")
    func people() async throws {
        func series(_ people: LoadPeople) async throws -> [[SampleSeries]] {
            try await uploads(people).map(\.upload.series)
        }
        let usual = try await series(LoadPeople(seed: 5))
        #expect(try await series(LoadPeople(seed: 5)) == usual)
        #expect(try await series(LoadPeople(seed: 6)) != usual)
        func warmth(_ uploads: [[SampleSeries]]) -> Double {
            let values = uploads.joined().filter { $0.type == .bodyTemperature }.flatMap { $0.values ?? [] }
            return values.reduce(0, +) / Double(values.count)
        }
        #expect(warmth(try await series(LoadPeople(seed: 5, illnessShare: 1))) > warmth(usual) + 0.5)
    }
}

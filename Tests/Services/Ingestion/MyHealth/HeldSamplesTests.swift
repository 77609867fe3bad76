import Contracts
import Domain
import HTTP
import Primitives
import Reactor
import ServiceTesting
import Testing

@testable import Ingestion

/// What answers hold in memory while they are read.
@Suite struct HeldSamplesTests {
    private let account = UUID.random()
    private let other = UUID.random()

    @Test("NFR-01 NFR-03: what answers hold is bounded for each person and for all, and given back")
    func limits() throws {
        let held = HeldSamples(countMax: 25, countOfPersonMax: 20)
        let first = try held.reserve(10, for: account)
        var second: HeldSamples.Hold? = try held.reserve(10, for: account)
        #expect(second != nil && held.count == 20)
        let own = #expect(throws: Problem.self) { _ = try held.reserve(1, for: account) }
        #expect(own?.status == .tooManyRequests && own?.code == "too-many-downloads" && own?.retryAfter != nil)
        let all = #expect(throws: Problem.self) { _ = try held.reserve(6, for: other) }
        #expect(all?.status == .serviceUnavailable && all?.code == "overloaded" && all?.retryAfter != nil)
        first.shrink(to: 3)
        first.shrink(to: 5)
        #expect(held.count(of: account) == 13)
        // Nobody has it any more.
        second = nil
        #expect(held.count(of: account) == 3)
        first.release()
        first.release()
        #expect(held.count == 0 && held.count(of: account) == 0)
    }

    @Test("NFR-03: a body gives back what it holds when it is written, is broken off, or is never asked for")
    func bodies() async throws {
        try await EventLoopGroup.withLoops(1) { _ in
            let held = HeldSamples(countMax: 100, countOfPersonMax: 100)
            func response(count: Int?) throws -> HTTPResponse {
                let hold = try held.reserve(50, for: account)
                return HTTPResponse.stream(.csv, count: count) { writer in
                    #expect(held.count == 50)
                    try await writer.write("two lines")
                }.holding(hold)
            }
            let whole = try response(count: nil)
            #expect(held.count == 50)
            #expect(try await whole.collectedBody() == Array("two lines".utf8))
            #expect(held.count == 0)
            let broken = try response(count: 3)
            await #expect(throws: IOError.self) { _ = try await broken.collectedBody() }
            #expect(held.count == 0)
            do { _ = try response(count: nil) }
            #expect(held.count == 0)
        }
    }

    @Test("NFR-03: whose downloads hold too much gets no other one, of tables and of tracks, before anything is read")
    func downloads() async throws {
        try await IngestionTest.with { test in
            let position = SampleSeries(
                type: .position, start: IngestionTest.start - .seconds(60), offsets: [0, 1000], latitudes: [45, 45.1],
                longitudes: [9, 9])
            for person in [account, other] {
                _ = try await test.upload(1, [heartRates([61, 62]), position], device: .random(), of: person)
            }
            let span = "from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z"
            func get(_ path: String, of person: UUID) async throws -> HTTPResponse {
                try await test.service.call(
                    .get, "/ingestion/v1/me/\(path)\(span)", token: try test.token(of: person),
                    fields: path.hasPrefix("series") ? ["Accept": "text/csv"] : [:])
            }
            let paths = ["series?type=heart-rate&", "series?type=heart-rate&granularity=day&", "locations.gpx?"]
            let all = HeldSamples.ofProcess
            for path in paths {
                let slow = try all.reserve(HeldSamples.countOfPersonMaxDefault, for: account)
                let refusal = try await get(path, of: account)
                #expect(refusal.status == .tooManyRequests && refusal.fields["Retry-After"] != nil, "\(path)")
                #expect(try await test.code(refusal) == "too-many-downloads")
                #expect(try await get(path, of: other).status == .ok)
                slow.release()
                let answer = try await get(path, of: account)
                #expect(answer.status == .ok)
                // Only what it has, until it is read.
                #expect((1...HeldSamples.perBucket).contains(all.count(of: account)), "\(path)")
                #expect(try await !answer.collectedBody().isEmpty)
                #expect(all.count(of: account) == 0)
            }
        }
    }
}

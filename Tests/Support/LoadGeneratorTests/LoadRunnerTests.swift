import Contracts
import Domain
import Glibc
import HTTP
import JSON
import LoadGenerator
import Primitives
import Reactor
import Security
import Synchronization
import Testing

@Suite("Load generator")
struct LoadRunnerTests {
    private static let key = Ed25519Key.random()

    private static func runner(
        _ port: UInt16, people: Int, connections: Int, _ content: UploadSource.Content = .live
    ) throws -> LoadRunner {
        let tokens = try DeviceTokens(of: .device, count: people, seed: 1, key: key)
        let source = UploadSource(content, of: 0..<people, tokens: tokens, host: "127.0.0.1:\(port)")
        return try LoadRunner(host: "127.0.0.1", port: port, connections: connections, source: source)
    }

    @Test("each person sends in turn, with a good token of their own, rising numbers and samples of now")
    func uploads() async throws {
        let taker = UploadTaker { (_) throws(Problem) in try .json(UploadTaker.Answer(stored: 5)) }
        let before = Timestamp.now()
        let result = try await taker.with { port in
            try Self.runner(port, people: 3, connections: 2).run(.closed, for: .requests(9))
        }
        #expect(result.good == 9 && result.refused.isEmpty && result.broken == 0)
        let taken = taker.taken.withLock { $0 }
        let verifier = TokenVerifier(
            keys: JSONWebKeySet([Self.key.publicKey]), issuer: "trackme-accounts", audience: "trackme")
        var numbers: [UUID: [Int64]] = [:]
        for one in taken {
            let (claims, _) = try verifier.verified(one.token, at: .now())
            #expect(claims.kind == .device && claims.scopes == ["upload"] && claims.session != claims.subject)
            numbers[claims.subject, default: []].append(one.upload.upload)
            #expect(one.upload.sentAt >= before - .milliseconds(1) && one.upload.sentAt <= .now())
            #expect(one.upload.series.count == 5)
            for series in one.upload.series {
                #expect(series.shapeError == nil && series.count == 1)
                #expect(abs((series.time(0) - one.upload.sentAt).milliseconds + 300) <= 200)
            }
        }
        #expect(Set(numbers.keys) == Set((0..<3).map { DeviceTokens.account($0, seed: 1) }))
        #expect(numbers.values.allSatisfy { $0.count == 3 && Set($0).count == 3 && $0.max()! - $0.min()! == 2 })
    }

    @Test("a history goes on where the device's upload before ended", arguments: [200, 3000])
    func history(turns: Int) async throws {
        let taker = UploadTaker { (_) throws(Problem) in try .json(UploadTaker.Answer(stored: 5 * turns)) }
        let begin = Timestamp(milliseconds: 1_790_000_000_000)
        let result = try await taker.with { port in
            try Self.runner(port, people: 1, connections: 1, .history(turns: turns, from: begin))
                .run(.closed, for: .requests(3))
        }
        #expect(result.good == 3)
        for (index, one) in taker.taken.withLock({ $0 }).enumerated() {
            #expect(one.upload.series.count == 5)
            for series in one.upload.series {
                #expect(series.count == turns && series.shapeError == nil)
                #expect(series.start == begin + .seconds(index * turns * 30))
                #expect(series.offsets.enumerated().allSatisfy { abs($1 - Int64($0) * 30_000) <= 200 })
            }
        }
    }

    @Test("a person may have several devices, whose histories lie apart")
    func devices() async throws {
        let taker = UploadTaker { (_) throws(Problem) in try .json(UploadTaker.Answer(stored: 5)) }
        let begin = Timestamp(milliseconds: 1_790_000_000_000)
        _ = try await taker.with { port in
            let tokens = try DeviceTokens(of: .device, count: 4, devicesEach: 2, seed: 1, key: Self.key)
            let source = UploadSource(
                .history(turns: 1, from: begin, apart: .seconds(3600)), of: 0..<4, tokens: tokens, host: "localhost")
            return try LoadRunner(host: "127.0.0.1", port: port, connections: 1, source: source)
                .run(.closed, for: .requests(4))
        }
        let verifier = TokenVerifier(
            keys: JSONWebKeySet([Self.key.publicKey]), issuer: "trackme-accounts", audience: "trackme")
        let taken = taker.taken.withLock { $0 }
        let claims = try taken.map { try verifier.verified($0.token, at: .now()).0 }
        #expect(claims.map(\.subject) == [0, 0, 1, 1].map { DeviceTokens.account($0, seed: 1) })
        #expect(Set(claims.map(\.session)).count == 4)
        #expect(taken.map { $0.upload.series[0].start } == (0..<4).map { begin + .seconds($0 * 3600) })
    }

    @Test("positions come one a second, along a way")
    func positions() async throws {
        let taker = UploadTaker { (_) throws(Problem) in try .json(UploadTaker.Answer(stored: 300)) }
        let begin = Timestamp(milliseconds: 1_790_000_000_000)
        let result = try await taker.with { port in
            try Self.runner(port, people: 1, connections: 1, .positions(count: 300, from: begin))
                .run(.closed, for: .requests(2))
        }
        #expect(result.good == 2 && result.firstByte.count == 2)
        for (index, one) in taker.taken.withLock({ $0 }).enumerated() {
            let series = try #require(one.upload.series.first)
            #expect(series.shapeError == nil && series.start == begin + .seconds(index * 300))
            #expect(series.offsets == (0..<300).map { $0 * 1000 })
            #expect(Set(series.latitudes ?? []).count > 200 && series.accuracies?.count == 300)
        }
    }

    @Test(
        "an emergency is four seconds of a low heart rate and the position, of people that there are, the places in turn"
    )
    func collapse() async throws {
        let taker = UploadTaker { (_) throws(Problem) in try .json(UploadTaker.Answer(stored: 6)) }
        let people = (0..<2).map { _ in (account: UUID.random(), device: UUID.random()) }
        let places = [Coordinate(latitude: 45.4, longitude: 9.2)!, Coordinate(latitude: 38.1, longitude: 13.4)!]
        let result = try await taker.with { port in
            let source = UploadSource(
                .collapse(at: places), of: 0..<2, tokens: try DeviceTokens(of: people, key: Self.key), host: "localhost"
            )
            return try LoadRunner(host: "127.0.0.1", port: port, connections: 1, source: source)
                .run(.closed, for: .requests(4))
        }
        #expect(result.good == 4)
        let verifier = TokenVerifier(
            keys: JSONWebKeySet([Self.key.publicKey]), issuer: "trackme-accounts", audience: "trackme")
        let taken = taker.taken.withLock { $0 }
        let claims = try taken.map { try verifier.verified($0.token, at: .now()).0 }
        #expect(claims.map(\.subject) == [0, 1, 0, 1].map { people[$0].account })
        #expect(claims.map(\.session) == [0, 1, 0, 1].map { people[$0].device })
        #expect(Set(taken.flatMap { $0.upload.series[1].latitudes ?? [] }) == Set(places.map(\.latitude)))
        for one in taken {
            let (heart, position) = (one.upload.series[0], one.upload.series[1])
            #expect(heart.shapeError == nil && heart.type == .heartRate && heart.values?.max() ?? 100 < 40)
            #expect(heart.time(0) == one.upload.sentAt - .seconds(4) && heart.time(4) == one.upload.sentAt)
            #expect(position.shapeError == nil && position.time(0) == one.upload.sentAt)
        }
    }

    @Test("in an open loop latency counts from the time that was fixed in advance")
    func openLoop() async throws {
        let stall = Duration.milliseconds(400)
        let taker = UploadTaker { (number) async throws(Problem) in
            if number == 20 {
                do { try await EventLoop.current?.sleep(for: stall) } catch { throw .internalError }
            }
            return try .json(UploadTaker.Answer(stored: 5))
        }
        let (before, result) = try await taker.with { port in
            let runner = try Self.runner(port, people: 10, connections: 1)
            return (monotonicNanoseconds(), try runner.run(.open(rate: 100), for: .seconds(1)))
        }
        #expect(result.beganAt >= before && result.beganAt < before + 1_000_000_000)
        // Those that were due during the stall waited for it, though the service answered each at once.
        #expect((100...101).contains(result.good) && result.unsent == 0)
        let late = result.latency.percentile(0.9)
        #expect(late > 200_000 && Double(late) < result.seconds * 1e6, "\(late)")
    }

    @Test("a closed loop ends when its time is over")
    func closedLoop() async throws {
        let taker = UploadTaker { (_) throws(Problem) in try .json(UploadTaker.Answer(stored: 5)) }
        let result = try await taker.with { port in
            try Self.runner(port, people: 10, connections: 4).run(.closed, for: .seconds(0.3))
        }
        #expect(result.good > 10 && result.broken == 0 && result.unsent == 0)
        #expect(result.seconds >= 0.3 && result.seconds < 3)
        #expect(result.good == taker.taken.withLock { $0.count })
    }

    @Test("refusals and answers that say something else are counted apart, and broken connections are replaced")
    func refusals() async throws {
        let taker = UploadTaker { (number) throws(Problem) in
            switch number {
            case 3: throw Problem(.serviceUnavailable, code: "overloaded", detail: "later")
            case 5: return try .json(UploadTaker.Answer(stored: 4))
            default: return try .json(UploadTaker.Answer(stored: 5))
            }
        }
        let result = try await taker.with { port in
            try Self.runner(port, people: 10, connections: 2).run(.closed, for: .requests(20))
        }
        #expect(result.good == 18)
        #expect(result.refused == [503: 1, 200: 1])
        #expect(result.example.contains("overloaded"))
    }

    @Test("a connection that the server has closed while it was idle is replaced, and no request is lost")
    func idle() async throws {
        let taker = UploadTaker { (_) throws(Problem) in try .json(UploadTaker.Answer(stored: 5)) }
        // So long that no request is still on its way when it is over.
        let results = try await taker.with(idle: .seconds(1)) { port in
            let runner = try Self.runner(port, people: 10, connections: 4)
            return try (0..<3).map { _ in
                let result = try runner.run(.closed, for: .requests(4))
                usleep(1_500_000)
                return result
            }
        }
        #expect(results.allSatisfy { $0.good == 4 && $0.broken == 0 })
    }

    @Test("percentiles are within a hundredth", arguments: [1, 90, 4000, 123_456, 7_000_000])
    func histogram(value: Int64) {
        var histogram = LatencyHistogram()
        for _ in 0..<98 { histogram.add(microseconds: value) }
        histogram.add(microseconds: value * 3)
        histogram.add(microseconds: value * 5)
        #expect(abs(histogram.percentile(0.5) - Double(value)) <= Double(value) / 100)
        #expect(abs(histogram.percentile(0.99) - Double(value * 3)) <= Double(value) * 3 / 100)
        #expect(abs(histogram.percentile(1) - Double(value * 5)) <= Double(value) * 5 / 100)
    }

    @Test("processor time grows with work, and is an error of a process that is not there")
    func processorTime() throws {
        let own = getpid()
        let before = try ProcessorTime(of: own)
        let end = Deadline.after(.milliseconds(200))
        var sum = 0
        while !end.hasPassed { sum &+= 1 }
        #expect(try ProcessorTime(of: own) - before > 0.05)
        #expect(throws: LoadError.self) { try ProcessorTime(of: Int32.max) }
    }
}

import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct SealerTests {
    private let account = UUID.random()
    private let device = UUID.random()
    private let noon = Timestamp("2026-11-18T12:00:00Z")!

    private struct Stopped: Error {}

    private struct Latest: Decodable {
        struct One: Decodable, Equatable {
            let type: String
            let time: Timestamp
            let value: Double?
            let deviceID: UUID?
        }
        let latest: [One]
    }

    private struct Series: Decodable {
        struct Bucket: Decodable, Equatable {
            let count: Int
            let sum: Double?
            let mean: Double?
        }
        let series: [SampleSeries]?
        let buckets: [Bucket]?
    }

    /// Three days, several types, late samples, and a second device.
    private func fill(_ test: IngestionTest, from first: Int64 = 1) async throws {
        for number in 0..<Int64(12) {
            let time = noon - .seconds(86_400 * (number % 3)) + .seconds(60 * number)
            _ = try await test.upload(
                first + number,
                [
                    heartRates([60 + Double(number), 61, 62], from: time),
                    single(.steps, Double(10 + number), at: time),
                ],
                device: device, of: account)
        }
        _ = try await test.upload(first, [single(.steps, 5, at: noon)], device: .random(), of: account)
        let entry =
            "{\"series\": [{\"type\": \"weight\", \"start\": \"2026-11-17T07:00:00Z\", \"offsets_ms\": [0], "
            + "\"values\": [\(70 + first)]}]}"
        _ = try await test.post("samples", Array(entry.utf8), token: try test.token(of: account))
    }

    /// What a reader sees, as a whole.
    private func view(_ test: IngestionTest) async throws -> [String] {
        let span = "from=2026-11-10T00:00:00Z&to=2026-11-21T00:00:00Z"
        var view: [String] = []
        for type in ["heart-rate", "steps", "weight"] {
            for path in ["series?type=\(type)&\(span)", "series?type=\(type)&\(span)&granularity=hour"] {
                let series: Series = try await test.decoded(try await test.get(path, of: account))
                let times = (series.series ?? []).flatMap { one in (0..<one.count).map { one.time($0).description } }
                let values = (series.series ?? []).flatMap { $0.values ?? [] }
                view.append("\(type) \(times) \(values) \(series.buckets ?? [])")
            }
        }
        let latest: Latest = try await test.decoded(try await test.get("latest", of: account))
        view.append("\(latest.latest)")
        return view
    }

    private func samples(_ series: [SampleSeries]) -> [String] {
        var texts: [String] = []
        for one in series {
            for index in 0..<one.count { texts.append("\(one.type) \(one.time(index)) \(one.values?[index] ?? 0)") }
        }
        return texts.sorted()
    }

    @Test("ING-06 ING-02: before sealing, after it, and with late samples sealed again, everything reads the same")
    func same() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            let before = try await view(test)
            let all = samples(try await test.readAll(account).series)
            let sealed = try await test.seal(account)
            #expect(sealed.arrivals == 14 && sealed.blocks == 7)
            #expect(try await view(test) == before)
            #expect(samples(try await test.readAll(account).series) == all)
            // Also when only blocks are left.
            try await test.database.execute("delete from arrival")
            #expect(try await view(test) == before)
            #expect(samples(try await test.readAll(account).series) == all)

            try await fill(test, from: 100)
            let more = try await view(test)
            #expect(more != before)
            let both = samples(try await test.readAll(account).series)
            // The same values under other numbers are there once.
            #expect(Set(both).count == both.count && both.count < 2 * all.count)
            try await test.seal(account)
            #expect(try await view(test) == more)
            #expect(samples(try await test.readAll(account).series) == both)
            #expect(try await test.seal(account) == Sealer.Sealed())
        }
    }

    @Test("NFR-05d: blocks are sealed under the person's key, and bound to type, day and column")
    func bound() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            try await test.seal(account)
            try await test.database.execute("delete from arrival")
            let swap: SQL = """
                update block b set samples = o.samples from block o
                where o.person = b.person and o.type = b.type and o.day = b.day + 1
                """
            try await test.database.execute(swap)
            await #expect(throws: (any Error).self) { try await test.readAll(account, [.heartRate]) }
            let path = "series?type=heart-rate&from=2026-11-10T00:00:00Z&to=2026-11-21T00:00:00Z"
            #expect(try await test.get(path, of: account).status == .internalServerError)
        }
    }

    @Test(
        "NFR-03 ING-02: sealing that is broken off at any step changes nothing, and is done the next time",
        arguments: Sealer.Step.allCases)
    func brokenOff(step: Sealer.Step) async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            let before = try await view(test)
            let number = try await test.number(of: account)
            let sealer = test.sealer { if $0 == step { throw Stopped() } }
            await #expect(throws: (any Error).self) { try await sealer.seal(number) }
            let blocks = try await test.database.queryOne("select count(*) from block", as: Int.self)
            #expect(blocks == (step == .committed ? 7 : 0))
            #expect(try await view(test) == before)
            try await test.seal(account)
            #expect(try await view(test) == before)
            #expect(try await test.database.queryOne("select count(*) from block", as: Int.self) == 7)
        }
    }

    @Test("NFR-01: while a person is sealed, uploads with a data type that is new for the person wait for nothing")
    func newType() async throws {
        try await IngestionTest.with { test in
            try await fill(test)
            let oxygen = single(.oxygenSaturation, 97, at: noon)
            let (device, account) = (device, account)
            let sealer = test.sealer { step in
                guard step == .beforeCommit else { return }
                let answer = try await test.upload(100, [oxygen], device: device, of: account)
                #expect(answer.stored == 1)
                try await test.change(
                    1, .init(accountID: account, kind: .individual, subject: 5, paused: []))
            }
            #expect(try await sealer.seal(try await test.number(of: account)).blocks > 0)
            #expect(try await test.readAll(account, [.oxygenSaturation]).series.first?.values == [97])
        }
    }

    @Test("ACC-12b: a person who is erased while being sealed leaves no block")
    func erased() async throws {
        for step in [Sealer.Step.read, .computed, .committed] {
            try await IngestionTest.with { test in
                try await fill(test)
                let number = try await test.number(of: account)
                let erasure = Erasure(test, account)
                let sealer = test.sealer { if $0 == step { try await erasure.begin(waits: step == .committed) } }
                _ = try? await sealer.seal(number)
                try await erasure.end()
                for table in ["block", "arrival", "upload", "source", "import_part"] {
                    #expect(try await test.database.queryOne("select count(*) from \(raw: table)", as: Int.self) == 0)
                }
                #expect(try await test.sealer().seal(number) == Sealer.Sealed())
            }
        }
    }
}

/// An erasure that begins at one point and is waited for at another.
private final class Erasure: Sendable {
    private let test: IngestionTest
    private let account: UUID
    private let task = Once()

    init(_ test: IngestionTest, _ account: UUID) {
        self.test = test
        self.account = account
    }

    func begin(waits: Bool) async throws {
        let (test, account) = (test, account)
        await task.start {
            try await test.erase(account)
        }
        if waits { try await task.end() }
    }

    func end() async throws { try await task.end() }

    private actor Once {
        private var running: Task<Void, any Error>?

        func start(_ body: @escaping @Sendable () async throws -> Void) {
            if running == nil { running = Task { try await body() } }
        }

        func end() async throws { try await running?.value }
    }
}

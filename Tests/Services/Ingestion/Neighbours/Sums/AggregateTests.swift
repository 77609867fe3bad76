import Contracts
import Domain
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// What third parties get of a person whose samples are summed up for them.
@Suite struct AggregateTests {
    private let account = UUID.random()
    private let phone = UUID.random()
    private let watch = UUID.random()

    private func time(_ text: String) -> Timestamp { Timestamp(text)! }

    @Test(
        "SUB-01b: rates come as means by time, counters as sums, states as the time in each, positions never",
        arguments: [false, true])
    func values(isSealed: Bool) async throws {
        try await IngestionTest.with { test in
            try await test.settle(account, in: "UTC")
            let ten = time("2026-11-17T10:00:00Z")
            _ = try await test.upload(
                1,
                [
                    heartRates([60, 70], from: ten), interval(.steps, 120, "2026-11-17T10:30:00Z", minutes: 60),
                    interval(.activity, 3, "2026-11-17T10:00:00Z", minutes: 30),
                    SampleSeries(type: .position, start: ten, offsets: [0], latitudes: [45], longitudes: [9]),
                ], device: phone, of: account)
            if isSealed { try await test.seal(account) }
            let types: [DataType] = [.position, .activity, .steps, .heartRate]
            func ask(
                _ granularity: Ingestion.Granularity, _ from: String, _ to: String
            ) async throws -> [DataType: [Ingestion.Aggregate.Bucket]] {
                try await test.aggregate(account, types, granularity, from: time(from), to: time(to))
            }
            // Of tenths and milliseconds.
            let mean = Double(600 * 1000 + 700 * 300_000) / 301_000 / 10
            let hours = try await ask(.hour, "2026-11-17T00:00:00Z", "2026-11-18T00:00:00Z")
            let (eleven, twelve) = (ten + .seconds(3600), ten + .seconds(7200))
            #expect(
                hours == [
                    .heartRate: [.init(start: ten, end: eleven, count: 2, mean: mean, min: 60, max: 70)],
                    .steps: [
                        .init(start: ten, end: eleven, count: 1, sum: 60),
                        .init(start: eleven, end: twelve, count: 0, sum: 60),
                    ],
                    .activity: [
                        .init(start: ten, end: eleven, count: 1, states: [.init(state: 3, seconds: 1800)])
                    ],
                ])
            let minutes = try await ask(.minute, "2026-11-17T00:00:00Z", "2026-11-18T00:00:00Z")
            #expect(
                minutes[.heartRate] == [
                    .init(
                        start: ten, end: ten + .seconds(60), count: 2,
                        mean: Double(600 * 1000 + 700 * 59_000) / 60_000 / 10,
                        min: 60, max: 70)
                ])
            #expect(areNear(minutes[.steps, default: []].map(\.sum), Array(repeating: 2, count: 60)))
            #expect(minutes[.activity]?.count == 30 && minutes[.position] == nil)
            let (monday, next) = (time("2026-11-16T00:00:00Z"), time("2026-11-23T00:00:00Z"))
            let midnight = time("2026-11-17T00:00:00Z")
            let days = try await ask(.day, "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z")
            #expect(
                days[.steps] == [.init(start: midnight, end: midnight + .seconds(86_400), count: 1, sum: 120)])
            #expect(days[.heartRate]?.map(\.mean) == [mean])
            let weeks = try await ask(.week, "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z")
            #expect(weeks[.steps] == [.init(start: monday, end: next, count: 1, sum: 120)])
            #expect(weeks[.activity]?.map(\.states) == [[.init(state: 3, seconds: 1800)]])
        }
    }

    @Test("SUB-01b: a bucket that is partly outside of the period is left out, whatever its length")
    func wholeOnly() async throws {
        try await IngestionTest.with { test in
            try await test.settle(account, in: "Europe/Rome")
            _ = try await test.upload(
                1, [interval(.steps, 240, "2026-11-17T10:00:00Z", minutes: 120)], device: phone, of: account)
            func sums(
                _ granularity: Ingestion.Granularity, _ from: String, _ to: String
            ) async throws -> [Double?] {
                try await test.aggregate(account, [.steps], granularity, from: time(from), to: time(to))[
                    .steps, default: []
                ]
                .map(\.sum)
            }
            #expect(try await sums(.hour, "2026-11-17T10:00:00Z", "2026-11-17T12:00:00Z") == [120, 120])
            #expect(try await sums(.hour, "2026-11-17T10:00:00.001Z", "2026-11-17T12:00:00Z") == [120])
            #expect(try await sums(.hour, "2026-11-17T10:00:00Z", "2026-11-17T11:59:59.999Z") == [120])
            #expect(try await sums(.hour, "2026-11-17T10:00:00.000001Z", "2026-11-17T11:59:59.999999Z") == [])
            #expect(areNear(try await sums(.minute, "2026-11-17T10:00:00Z", "2026-11-17T10:02:00Z"), [2, 2]))
            #expect(areNear(try await sums(.minute, "2026-11-17T10:00:01Z", "2026-11-17T10:02:59Z"), [2]))
            // From midnight to midnight in Rome.
            #expect(try await sums(.day, "2026-11-16T23:00:00Z", "2026-11-17T23:00:00Z") == [240])
            #expect(try await sums(.day, "2026-11-16T23:00:01Z", "2026-11-17T23:00:00Z") == [])
            #expect(try await sums(.day, "2026-11-16T23:00:00Z", "2026-11-17T22:59:59Z") == [])
            #expect(try await sums(.week, "2026-11-15T23:00:00Z", "2026-11-22T23:00:00Z") == [240])
            #expect(try await sums(.week, "2026-11-15T23:00:01Z", "2026-12-22T23:00:00Z") == [])
            #expect(try await sums(.week, "2026-11-01T23:00:00Z", "2026-11-22T22:59:59Z") == [])
        }
    }

    @Test("SUB-01b: a day with hours of another zone that lie outside of the period is left out")
    func otherZones() async throws {
        try await IngestionTest.with { test in
            try await test.settle(account, in: "Europe/Rome")
            // The last one at 23:00 of the 16th in New York, when it was the 17th in Rome.
            _ = try await test.upload(
                1,
                [
                    single(.steps, 5, at: time("2026-11-16T10:00:00Z")),
                    interval(.steps, 7, "2026-11-17T04:00:00Z", minutes: 0, zone: -300),
                ], device: phone, of: account)
            for (granularity, from) in [
                (Ingestion.Granularity.day, "2026-11-15T23:00:00Z"), (.week, "2026-11-15T23:00:00Z"),
            ] {
                let end = granularity == .day ? "2026-11-16T23:00:00Z" : "2026-11-22T23:00:00Z"
                let found = try await test.aggregate(
                    account, [.steps], granularity, from: time(from), to: time(end))
                #expect(found[.steps]?.map(\.sum) == (granularity == .day ? nil : [12]))
            }
            let whole = try await test.aggregate(
                account, [.steps], .day, from: time("2026-11-15T23:00:00Z"), to: time("2026-11-17T23:00:00Z"))
            #expect(whole[.steps]?.map(\.sum) == [12])
        }
    }

    @Test("SUB-01b: sleep that began before the period is in nothing that is given, also when that is not known")
    func earlySleep() async throws {
        try await IngestionTest.with { test in
            try await test.settle(account, in: "Europe/Rome")
            _ = try await test.upload(
                1,
                [
                    interval(.sleep, 420, "2026-11-16T21:00:00Z", minutes: 480),
                    interval(.sleep, 30, "2026-11-17T13:00:00Z", minutes: 30),
                    interval(.sleep, 400, "2026-11-18T22:00:00Z", minutes: 420),
                ], device: phone, of: account)
            func sums(_ granularity: Ingestion.Granularity, _ from: String) async throws -> [Double?] {
                try await test.aggregate(
                    account, [.sleep], granularity, from: time(from), to: time("2026-11-22T23:00:00Z"))[
                        .sleep, default: []
                    ].map(\.sum)
            }
            for isSealed in [false, true] {
                if isSealed { try await test.seal(account) }
                // Midnight of the 17th in Rome.
                #expect(try await sums(.day, "2026-11-16T23:00:00Z") == [400])
                #expect(try await sums(.hour, "2026-11-16T23:00:00Z") == [30, 400])
                #expect(try await sums(.minute, "2026-11-16T23:00:00Z") == [30, 400])
                #expect(try await sums(.day, "2026-11-15T23:00:00Z") == [450, 400])
                #expect(try await sums(.hour, "2026-11-16T21:00:00Z") == [420, 30, 400])
                #expect(try await sums(.week, "2026-11-15T23:00:00Z") == [850])
            }
            try await test.database.execute("update block set samples = null where day = '2026-11-17'")
            #expect(try await sums(.hour, "2026-11-16T23:00:00Z") == [400])
            #expect(try await sums(.hour, "2026-11-10T23:00:00Z") == [420, 30, 400])
        }
    }

    @Test("SUB-01b ACC-14d: of each hour the preferred source counts, once")
    func sources() async throws {
        try await IngestionTest.with { test in
            try await test.settle(
                account, in: "UTC", [SourcePreference(dataType: .steps, sources: [.device(watch)])])
            _ = try await test.upload(
                1, [interval(.steps, 500, "2026-11-17T10:00:00Z", minutes: 120)], device: phone, of: account)
            _ = try await test.upload(
                1, [interval(.steps, 300, "2026-11-17T10:00:00Z", minutes: 60)], device: watch, of: account)
            let (from, to) = (time("2026-11-17T00:00:00Z"), time("2026-11-18T00:00:00Z"))
            for (granularity, sums) in [(Ingestion.Granularity.hour, [300.0, 250]), (.day, [550])] {
                let found = try await test.aggregate(account, [.steps], granularity, from: from, to: to)
                #expect(found[.steps]?.map(\.sum) == sums)
            }
            // A part of an hour has the source of the whole hour, too.
            let part = try await test.aggregate(
                account, [.steps], .minute, from: from, to: to, startFrom: time("2026-11-17T10:59:00Z"),
                startTo: time("2026-11-17T11:01:00Z"))
            #expect(areNear(part[.steps, default: []].map(\.sum), [5, 4.17]))
        }
    }

    @Test("SUB-01b: pages end between buckets of the same start, and nothing is lost or doubled", arguments: [2, 3, 7])
    func pages(limit: Int) async throws {
        try await IngestionTest.with { test in
            try await test.settle(account, in: "UTC")
            for (number, start) in ["2026-10-01T10:00:00Z", "2026-11-17T23:50:00Z"].enumerated() {
                _ = try await test.upload(
                    Int64(number + 1),
                    [
                        interval(.steps, 200, start, minutes: 20),
                        SampleSeries(
                            type: .heartRate, start: time(start), offsets: (0..<10).map { $0 * 90_000 },
                            values: (0..<10).map { 60 + Double($0) }),
                    ], device: phone, of: account)
            }
            let (from, to) = (time("2026-09-30T00:00:00Z"), time("2026-11-30T00:00:00Z"))
            for granularity in Ingestion.Granularity.allCases {
                let whole = try await test.aggregate(account, [.heartRate, .steps], granularity, from: from, to: to)
                let pages = try await test.aggregate(
                    account, [.heartRate, .steps], granularity, from: from, to: to, limit: limit)
                #expect(whole == pages)
                for (type, count) in [(DataType.heartRate, 20), (.steps, 40)] where granularity == .minute {
                    #expect(whole[type]?.count == count)
                }
            }
        }
    }

    @Test("SUB-01b: many years with little in them are few answers")
    func years() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(
                1,
                [
                    single(.weight, 70, at: time("2010-03-01T08:00:00Z")),
                    single(.weight, 71, at: time("2026-11-01T08:00:00Z")),
                ],
                device: phone, of: account)
            for granularity in [Ingestion.Granularity.hour, .day, .week] {
                var (answers, start, means) = (0, Timestamp?.none, [Double?]())
                repeat {
                    let result = try await test.service.rpc(as: "query").call(
                        Ingestion.Aggregate.self,
                        .init(
                            accountID: account, types: [.weight], granularity: granularity,
                            from: time("2000-01-01T00:00:00Z"), to: time("2030-01-01T00:00:00Z"), startFrom: start,
                            reason: .test))
                    means += result.series.flatMap { $0.buckets.map(\.mean) }
                    (answers, start) = (answers + 1, result.next)
                } while start != nil && answers < 10
                #expect(answers <= 2 && means == [70, 71], "\(granularity)")
            }
        }
    }

    private func params(
        of account: UUID, types: [DataType] = [.heartRate], limit: Int = 100,
        reason: Ingestion.ReadReason = .test
    ) -> Ingestion.Aggregate.Params {
        .init(
            accountID: account, types: types, granularity: .hour, from: time("2026-11-01T00:00:00Z"),
            to: time("2026-12-01T00:00:00Z"), limit: limit, reason: reason)
    }

    private func params(
        touchedOf account: UUID, after: Ingestion.ReadCursor = .beginning, limit: Int = 100,
        reason: Ingestion.ReadReason = .test
    ) -> Ingestion.Touched.Params {
        .init(
            accountID: account, types: [.heartRate], granularity: .hour, from: time("2026-11-01T00:00:00Z"),
            to: time("2026-12-01T00:00:00Z"), after: after, limit: limit, reason: reason)
    }

    @Test("SUB-01b: who is not known is not found, and what makes no sense is refused")
    func refusals() async throws {
        try await IngestionTest.with { test in
            let query = test.service.rpc(as: "query")
            let unknown = RPCError(.notFound, "Nothing is stored for this account.")
            await #expect(throws: unknown) { try await query.call(Ingestion.Aggregate.self, params(of: account)) }
            await #expect(throws: unknown) { try await query.call(Ingestion.Touched.self, params(touchedOf: account)) }
            _ = try await test.upload(1, [heartRates([60])], device: phone, of: account)
            let wrong = [
                params(of: account, limit: 0), params(of: account, limit: 5001),
                params(of: account, types: [.heartRate, .steps], limit: 1),
                params(of: account, reason: .init(purpose: "")),
                params(of: account, reason: .init(purpose: String(repeating: "x", count: 101))),
            ]
            for params in wrong {
                let error = await #expect(throws: RPCError.self) {
                    try await query.call(Ingestion.Aggregate.self, params)
                }
                #expect(error?.code == .invalidParams)
            }
            for params in [
                params(touchedOf: account, limit: 0), params(touchedOf: account, limit: 5001),
                params(touchedOf: account, after: .init(after: -1)),
                params(touchedOf: account, reason: .init(purpose: "")),
            ] {
                let error = await #expect(throws: RPCError.self) {
                    try await query.call(Ingestion.Touched.self, params)
                }
                #expect(error?.code == .invalidParams)
            }
            let nothing = try await query.call(Ingestion.Aggregate.self, params(of: account, types: [.position]))
            #expect(nothing.series.isEmpty && nothing.next == nil)
        }
    }

    @Test("NFR-06b SUB-01b: sums, and when they have changed, are in the audit trail when any are handed over")
    func audit() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([60])], device: phone, of: account)
            let (query, company) = (test.service.rpc(as: "query"), UUID.random())
            _ = try await query.call(
                Ingestion.Aggregate.self, params(of: account, reason: .init(purpose: "request 1", onBehalfOf: company)))
            _ = try await query.call(Ingestion.Aggregate.self, params(of: account, types: [.steps]))
            let touched = try await query.call(
                Ingestion.Touched.self,
                params(touchedOf: account, reason: .init(purpose: "request 1", onBehalfOf: company)))
            #expect(touched.series.map(\.type) == [.heartRate])
            let rest = try await query.call(Ingestion.Touched.self, params(touchedOf: account, after: touched.next))
            #expect(rest.series.isEmpty)
            let lines = try await test.service.auditLines()
            #expect(
                lines.map(\.description) == [
                    "query ingestion.aggregate request 1", "query ingestion.touched request 1",
                ])
            #expect(lines.allSatisfy { $0.pseudonym != nil && $0.onBehalfOf != nil && $0.onBehalfOf != company })
        }
    }

    @Test("NFR-01 SUB-01b: while sums wait for their turn, uploads do not; too many of one person are refused")
    func turns() async throws {
        let (pool, gate) = (try BlockingPool(threads: 1, queueMax: 100), Gate())
        defer { pool.shutdown() }
        try await IngestionTest.with(computingOn: pool) { test in
            defer { gate.open() }
            let loop = try #require(EventLoop.current)
            _ = try await test.upload(1, [heartRates([61, 62])], device: phone, of: account)
            let blocker = loop.throwingTask { try await pool.run { gate.wait() } }
            let query = test.service.rpc(as: "query")
            let asked = (0..<12).map { _ in
                loop.throwingTask { try await query.call(Ingestion.Aggregate.self, params(of: account)).series.count }
            }
            let end = Deadline.after(.patience)
            while SumQuestion.turns.asked(by: account) != (2, 10) {
                try #require(!end.hasPassed, "they are not asked")
                try await loop.sleep(for: .milliseconds(2))
            }
            let error = await #expect(throws: RPCError.self) {
                try await query.call(Ingestion.Touched.self, params(touchedOf: account))
            }
            #expect(error?.code == .overloaded)
            #expect(QuestionTurns.ofProcess.asked(by: account) == (0, 0))
            #expect(try await test.upload(2, [heartRates([70])], device: phone, of: account).stored == 1)
            gate.open()
            try await blocker.value
            for one in asked { #expect(try await one.value == 1) }
        }
    }
}

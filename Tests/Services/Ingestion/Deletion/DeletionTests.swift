import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Synchronization
import Telemetry
import Testing

@testable import Ingestion

@Suite struct DeletionTests {
    private let account = UUID.random()
    private let device = UUID.random()
    private let noon = Timestamp("2026-11-18T12:00:00Z")!

    private struct Stopped: Error {}

    private struct Status: Decodable {
        let id: UUID
        let state: String
        let types: [DataType]
        let days: Int
    }

    private struct Wish: Encodable {
        var types: [DataType]?
        var from: Timestamp
        var to: Timestamp
    }

    private func ask(
        _ test: IngestionTest, _ types: [DataType]?, _ from: Timestamp, _ to: Timestamp, of owner: UUID? = nil
    ) async throws -> Status {
        let body = try JSONEncoder().encode(Wish(types: types, from: from, to: to))
        let response = try await test.post("deletions", body, token: try test.token(of: owner ?? account))
        #expect(response.status == .accepted)
        let status: Status = try await test.decoded(response)
        #expect(status.state == "waiting" && response.fields["Location"] == "/ingestion/v1/deletions/\(status.id)")
        return status
    }

    private func status(_ test: IngestionTest, _ id: UUID) async throws -> Status {
        let path = "/ingestion/v1/deletions/\(id)"
        return try await test.decoded(try await test.service.call(.get, path, token: try test.token(of: account)))
    }

    /// Six days of several types, in uploads of which each has samples of two days; positions, too.
    private func fill(_ test: IngestionTest, _ numbers: ClosedRange<Int64>) async throws {
        for number in numbers {
            let time = noon - .seconds(86_400 * (number % 6)) + .seconds(600 * number)
            let position = SampleSeries(
                type: .position, start: time, offsets: [0, 1000], latitudes: [45.4, 45.5], longitudes: [9.1, 9.2])
            _ = try await test.upload(
                number,
                [
                    heartRates([50 + Double(number), 61, 62], from: time),
                    single(.steps, Double(number), at: time - .seconds(90_000)), position,
                ], device: device, of: account)
        }
    }

    private func samples(_ series: [SampleSeries]) -> [String] {
        series.flatMap { one in
            (0..<one.count).map { "\(one.type) \(one.time($0)) \(one.values?[$0] ?? one.latitudes?[$0] ?? 0)" }
        }.sorted()
    }

    private func left(
        of series: [SampleSeries], without types: [DataType], _ from: Timestamp, _ to: Timestamp
    ) -> [String] {
        series.flatMap { one in
            (0..<one.count).filter { !types.contains(one.type) || one.time($0) < from || one.time($0) >= to }
                .map { "\(one.type) \(one.time($0)) \(one.values?[$0] ?? one.latitudes?[$0] ?? 0)" }
        }.sorted()
    }

    private func count(_ test: IngestionTest, _ query: String, of owner: UUID? = nil) async throws -> Int {
        struct Answer: Decodable {
            struct Statistics: Decodable { let count: Int }
            let statistics: Statistics
        }
        let answer: Answer = try await test.decoded(
            try await test.get(
                "statistics?\(query)&from=2026-11-01T00:00:00Z&to=2026-11-30T00:00:00Z", of: owner ?? account))
        return answer.statistics.count
    }

    private func bytes(_ test: IngestionTest) async throws -> (kept: Int64, sum: Int64) {
        let kept =
            try await test.database.queryOne(
                "select sample_bytes + summary_bytes from person", as: Int64.self) ?? -1
        let sum = try await test.database.queryOne(
            "select coalesce(sum(octet_length(summary) + coalesce(octet_length(samples), 0)), 0)::bigint from block",
            as: Int64.self)
        return (kept, sum ?? -2)
    }

    @Test(
        "NFR-06a ING-08: a span of some types is deleted wherever it is, the rest stays, and repeats bring nothing back",
        arguments: [false, true])
    func deleted(isSealed: Bool) async throws {
        try await IngestionTest.with { test in
            try await fill(test, 1...20)
            try await test.seal(account)
            try await fill(test, 21...26)
            if isSealed { try await test.seal(account) }
            let before = try await test.readAll(account).series
            let (from, to) = (noon - .seconds(4 * 86_400), noon - .seconds(86_400) + .seconds(3600))
            let types: [DataType] = [.heartRate, .position]
            let expected = left(of: before, without: types, from, to)
            #expect(expected.count < samples(before).count && expected.count > 30)
            let asked = try await ask(test, types, from, to)
            #expect(samples(try await test.readAll(account).series) == samples(before))
            #expect(try await test.deletionWorker().deleteNext())
            let done = try await status(test, asked.id)
            #expect(done.state == "done" && done.days > 0 && Set(done.types) == Set(types))
            #expect(samples(try await test.readAll(account).series) == expected)
            #expect(try await bytes(test).kept == bytes(test).sum)
            #expect(try await count(test, "type=heart-rate") == expected.count { $0.hasPrefix("heart-rate") })

            // Devices that lost an answer send again.
            let all = try await test.database.queryOne("select count(*) from upload", as: Int.self)
            let number: Int64 = 8
            let time = noon - .seconds(86_400 * (number % 6)) + .seconds(600 * number)
            let position = SampleSeries(
                type: .position, start: time, offsets: [0, 1000], latitudes: [45.4, 45.5], longitudes: [9.1, 9.2])
            let again = try await test.upload(
                number,
                [
                    heartRates([50 + Double(number), 61, 62], from: time),
                    single(.steps, Double(number), at: time - .seconds(90_000)), position,
                ], device: device, of: account)
            #expect(again.repeated && again.stored == 6)
            #expect(try await test.database.queryOne("select count(*) from upload", as: Int.self) == all)
            #expect(samples(try await test.readAll(account).series) == expected)
            // Also out of the blocks alone, and after the rest was sealed.
            try await test.seal(account)
            try await test.database.execute("delete from arrival")
            #expect(samples(try await test.readAll(account).series) == expected)
            #expect(try await bytes(test).kept == bytes(test).sum)
        }
    }

    @Test(
        "NFR-06a NFR-03: a deletion that is broken off at any step has done nothing or all, and is done the next time",
        arguments: DeletionWorker.Step.allCases)
    func brokenOff(step: DeletionWorker.Step) async throws {
        try await IngestionTest.with { test in
            try await fill(test, 1...14)
            try await test.seal(account)
            try await fill(test, 15...18)
            let before = try await test.readAll(account).series
            let (from, to) = (noon - .seconds(3 * 86_400), noon + .seconds(86_400))
            let expected = left(of: before, without: DataType.allCases, from, to)
            let asked = try await ask(test, nil, from, to)
            #expect(try await test.deletionWorker { if $0 == step { throw Stopped() } }.deleteNext())
            let now = samples(try await test.readAll(account).series)
            #expect(now == ([.committed, .looked].contains(step) ? expected : samples(before)))
            #expect(try await status(test, asked.id).state == "waiting")
            // It waits, so that it does not keep others waiting.
            #expect(try await !test.deletionWorker().deleteNext())
            try await test.database.execute("update deletion set due_at = now()")
            #expect(try await test.deletionWorker().deleteNext())
            let done = try await status(test, asked.id)
            #expect(done.state == "done" && done.days > 0)
            #expect(samples(try await test.readAll(account).series) == expected)
            #expect(try await !test.deletionWorker().deleteNext())
        }
    }

    @Test("NFR-06a NFR-01: while a person's samples are deleted, uploads with a new data type wait for nothing")
    func newType() async throws {
        try await IngestionTest.with { test in
            try await fill(test, 1...3)
            try await test.seal(account)
            _ = try await ask(test, nil, noon - .seconds(10 * 86_400), noon + .seconds(86_400))
            let weight = single(.weight, 70, at: noon)
            let (device, account) = (device, account)
            let worker = test.deletionWorker { step in
                guard step == .arrivals else { return }
                let answer = try await test.upload(100, [weight], device: device, of: account)
                #expect(answer.stored == 1)
            }
            #expect(try await worker.deleteNext())
            #expect(samples(try await test.readAll(account).series) == ["weight \(noon) 70.0"])
        }
    }

    @Test(
        "SUB-02 NFR-06a: a reader in the middle gets what stays once, and nothing deleted afterwards",
        arguments: [1, 2, 5])
    func reader(limit: Int) async throws {
        try await IngestionTest.with { test in
            // Much on few days, so that pages end within blocks.
            for number in Int64(1)...6 {
                let values = (0..<10).map { 50 + Double(number) + Double($0) / 10 }
                _ = try await test.upload(
                    number, [heartRates(values, from: noon + .seconds(100 * number))], device: device, of: account)
            }
            try await test.seal(account)
            try await test.database.execute("delete from arrival")
            let all = try await test.readAll(account).series
            let (from, to) = (noon + .seconds(300), noon + .seconds(405))
            var seen = 0
            let worker = test.deletionWorker()
            let read = try await test.readAll(account, limit: limit) { page in
                guard page == 4 else { return }
                _ = try await ask(test, [.heartRate], from, to)
                #expect(try await worker.deleteNext())
                seen = page
            }
            #expect(seen == 4)
            let stays = left(of: all, without: [.heartRate], from, to)
            let got = samples(read.series)
            // All that stays, once; of what was deleted only what had been read before.
            #expect(Set(got).count == got.count && Set(stays).isSubset(of: got))
            #expect(got.count - stays.count <= 5 * limit && got.count < 60)
        }
    }

    @Test("NFR-06a: what arrives after the wish stays, also on a day that is deleted as a whole")
    func later() async throws {
        try await IngestionTest.with { test in
            try await fill(test, 1...6)
            _ = try await ask(test, nil, noon - .seconds(20 * 86_400), noon + .seconds(5 * 86_400))
            let late = noon - .seconds(2 * 86_400)
            _ = try await test.upload(100, [heartRates([99], from: late)], device: device, of: account)
            try await test.seal(account)
            #expect(try await test.deletionWorker().deleteNext())
            let now = try await test.readAll(account).series
            #expect(samples(now) == ["heart-rate \(late) 99.0"])
            #expect(try await bytes(test).kept == bytes(test).sum)
        }
    }

    @Test("NFR-06a ING-10b: of a day whose samples had to go the touched hours are deleted, the others stay")
    func summaries() async throws {
        try await IngestionTest.with { test in
            struct Series: Decodable {
                struct Bucket: Decodable { let start: Timestamp }
                let buckets: [Bucket]
            }
            for hour in Int64(0)..<6 {
                let series = heartRates([60 + Double(hour)], from: noon + .seconds(3600 * hour))
                _ = try await test.upload(hour + 1, [series], device: device, of: account)
            }
            try await test.seal(account)
            try await test.database.batch([
                "update person set sample_bytes = sample_bytes - (select sum(octet_length(samples)) from block)",
                "update block set samples = null",
            ])
            _ = try await ask(test, [.heartRate], noon + .seconds(3600), noon + .seconds(2 * 3600 + 60))
            #expect(try await test.deletionWorker().deleteNext())
            let path = "series?type=heart-rate&granularity=hour&from=2026-11-18T00:00:00Z&to=2026-11-19T00:00:00Z"
            let left: Series = try await test.decoded(try await test.get(path, of: account))
            #expect(left.buckets.map(\.start) == [0, 3, 4, 5].map { noon + .seconds(3600 * $0) })
            #expect(try await bytes(test).kept == bytes(test).sum)
            _ = try await ask(test, [.heartRate], noon, noon + .seconds(86_400))
            #expect(try await test.deletionWorker().deleteNext())
            #expect(try await test.database.queryOne("select count(*) from block", as: Int.self) == 0)
            #expect(try await bytes(test) == (0, 0))
        }
    }

    @Test("REQ-03 NFR-06a: a type of which nothing is left is not collected any more, one that has just arrived is")
    func types() async throws {
        try await IngestionTest.with { test in
            func types() async throws -> Set<DataType> {
                Set(
                    try await test.service.rpc(as: "query").call(
                        Ingestion.Types.self, .init(accountID: account, reason: .test)
                    ).types)
            }
            try await fill(test, 1...6)
            try await test.seal(account)
            #expect(try await types() == [.heartRate, .steps, .position])
            _ = try await ask(test, nil, noon - .seconds(20 * 86_400), noon + .seconds(5 * 86_400))
            _ = try await test.upload(100, [single(.steps, 4, at: noon)], device: device, of: account)
            #expect(try await test.deletionWorker().deleteNext())
            #expect(try await types() == [.steps])
            _ = try await test.upload(101, [heartRates([61], from: noon)], device: device, of: account)
            #expect(try await types() == [.steps, .heartRate])
        }
    }

    @Test(
        "NFR-01 NFR-06a: while is computed what is left of a person, uploads are stored, and what they bring counts as left",
        arguments: [1, 100])
    func uploadsGoOn(looks: Int) async throws {
        try await IngestionTest.with { test in
            try await fill(test, 1...6)
            try await test.seal(account)
            try await fill(test, 7...8)
            _ = try await ask(test, nil, noon - .seconds(20 * 86_400), noon + .seconds(5 * 86_400))
            let (device, account) = (device, account)
            let number = Mutex<Int>(0)
            let worker = test.deletionWorker { step in
                guard step == .looked else { return }
                let look = number.withLock { number in
                    number += 1
                    return number
                }
                guard look <= looks else { return }
                let steps = single(.steps, Double(look), at: noon)
                let answer = try await test.upload(100 + Int64(look), [steps], device: device, of: account)
                #expect(answer.stored == 1)
            }
            #expect(try await worker.deleteNext())
            let types = try await test.service.rpc(as: "query").call(
                Ingestion.Types.self, .init(accountID: account, reason: .test))
            // Of who sends all the time nothing is forgotten.
            #expect(Set(types.types) == (looks == 1 ? [.steps] : [.heartRate, .steps, .position]))
            #expect(try await !test.deletionWorker().deleteNext())
        }
    }

    @Test("ING-04 NFR-06a: a file whose samples were deleted brings nothing back when it is imported again")
    func imported() async throws {
        try await IngestionTest.with { test in
            test.service.start()
            let imports = ImportTest(test: test, account: account)
            #expect(try await imports.imported(ImportTest.gpx(60)).report.taken["heart-rate"] == 60)
            #expect(try await test.readAll(account).series.count > 0)
            let day = Timestamp("2026-05-01T00:00:00Z")!
            let asked = try await ask(test, nil, day, day + .seconds(86_400))
            let end = Deadline.after(.patience)
            while try await status(test, asked.id).state != "done" {
                try #require(!end.hasPassed)
                try await EventLoop.current?.sleep(for: .milliseconds(5))
            }
            #expect(try await test.readAll(account).series.isEmpty)
            let again = try await imports.imported(ImportTest.gpx(60)).report
            #expect(again.taken["heart-rate"] == 60 && again.repeated == 120)
            #expect(try await test.readAll(account).series.isEmpty)
        }
    }

    @Test("NFR-03: a deletion that cannot be done keeps nobody else's waiting")
    func unreadable() async throws {
        try await IngestionTest.with { test in
            try await fill(test, 1...6)
            try await test.seal(account)
            try await test.database.execute("update block set samples = samples || '\\x00'")
            _ = try await ask(test, nil, noon - .seconds(60), noon + .seconds(7200))
            let other = UUID.random()
            _ = try await test.upload(1, [heartRates([61], from: noon)], device: .random(), of: other)
            _ = try await ask(test, nil, noon - .seconds(60), noon + .seconds(7200), of: other)
            #expect(try await test.deletionWorker().deleteNext())
            #expect(test.service.log.lines.contains { $0.contains("a deletion could not be done") })
            #expect(try await test.deletionWorker().deleteNext())
            #expect(try await !test.deletionWorker().deleteNext())
            #expect(try await test.readAll(other).series.isEmpty)
            // Two workers at once do not do the same one.
            try await test.database.execute("update deletion set due_at = now()")
            try await test.database.transaction { transaction in
                _ = try await transaction.query("select deletion from deletion for update", as: UUID.self)
                #expect(try await !test.deletionWorker().deleteNext())
            }
        }
    }

    @Test(
        "ACC-12b: of an erased person no deletion is left; one is seen by its owner only, and there is a limit to them")
    func refusals() async throws {
        try await IngestionTest.with { test in
            let body = try JSONEncoder().encode(Wish(types: nil, from: noon, to: noon + .seconds(1)))
            let token = try test.token(of: account)
            let unknown = try await test.post("deletions", body, token: token)
            #expect(unknown.status == .notFound)
            #expect(try await test.code(unknown) == "no-data")
            try await fill(test, 1...2)
            for wrong in [
                Wish(types: [], from: noon, to: noon + .seconds(1)), Wish(types: nil, from: noon, to: noon),
            ] {
                let refused = try await test.post("deletions", try JSONEncoder().encode(wrong), token: token)
                #expect(refused.status == .unprocessableContent)
            }
            let first = try await ask(test, nil, noon, noon + .seconds(1))
            let other = try await test.service.call(
                .get, "/ingestion/v1/deletions/\(first.id)", token: try test.token(of: .random()))
            #expect(other.status == .notFound)
            for _ in 1..<DeletionStore.unfinishedMax { _ = try await ask(test, nil, noon, noon + .seconds(1)) }
            let tooMany = try await test.post("deletions", body, token: token)
            #expect(tooMany.status == .tooManyRequests)
            #expect(try await test.code(tooMany) == "too-many-deletions")
            struct List: Decodable { let deletions: [Status] }
            let list: List = try await test.decoded(
                try await test.service.call(.get, "/ingestion/v1/deletions", token: token))
            #expect(list.deletions.count == DeletionStore.unfinishedMax)
            try await test.erase(account)
            #expect(try await test.database.queryOne("select count(*) from deletion", as: Int.self) == 0)
            #expect(try await test.database.queryOne("select count(*) from deleted_span", as: Int.self) == 0)
            #expect(try await !test.deletionWorker().deleteNext())
        }
    }
}

import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct SetAsideTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private struct Wish: Encodable {
        let from: Timestamp
        let to: Timestamp
    }

    private func values(_ test: IngestionTest) async throws -> [Double] {
        try await test.readAll(account).series.flatMap { $0.values ?? [] }.sorted()
    }

    private func metrics(_ test: IngestionTest) async -> String {
        String(decoding: await test.service.context.metrics.text(), as: UTF8.self)
    }

    /// Uploads 61, 62 and 63, of which something gets lost, and sets aside what cannot be sealed. Returns what brings it back.
    private func lose(_ what: String, _ test: IngestionTest) async throws -> SQL {
        if what == "block" {
            _ = try await test.upload(9, [heartRates([50])], device: device, of: account)
            try await test.seal(account)
        }
        for number in 1...3 as ClosedRange<Int64> {
            let series = heartRates([60 + Double(number)], from: IngestionTest.start - .seconds(60 * number))
            _ = try await test.upload(number, [series], device: device, of: account)
        }
        var cure: SQL
        switch what {
        case "arrival":
            let sealed = try #require(
                try await test.database.queryOne("select sealed from arrival where arrival = 2", as: [UInt8].self))
            try await test.database.execute("update arrival set sealed = '\\x00' where arrival = 2")
            cure = "update arrival_set_aside set sealed = \(sealed)"
        case "block":
            let samples = try #require(
                try await test.database.queryOne("select samples from block", as: [UInt8].self))
            try await test.database.execute("update block set samples = '\\x00'")
            cure = "update block set samples = \(samples)"
        default:
            let wrapped = try #require(
                try await test.keyStore.database.queryOne(
                    "delete from subject_key where account_id = \(account) returning wrapped", as: [UInt8].self))
            cure = "insert into subject_key (account_id, wrapped) values (\(account), \(wrapped))"
        }
        let number = try await test.number(of: account)
        await #expect(throws: (any Error).self) { try await test.seal(account) }
        while try await test.sealer().setAside(number, before: .endOfTime) > 0 { _ = try? await test.seal(account) }
        return cure
    }

    @Test(
        "NFR-03 NFR-04: what was set aside is put back once its cause is gone, and readers and blocks get it",
        arguments: ["arrival", "block", "key"])
    func putBack(lost: String) async throws {
        try await IngestionTest.with { test in
            let cure = try await lose(lost, test)
            let number = try await test.number(of: account)
            _ = try? await test.sealer().putBack(number)
            let aside = try await test.database.queryOne("select count(*) from arrival_set_aside", as: Int.self)
            #expect(aside == (lost == "arrival" ? 1 : 3))
            let next = lost == "arrival" ? try await test.readAll(account).next : .beginning
            try await (lost == "key" ? test.keyStore.database : test.database).execute(cure)
            #expect(try await test.sealer().putBack(number) == aside)
            #expect(try await test.database.queryOne("select count(*) from arrival_set_aside", as: Int.self) == 0)
            let all: [Double] = (lost == "block" ? [50] : []) + [61, 62, 63]
            #expect(try await values(test) == all)
            // Who has read all before gets what it lacks.
            if lost == "arrival" {
                let rest = try await test.readAll(account, from: next).series
                #expect(rest.flatMap { $0.values ?? [] } == [62])
            }
            try await test.seal(account)
            #expect(try await values(test) == all)
            let isSealed = try await test.database.queryOne(
                "select sealed_through = (select max(arrival) from arrival) from person", as: Bool.self)
            #expect(isSealed == true)
            #expect(try await test.upload(7, [heartRates([70])], device: device, of: account).stored == 1)
        }
    }

    @Test("SUB-02: what a person has deleted does not come back with what is put back")
    func deleted() async throws {
        try await IngestionTest.with { test in
            let cure = try await lose("arrival", test)
            let wish = Wish(from: IngestionTest.start - .seconds(3600), to: IngestionTest.start)
            let answer = try await test.post(
                "deletions", try JSONEncoder().encode(wish), token: try test.token(of: account))
            #expect(answer.status == .accepted)
            try await test.database.execute(cure)
            let number = try await test.number(of: account)
            #expect(try await test.sealer().putBack(number) == 1)
            #expect(try await !values(test).contains(62))
        }
    }

    @Test("NFR-03: a person who cannot be sealed is told once and counted, and tried again later")
    func once() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            let sealed = try #require(try await test.database.queryOne("select sealed from arrival", as: [UInt8].self))
            try await test.database.execute("update arrival set sealed = '\\x00'")
            let observer = test.service.context.observer
            let job = SealJob(sealer: test.sealer(), observer: observer)
            for _ in 1...3 { try await job.sealDays(includesToday: true) }
            #expect(test.service.log.lines.count { $0.contains("could not be sealed") } == 1)
            let gauge = "trackme_ingestion_people_not_sealed{shard=\"0\"}"
            #expect(await metrics(test).contains("\(gauge) 1\n"))
            try await test.database.execute("update arrival set sealed = \(sealed)")
            // It rests; for whoever knows of no failure it does not.
            try await job.sealDays(includesToday: true)
            #expect(try await test.database.queryOne("select count(*) from block", as: Int.self) == 0)
            try await SealJob(sealer: test.sealer(), observer: observer).sealDays(includesToday: true)
            #expect(try await test.database.queryOne("select count(*) from block", as: Int.self) == 1)
            #expect(await metrics(test).contains("\(gauge) 0\n"))
        }
    }
}

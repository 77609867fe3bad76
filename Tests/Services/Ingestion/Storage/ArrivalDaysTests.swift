import Contracts
import Domain
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct ArrivalDaysTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private func days(_ test: IngestionTest) async throws -> [String] {
        try await ArrivalDays.list(in: test.database).days.map(\.name)
    }

    /// Puts everything that is stored, `ago` days ago, some days back.
    private func age(_ test: IngestionTest, days: Int32 = 3, ago: Int32 = 0) async throws {
        let day: SQL = "(now() at time zone 'UTC')::date - \(ago + days)"
        try await test.database.batch([
            "select add_arrival_days(\(sql: day), \(sql: day))",
            "update arrival set stored_at = stored_at - \(days) * interval '1 day'",
        ])
    }

    @Test("ING-02 NFR-03: a day's arrivals are dropped when they are two days old and all in blocks, not before")
    func drops() async throws {
        try await IngestionTest.with { test in
            let before = try await days(test)
            #expect(before.count == 2)
            for (person, device) in [(account, device), (UUID.random(), UUID.random())] {
                for number in 1...3 as ClosedRange<Int64> {
                    _ = try await test.upload(number, [heartRates([60 + Double(number)])], device: device, of: person)
                }
            }
            try await age(test)
            let all = try await days(test)
            #expect(all.count == 3)
            try await test.seal(account)
            // The other person's are in no block.
            #expect(try await ArrivalDays.drop(in: test.database) == 0)
            #expect(try await days(test) == all)

            let job = SealJob(sealer: test.sealer(), observer: test.service.context.observer)
            try await job.sealDays()
            #expect(try await days(test) == before)
            let read = try await test.readAll(account)
            #expect(read.series.flatMap { $0.values ?? [] } == [61, 62, 63])
            #expect(try await test.upload(4, [heartRates([64])], device: device, of: account).stored == 1)
            let rest = try await test.readAll(account, from: read.next)
            #expect(rest.series.flatMap { $0.values ?? [] } == [64])
        }
    }

    @Test(
        "NFR-03 NFR-04: what cannot be sealed for a week is set aside as it was, and holds up neither the person nor anybody else",
        arguments: ["arrival", "block", "key"])
    func setAside(lost: String) async throws {
        try await IngestionTest.with { test in
            let before = try await days(test)
            let job = SealJob(sealer: test.sealer(), observer: test.service.context.observer)
            if lost == "block" {
                _ = try await test.upload(9, [heartRates([50])], device: device, of: account)
                try await test.seal(account)
                try await test.database.execute("update block set samples = '\\x00'")
            }
            for number in 1...3 as ClosedRange<Int64> {
                _ = try await test.upload(number, [heartRates([60 + Double(number)])], device: device, of: account)
            }
            let other = UUID.random()
            _ = try await test.upload(1, [heartRates([80])], device: .random(), of: other)
            switch lost {
            case "arrival": try await test.database.execute("update arrival set sealed = '\\x00' where arrival = 2")
            case "key":
                try await test.keyStore.database.execute("delete from subject_key where account_id = \(account)")
                test.keys.forget([account])
            default: break
            }
            try await age(test, days: 6)
            try await job.sealDays()
            #expect(try await days(test).count == before.count + 1)
            try await age(test, days: 3, ago: 6)
            try await job.sealDays()
            #expect(try await days(test) == before)
            let aside = try await test.database.query(
                "select arrival, length(sealed) > 1 from arrival_set_aside order by arrival", as: Int32.self, Bool.self)
            switch lost {
            case "arrival": #expect(aside.map(\.0) == [2] && !aside[0].1)
            case "block": #expect(aside.map(\.0) == [2, 3, 4])
            default: #expect(aside.map(\.0) == [1, 2, 3] && aside.allSatisfy(\.1))
            }
            #expect(test.service.log.lines.contains { $0.contains("set aside") })
            if lost == "arrival" {
                #expect(try await test.readAll(account).series.flatMap { $0.values ?? [] } == [61, 63])
            }
            #expect(try await test.readAll(other).series.flatMap { $0.values ?? [] } == [80])
            // The person goes on.
            #expect(try await test.upload(5, [heartRates([65])], device: device, of: account).stored == 1)
        }
    }

    @Test(
        "REQ-07 SUB-02: a day after one that has to stay is not dropped, so that no reader misses arrivals between two")
    func inOrder() async throws {
        try await IngestionTest.with { test in
            for person in [account, UUID.random()] {
                _ = try await test.upload(1, [heartRates([61])], device: .random(), of: person)
            }
            try await age(test)
            let other: SQL = "(select number from person where account_id <> \(account))"
            try await test.database.batch([
                "select add_arrival_days((now() at time zone 'UTC')::date - 4, (now() at time zone 'UTC')::date - 4)",
                "update arrival set stored_at = stored_at - interval '1 day' where person = \(sql: other)",
            ])
            try await test.seal(account)
            let all = try await days(test)
            // The other person's, which are older, are in no block.
            #expect(try await ArrivalDays.drop(in: test.database) == 0)
            #expect(try await days(test) == all)
        }
    }

    @Test("NFR-03 ACC-12: a day that was left detached is dropped later, or is a part again when it is not sealed")
    func detached() async throws {
        try await IngestionTest.with { test in
            let other = UUID.random()
            for person in [account, other] {
                _ = try await test.upload(1, [heartRates([61])], device: .random(), of: person)
            }
            try await age(test)
            let all = try await days(test)
            let name = try #require(all.first)
            try await test.seal(account)
            for isSealed in [false, true] {
                if isSealed { try await test.seal(other) }
                try await test.database.execute("alter table arrival detach partition \(identifier: name)")
                #expect(try await ArrivalDays.drop(in: test.database) == (isSealed ? 1 : 0))
                #expect(try await days(test) == (isSealed ? Array(all.dropFirst()) : all))
            }
        }
    }

    @Test("NFR-03: a day that somebody reads is not waited for, and stays until the next time")
    func busy() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            try await age(test)
            try await test.seal(account)
            try await test.database.transaction { transaction in
                _ = try await transaction.query("select arrival from arrival", as: Int32.self)
                #expect(try await ArrivalDays.drop(in: test.database) == 0)
            }
            #expect(try await ArrivalDays.drop(in: test.database) == 1)
        }
    }

    @Test("NFR-01: who sends much is sealed at once, in the background")
    func atOnce() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            // As if so many had come before.
            let person = try #require(try await test.database.queryOne("select number from person", as: Int32.self))
            let most = SealJob.arrivalsMax(of: person)
            try await test.database.execute("update arrival set arrival = \(Int32(most)) where arrival = 1")
            let key = try #require(
                try await SubjectKeys(store: test.keyStore, cipher: FieldCipher(test.service.context.keys.fields))
                    .existingKeys(of: [account])[account])
            let sealed = try #require(try await test.database.queryOne("select sealed from arrival", as: [UInt8].self))
            let opened = try key.open(sealed, at: SealedLocation.arrival(1, of: account))
            try await test.database.execute(
                "update arrival set sealed = \(key.seal(opened, at: SealedLocation.arrival(most, of: account)))"
            )
            test.service.start()
            _ = try await test.upload(2, [heartRates([62])], device: device, of: account)
            let end = Deadline.after(.patience)
            var through: Int32 = 0
            while through == 0, !end.hasPassed {
                through = try await test.database.queryOne("select sealed_through from person", as: Int32.self) ?? 0
            }
            #expect(Int64(through) == most + 1)
        }
    }

    @Test("NFR-01: people whose devices send at the same rate are not all sealed in the same minute")
    func spread() {
        let limits = (1...4010 as ClosedRange<Int32>).map { SealJob.arrivalsMax(of: $0) }
        #expect(limits.min() == 300 && limits.max() == 700)
        #expect(Set(limits).allSatisfy { limit in limits.count { $0 == limit } == 10 })
    }
}

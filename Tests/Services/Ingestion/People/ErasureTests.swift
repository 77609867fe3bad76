import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Reactor
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct ErasureTests {
    private let account = UUID.random()
    private let device = UUID.random()

    @Test("ACC-12b: of an erased person nothing can be read any more, in no way, and nothing more is taken")
    func erases() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, .init(accountID: account, kind: .individual, subject: 4))
            try await test.change(
                1, .init(deviceID: device, accountID: account, dataTypes: [.heartRate], isRemoved: false))
            try await test.watch(account)
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            #expect(try await test.events(Ingestion.liveFeed, as: "dispatcher").count == 1)
            let entry =
                #"{"series": [{"type": "weight", "start": "2026-11-20T07:00:00Z", "offsets_ms": [0], "values": [70]}]}"#
            _ = try await test.post("samples", Array(entry.utf8), token: try test.token(of: account))
            try await test.erase(account)
            for table in ["arrival", "upload", "source", "import_part", "device", "watch"] {
                let count = try await test.database.queryOne("select count(*) from \(raw: table)", as: Int.self)
                #expect(count == 0)
            }
            #expect(try await test.keyStore.keys(of: [account], adding: [:]) == [account: .destroyed])
            #expect(try await test.events(Ingestion.liveFeed, as: "dispatcher").isEmpty)
            let error = await #expect(throws: RPCError.self) { try await test.read(account) }
            #expect(error?.code == .notFound)
            let body = Array(
                """
                {"upload": 2, "sent_at": "2026-11-20T10:00:00Z", "series": [
                  {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0], "values": [61]}]}
                """.utf8)
            let late = try await test.post("uploads", body, token: try test.token(device: device, of: account))
            #expect(late.status == .gone)
            #expect(try await test.code(late) == "account-erased")
        }
    }

    @Test("ACC-12 ING-02: who is erased while several devices upload and it is sealed leaves nothing behind")
    func whileUploading() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            let taken = EventCounter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let device = UUID.random()
                        // Until it hears that the person is gone.
                        for number in 1...10_000 as ClosedRange<Int64> {
                            let answer = try await test.send(
                                number, [heartRates([Double(60 + number % 40)])], device: device, of: account)
                            taken.raise()
                            if answer.status == .gone { return }
                            #expect(answer.status == .ok)
                        }
                        Issue.record("uploads of an erased person are taken")
                    }
                }
                group.addTask {
                    let number = try await test.number(of: account)
                    while try await test.database.queryOne("select erased_at is null from person", as: Bool.self)
                        == true
                    {
                        try await test.sealer().seal(number)
                    }
                }
                while taken.value < 40 { _ = await taken.wait(after: taken.value) }
                try await test.erase(account)
                try await group.waitForAll()
            }
            for table in ["arrival", "upload", "source", "block", "import_part"] {
                let count = try await test.database.queryOne("select count(*) from \(raw: table)", as: Int.self)
                #expect(count == 0, "\(table)")
            }
        }
    }

    @Test("ACC-12b: an erasure that comes twice, or before older news, stays an erasure")
    func repeats() async throws {
        try await IngestionTest.with { test in
            try await test.erase(account)
            try await test.erase(account)
            try await test.change(12, .init(accountID: account, kind: .individual, subject: 4))
            try await test.watch(account)
            let row = try await test.database.queryOne(
                "select subject, erased_at is not null from person", as: Int32?.self, Bool.self)
            #expect(row! == (nil, true))
            let rest = try await test.database.queryOne(
                """
                select (sealed_through, deletions, sample_bytes, summary_bytes, types) = (0, 0, 0, 0, 0) and reported_on is null
                from person
                """, as: Bool.self)
            #expect(rest == true)
            #expect(try await test.database.queryOne("select count(*) from watch", as: Int.self) == 0)
        }
    }

    @Test("ACC-12f: what was collected goes, the person stays; readers and uploads go on from where they were")
    func collectedData() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, .init(accountID: account, kind: .individual, subject: 4))
            _ = try await test.upload(1, [heartRates([61, 62])], device: device, of: account)
            try await test.seal(account)
            _ = try await test.upload(2, [heartRates([63])], device: device, of: account)
            let before = try await test.readAll(account)
            let id = UUID.random()
            try await test.erase(account, .collectedData, id: id)
            let items = try await ErasureFollower.items(of: id, in: test.database)
            #expect(items["data-days"]?.count == 1 && items["recent-uploads"] != nil)
            for table in ["arrival", "block", "day_value"] {
                let count = try await test.database.queryOne("select count(*) from \(raw: table)", as: Int.self)
                #expect(count == 0, "\(table)")
            }
            #expect(try await test.readAll(account).series.isEmpty)
            // The device sends its last upload once more, since it has not heard of the answer: nothing comes back.
            let again = try await test.send(2, [heartRates([63])], device: device, of: account)
            #expect(again.status == .ok)
            #expect(try await test.readAll(account).series.isEmpty)
            #expect(try await test.upload(3, [heartRates([64])], device: device, of: account).stored == 1)
            let after = try await test.read(account, after: before.next)
            #expect(after.series.flatMap { $0.values ?? [] } == [64])
        }
    }

    @Test("The person's number is filled in when the feed tells it, and older versions change nothing")
    func subjectArrivesLater() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            try await test.change(5, .init(accountID: account, kind: .individual, subject: 4))
            try await test.change(
                3, .init(accountID: account, kind: .individual, subject: nil, paused: ["health"]))
            let row = try await test.database.queryOne(
                "select subject, paused, version from person", as: Int32?.self, [String].self, Int64.self)
            #expect(row! == (4, [], 5))
        }
    }

    @Test(
        "ACC-12b ACC-12f: While a restored backup is erased again, ingestion tells neighbours nothing of people's samples, and takes uploads"
    )
    func restoring() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, .init(accountID: account, kind: .individual, subject: 4))
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            let (query, accounts) = (test.service.rpc(as: "query"), test.service.rpc(as: "accounts"))
            let withheld: [@Sendable () async throws -> Void] = [
                { _ = try await test.read(account) },
                { _ = try await query.call(Ingestion.Types.self, .init(accountID: account, reason: .test)) },
                {
                    _ = try await accounts.call(
                        Ingestion.Export.self, .init(accountID: account, kind: .individual, after: nil))
                },
            ]
            let withholding = test.service.context.withholding
            withholding.begin()
            for call in withheld {
                let error = await #expect(throws: RPCError.self) { try await call() }
                #expect(error?.code == .unavailable)
            }
            _ = try await test.upload(
                2, [heartRates([62], from: IngestionTest.start - .seconds(30))], device: device, of: account)
            withholding.end()
            for call in withheld { try await call() }
            #expect(try await test.read(account).series.reduce(0) { $0 + $1.count } == 2)
        }
    }

    @Test("ACC-12b ACC-12f: While a restored backup is erased again, nobody's days are counted for the anonymous store")
    func restoringDays() async throws {
        try await IngestionTest.with { test in
            let (account, device) = try await test.counted(4)
            let yesterday = IngestionTest.start - .seconds(86_400)
            _ = try await test.upload(1, [heartRates([61], from: yesterday)], device: device, of: account)
            let withholding = test.service.context.withholding
            withholding.begin()
            let day = yesterday.dateUTC
            let withheld = try await test.service.rpc(as: "simulator").call(
                Ingestion.CloseDays.self, .init(through: day, waitMilliseconds: 1000))
            #expect(!withheld.isDone)
            withholding.end()
            #expect(try await test.close(through: "\(day)") > 0)
        }
    }
}

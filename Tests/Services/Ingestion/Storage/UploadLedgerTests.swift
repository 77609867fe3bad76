import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Synchronization
import Testing

@testable import Ingestion

@Suite struct UploadLedgerTests {
    private let account = UUID.random()
    private let device = UUID.random()

    private struct Row: Equatable, CustomStringConvertible {
        let first: Int64?
        let last: Int64
        var description: String { first.map { "\($0)-\(last)" } ?? "\(last)" }
    }

    private func rows(_ test: IngestionTest) async throws -> [String] {
        try await test.database.query(
            "select first, upload from upload order by person, source, upload", as: Int64?.self, Int64.self
        ).map { Row(first: $0, last: $1).description }
    }

    private func upload(_ number: Int64, _ test: IngestionTest) async throws -> IngestionTest.Answer {
        try await test.upload(number, [heartRates([61])], device: device, of: account)
    }

    @Test("ING-02c: after a month numbers without gaps are one range, and their repeats are answered as stored")
    func shrinks() async throws {
        try await IngestionTest.with { test in
            for number in [1, 2, 3, 5, 6, 9, 10, 11, 12] as [Int64] { _ = try await upload(number, test) }
            let before = IngestionTest.start - .seconds(86_400)
            try await test.database.execute("update upload set received_at = \(before) where upload <= 10")
            let ledger = UploadLedger(database: test.database)
            #expect(try await ledger.shrink(before: before) == 0)
            #expect(try await ledger.shrink(before: before + .seconds(1)) == 4)
            #expect(try await rows(test) == ["1-3", "5-6", "9-10", "11", "12"])
            #expect(try await ledger.shrink(before: before + .seconds(1)) == 0)
            // The heart rate was measured a day after these.
            let sent = Array(
                """
                {"upload": 2, "sent_at": "2026-11-20T10:00:00Z", "series": [
                  {"type": "heart-rate", "start": "2026-11-20T09:59:00Z", "offsets_ms": [0], "values": [61]}]}
                """.utf8)
            let token = try test.token(device: device, of: account)
            #expect(try await test.post("uploads", sent, token: token).status == .conflict)
            let old = heartRates([61], from: before - .seconds(60))
            for number in [1, 3, 5, 10] as [Int64] {
                let answer = try await test.upload(number, [old], device: device, of: account)
                #expect(answer.repeated && answer.stored == 1)
            }
            #expect(try await upload(11, test).repeated)
            let gap = try await test.upload(4, [old], device: device, of: account)
            #expect(!gap.repeated && gap.stored == 1)
            // What was in a gap joins what is beside it when the numbers are gone through from the first one again.
            try await test.database.batch([
                "update upload set received_at = \(before) where upload <= 12",
                "update source set shrunk_at = shrunk_at - interval '31 days'",
            ])
            #expect(try await ledger.shrink(before: before + .seconds(1)) == 4)
            #expect(try await rows(test) == ["1-6", "9-12"])
        }
    }

    @Test(
        "ING-02c ING-10: however many gaps a device's numbers have, later ones shrink all the same, and old ones are passed over"
    )
    func gaps() async throws {
        try await IngestionTest.with { test in
            for number in stride(from: Int64(1), through: 59, by: 2) { _ = try await upload(number, test) }
            let before = IngestionTest.start - .seconds(86_400)
            try await test.database.execute("update upload set received_at = \(before)")
            let ledger = UploadLedger(database: test.database)
            #expect(try await ledger.shrink(before: before + .seconds(1), due: before) == 0)
            #expect(try await ledger.shrink(before: before + .seconds(1)) == 0)
            #expect(try await rows(test).last == "59-59")
            for number in [60, 61, 62] as [Int64] { _ = try await upload(number, test) }
            try await test.database.execute("update upload set received_at = \(before)")
            #expect(try await ledger.shrink(before: before + .seconds(1)) == 3)
            #expect(try await rows(test).suffix(2) == ["57-57", "59-62"])
            #expect(try await test.database.queryOne("select shrunk_through from source", as: Int64.self) == 62)
        }
    }

    @Test(
        "ING-02c NFR-01: of a device whose numbers never follow each other so many are kept, and what comes again is stored"
    )
    func forgotten() async throws {
        try await IngestionTest.with { test in
            let ledger = UploadLedger(database: test.database, rangesMax: 3)
            let before = IngestionTest.start - .seconds(86_400)
            for numbers in [[1, 3, 5, 7, 9, 11], [13, 15]] as [[Int64]] {
                for number in numbers { _ = try await upload(number, test) }
                try await test.database.execute("update upload set received_at = \(before)")
                _ = try await ledger.shrink(before: before + .seconds(1))
            }
            #expect(try await rows(test) == ["7-7", "9-9", "11-11", "13-13", "15-15"])
            let old = heartRates([62], from: before - .seconds(60))
            for (number, isRepeated) in [(1, false), (6, false), (7, true)] as [(Int64, Bool)] {
                let answer = try await test.upload(number, [old], device: device, of: account)
                #expect(answer.stored == 1 && answer.repeated == isRepeated)
            }
            // Of exact repeats readers get one.
            #expect(try await test.read(account).series.flatMap { $0.values ?? [] }.sorted() == [61, 62])
        }
    }

    private final class Backend: Sendable {
        let process = Mutex<Int32>(0)
    }

    @Test("ACC-12b: who is erased while upload numbers are made ranges leaves none behind")
    func erased() async throws {
        try await IngestionTest.with { test in
            for number in 1...3 as ClosedRange<Int64> { _ = try await upload(number, test) }
            // Ranges wait until they are let go.
            try await test.database.batch([
                """
                create function hold() returns trigger language plpgsql as
                $$ begin perform pg_advisory_xact_lock(hashtext(current_schema())); return new; end $$
                """,
                """
                create trigger hold before insert on upload for each row when (new.first is not null)
                execute function hold()
                """,
            ])
            let (held, released) = (EventCounter(), EventCounter())
            let backend = Backend()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await test.database.transaction { transaction -> Void in
                        try await transaction.execute("select pg_advisory_xact_lock(hashtext(current_schema()))")
                        let pid = try await transaction.queryOne("select pg_backend_pid()", as: Int32.self)
                        backend.process.withLock { $0 = pid ?? 0 }
                        held.raise()
                        _ = await released.wait(after: 0, deadline: .after(.patience))
                    }
                }
                _ = await held.wait(after: 0, deadline: .after(.patience))
                let holder = backend.process.withLock { $0 }
                group.addTask {
                    _ = try await UploadLedger(database: test.database).shrink(
                        before: IngestionTest.start + .seconds(1))
                }
                try await test.untilBlocked(by: holder)
                let shrinking = try await test.database.queryOne(
                    "select pid from pg_stat_activity where \(holder) = any(pg_blocking_pids(pid)) limit 1",
                    as: Int32.self)
                group.addTask {
                    try await test.erase(account)
                }
                try await test.untilBlocked(by: try #require(shrinking))
                released.raise()
                try await group.waitForAll()
            }
            #expect(try await rows(test) == [])
        }
    }

    @Test("ING-02c: ranges are joined where numbers follow each other, up to the last number there is")
    func joined() {
        func range(_ first: Int64, _ last: Int64, _ seconds: Int64, isNew: Bool = false) -> UploadLedger.Range {
            .init(first: first, last: last, receivedUntil: IngestionTest.start + .seconds(seconds), isNew: isNew)
        }
        #expect(UploadLedger.Range.joined([]) == [])
        #expect(
            UploadLedger.Range.joined([
                range(.min, 3, 1), range(4, 4, 9, isNew: true), range(5, 5, 2, isNew: true), range(.max, .max, 4),
            ]) == [range(.min, 5, 9, isNew: true), range(.max, .max, 4)])
    }
}

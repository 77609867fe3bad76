import Contracts
import HTTP
import Postgres
import Primitives
import Testing

@testable import Ingestion

/// What PostgreSQL says when its disk is full, on any machine. On a disk that is full, which not every process may have, it is
/// `StorageKillTests.fullDisk`.
@Suite struct FullDiskTests {
    enum Moment: CaseIterable {
        case insert, commit

        var timing: SQL {
            switch self {
            case .insert: "create trigger full_disk after insert on arrival"
            case .commit: "create constraint trigger full_disk after insert on arrival deferrable initially deferred"
            }
        }
    }

    @Test(
        "NFR-04a ING-02cd: with a full disk uploads are refused as something that passes; once there is room they go on, and what was acknowledged is there once",
        arguments: Moment.allCases)
    func refused(at moment: Moment) async throws {
        try await IngestionTest.with { test in
            let (account, device) = (UUID.random(), UUID.random())
            func send(_ number: Int64) async throws -> HTTPResponse {
                let sample = heartRates([60], from: IngestionTest.start - .seconds(100 - Int(number)))
                return try await test.send(number, [sample], device: device, of: account)
            }
            #expect(try await send(1).status == .ok)
            try await test.database.batch([
                """
                create function full_disk() returns trigger language plpgsql as $$
                begin raise exception 'could not extend file' using errcode = '53100'; end $$
                """,
                "\(sql: moment.timing) for each row execute function full_disk()",
            ])
            for number in Int64(2)...4 {
                let answer = try await send(number)
                #expect(answer.status == .serviceUnavailable)
                #expect(try await test.code(answer) == "database-unavailable")
            }
            try await test.database.execute("drop trigger full_disk on arrival")
            // The device sends again what it has no answer to, and what it is not sure of.
            for number in Int64(1)...5 { #expect(try await send(number).status == .ok) }
            let stored = try await test.readAll(account).series.flatMap { one in (0..<one.count).map(one.time) }
            #expect(stored.sorted() == (1...5).map { IngestionTest.start - .seconds(100 - $0) })
        }
    }
}

import Contracts
import HTTP
import Postgres
import Primitives
import Service
import Testing

@testable import Ingestion

@Suite struct EntryLedgerTests {
    private let account = UUID.random()

    @Test(
        "ING-03 ING-10: an entry is known for 30 days, pieces of imported files for good; later the same again leaves nothing new"
    )
    func kept() async throws {
        try await IngestionTest.with { test in
            func enter() async throws -> IngestionTest.Answer {
                let entry = """
                    {"series": [{"type": "weight", "start": "2026-11-20T07:00:00Z", "offsets_ms": [0], "values": [70]}]}
                    """
                return try await test.decoded(
                    try await test.post("samples", Array(entry.utf8), token: try test.token(of: account)))
            }
            let first = try await enter()
            #expect(first.stored == 1 && !first.repeated)
            try await test.database.execute(
                """
                insert into import_part (person, content, received_at, is_entry, answer)
                select person, gen_random_uuid(), received_at, false, answer from import_part
                """)
            let rule = EntryLedger.retention(in: test.database)
            #expect(rule.days == 30)
            #expect(try await rule.enforce(before: IngestionTest.start) == 0)
            #expect(try await enter().repeated)
            #expect(try await rule.enforce(before: IngestionTest.start + .seconds(1)) == 1)
            #expect(try await test.database.query("select is_entry from import_part", as: Bool.self) == [false])
            let again = try await enter()
            #expect(again.stored == 1 && !again.repeated)
            #expect(try await test.read(account).series.map(\.values) == [[70]])
        }
    }
}

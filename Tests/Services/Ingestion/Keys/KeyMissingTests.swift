import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

/// A key store that has lost the keys of people of whom something is sealed.
@Suite struct KeyMissingTests {
    private let account = UUID.random()
    private let device = UUID.random()

    /// Somebody with samples and without a key, as this process sees it after its start.
    private func lose(_ test: IngestionTest) async throws {
        try await test.database.execute(
            "insert into person (account_id, types) values (\(account), \(DataType.heartRate.bit))")
    }

    private func keyCount(_ test: IngestionTest) async throws -> Int? {
        try await test.keyStore.database.queryOne("select count(*) from subject_key", as: Int.self)
    }

    @Test(
        "NFR-05 ING-02: of somebody whose key the key store has lost nothing is taken, and no other key is made; when it is back uploads go on"
    )
    func refused() async throws {
        try await IngestionTest.with { test in
            try await lose(test)
            for _ in 1...2 {
                let answer = try await test.send(1, [heartRates([61])], device: device, of: account)
                #expect(answer.status == .serviceUnavailable && answer.fields["Retry-After"] == "600")
                #expect(try await test.code(answer) == "key-missing")
            }
            let entry =
                "{\"series\": [{\"type\": \"weight\", \"start\": \"2026-11-17T07:00:00Z\", \"offsets_ms\": [0], "
                + "\"values\": [71]}]}"
            let entered = try await test.post("samples", Array(entry.utf8), token: try test.token(of: account))
            #expect(entered.status == .serviceUnavailable)
            let imported = try await ImportTest(test: test, account: account).call(
                .post, "/ingestion/v1/imports", ["Content-Type": "application/gpx+xml"], body: ImportTest.gpx(10))
            #expect(imported.status == .serviceUnavailable)
            #expect(try await keyCount(test) == 0)
            #expect(test.service.log.lines.count { $0.contains("is not in the key store") } == 1)
            let metrics = String(decoding: await test.service.context.metrics.text(), as: UTF8.self)
            #expect(metrics.contains("trackme_ingestion_keys_missing_total 4\n"))
            // Others are taken.
            #expect(try await test.upload(1, [heartRates([61])], device: .random(), of: .random()).stored == 1)

            let wrapped = SubjectKey.random().wrapped(of: account, with: test.keys.cipher)
            _ = try await test.keyStore.keys(of: [account], adding: [account: wrapped])
            #expect(try await test.upload(1, [heartRates([61])], device: device, of: account).stored == 1)
        }
    }

    @Test("NFR-05: news of somebody whose key is lost hold up nobody's, and make no other key")
    func news() async throws {
        try await IngestionTest.with { test in
            try await lose(test)
            let keys = test.keys.keys(except: SealedRows.people(in: test.database, test.service.context.observer))
            let person = Accounts.PersonDetails(
                language: .english, birthDate: CalendarDate("1980-05-17")!, sex: .female, preferredSources: [])
            try await test.change(
                1, .init(accountID: account, kind: .individual, subject: 4, person: person), keys: keys)
            let subject = try await test.database.queryOne(
                "select subject from person where details is null", as: Int32.self)
            #expect(subject == 4)
            #expect(try await keyCount(test) == 0)
        }
    }

    @Test("ACC-12 NFR-05: a key that was destroyed is an erasure to whoever seals, one that is missing is a fault")
    func sealing() async throws {
        try await IngestionTest.with { test in
            _ = try await test.upload(1, [heartRates([61])], device: device, of: account)
            try await test.keyStore.database.execute("delete from subject_key")
            await #expect(throws: (any Error).self) { try await test.seal(account) }
            try await test.keyStore.destroy([account])
            #expect(try await test.seal(account) == Sealer.Sealed())
        }
    }
}

import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Security
import Service
import ServiceTesting
import Testing

@testable import Ingestion

@Suite struct KeyReplacementTests {
    @Test("NFR-05d: keys of people and publications are wrapped with a new key by rotation, and the old one can go")
    func replacement() async throws {
        let replacement = try KeyReplacement()
        try await IngestionTest.with(keys: replacement.keys) { test in
            let (first, second) = (UUID.random(), UUID.random())
            let yesterday = Timestamp("2026-11-19T12:00:00Z")!
            try await test.change(
                1, Accounts.AccountChange(accountID: first, kind: .individual, subject: 7))
            _ = try await test.upload(1, [heartRates([60, 61], from: yesterday)], device: .random(), of: first)
            _ = try await test.close(through: "2026-11-19")
            try await replacement.park(in: test.database, of: "ingestion")
            let databases = [test.database, test.keyStore.database]
            #expect(
                try await replacement.columns(sealedWith: .old, in: databases) == [
                    "subject_key.wrapped", "publication_key.wrapped", "feed_parked.payload",
                ])

            try replacement.begin()
            _ = try await test.upload(1, [heartRates([70, 71])], device: .random(), of: second)
            try await replacement.rotate(try await IngestionService.sealedColumns(test.service.context))
            #expect(try await replacement.columns(sealedWith: .old, in: databases) == [])
            try replacement.end()

            // As another process, which has unwrapped nothing yet.
            let cipher = FieldCipher(replacement.keys.fields)
            let keys = try await SubjectKeys(store: test.keyStore, cipher: cipher).existingKeys(of: [first, second])
            #expect(keys.count == 2)
            let publications = try await test.keyStore.database.query(
                "select publication from publication_key", as: UUID.self)
            let found = try await PublicationKeys(database: test.keyStore.database, cipher: cipher).keys(
                of: Set(publications))
            #expect(!found.isEmpty)
            for key in found.values { _ = try key.get() }
            #expect(try await test.events(Ingestion.rollupsFeed, as: "query").contains { $0.kind == "day" })
            #expect(try await replacement.opensParked(in: test.database, of: "ingestion"))
        }
    }
}

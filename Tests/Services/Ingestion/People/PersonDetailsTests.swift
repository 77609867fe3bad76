import Contracts
import Domain
import Postgres
import Primitives
import Service
import Testing

@testable import Ingestion

@Suite("What is known of people")
struct PersonDetailsTests {
    private let account = UUID.random()
    private let details = Accounts.PersonDetails(
        language: .english, birthDate: CalendarDate("1980-05-17")!, sex: .female,
        preferredSources: [SourcePreference(dataType: .steps, sources: [.imports, .manual])])

    private func change(_ person: Accounts.PersonDetails?) -> Accounts.AccountChange {
        .init(accountID: account, kind: .individual, subject: 4, person: person)
    }

    private func stored(_ test: IngestionTest) async throws -> [UInt8]? {
        try await test.database.queryOne(
            "select details from person where account_id = \(account)", as: [UInt8]?.self) ?? nil
    }

    @Test("NFR-05 ING-09: zone, language, date of birth, sex and preferred sources rest under the person's key")
    func sealed() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, change(details))
            let sealed = try #require(try await stored(test))
            #expect(!String(decoding: sealed, as: UTF8.self).contains("Rome"))
            let key = try #require(try await test.keys.existingKeys(of: [account])[account])
            #expect(try Accounts.PersonDetails(opening: sealed, with: key, of: account) == details)
            #expect(details.preferred(.steps) == [.imports, .manual] && details.preferred(.sleep) == [])
            #expect(throws: (any Error).self) {
                try Accounts.PersonDetails(opening: sealed, with: key, of: .random())
            }
        }
    }

    @Test("ACC-12b: news without them leave them, an erasure takes them")
    func kept() async throws {
        try await IngestionTest.with { test in
            try await test.change(1, change(details))
            let sealed = try await stored(test)
            try await test.change(2, change(nil))
            #expect(try await stored(test) == sealed && sealed != nil)
            try await test.erase(account)
            #expect(try await stored(test) == nil)
            try await test.change(4, change(details))
            #expect(try await stored(test) == nil)
        }
    }
}

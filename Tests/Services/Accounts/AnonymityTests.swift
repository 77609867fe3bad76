import RPC
import Feed
import HTTP
import ServiceTesting
import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Testing

@testable import Accounts

@Suite struct AnonymityTests {
    @Test("GRP-09: Subject numbers are dense, never given twice, and in no order")
    func subjects() async throws {
        try await AccountsTest.with { test in
            let store = try test.capabilities.store
            let count = Int(SubjectNumbers.batchCount)
            var numbers: [Int32] = []
            for size in [1, 1, count - 2, 10] {
                numbers += try await store.transaction { try await SubjectNumbers().take(size, in: $0) }
            }
            #expect(Set(numbers).count == count + 10)
            #expect(Set(numbers.prefix(count)) == Set(1...SubjectNumbers.batchCount))
            #expect(numbers != numbers.sorted())
            // A number that was not given after all is still there.
            struct Refused: Error {}
            await #expect(throws: Refused.self) {
                try await store.transaction { transaction in
                    _ = try await SubjectNumbers().take(5, in: transaction)
                    throw Refused()
                }
            }
            let left = try await test.database.queryOne("select count(*) from subject_pool", as: Int.self)
            #expect(left == count - 10)
        }
    }

    @Test("GRP-09: A person's coarse profile is released when the day is closed, in a batch, and again when it changes")
    func releases() async throws {
        try await AccountsTest.with { test in
            let store = try test.capabilities.store
            let releases = ProfileReleases(store: store)
            let start = try await test.end(of: Accounts.profilesFeed, as: "query")
            let anna = try await test.individual()
            test.clock.advance(by: .seconds(48 * 3600))
            #expect(try await releases.releaseDue() == 0)
            test.clock.advance(by: .seconds(24 * 3600))
            #expect(try await releases.releaseDue() == 1)
            #expect(try await releases.releaseDue() == 0)
            _ = try await test.send(
                .patch, "/me", token: try LoggedIn(try await test.logIn("anna@example.org")).token,
                #"{"phone":"+39 02 1234567"}"#)
            test.clock.advance(by: .seconds(72 * 3600))
            #expect(try await releases.releaseDue() == 0)
            _ = try await test.send(
                .patch, "/me", token: try LoggedIn(try await test.logIn("anna@example.org")).token,
                #"{"residence":"F205"}"#)
            test.clock.advance(by: .seconds(72 * 3600))
            #expect(try await releases.releaseDue() == 1)
            let events = try await test.events(of: Accounts.profilesFeed, after: start, as: "query")
            #expect(events.map(\.version) == [1, 2] && events[0].entity == events[1].entity)
            #expect(events[0].entity != anna.account)
            #expect(try events[1].decode(Accounts.CoarseProfile.self).residence == BelfioreCode("F205"))
        }
    }
}

import RPC
import Feed
import HTTP
import ServiceTesting
import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Service
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
            let releases = ProfileReleases(store: store, batchMin: 1)
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

    /// So many people whose profiles are due.
    private func due(_ count: Int, in test: AccountsTest) async throws -> [UUID] {
        let made = try await test.service.rpc(as: "simulator").call(
            Accounts.Provision.self,
            .init(
                population: "the secret of whoever makes them",
                people: (0..<count).map { TestPerson(number: $0).provisioned })
        ).people
        try await test.database.execute(
            "insert into profile_change select subject, \(test.clock.now()) from person")
        test.clock.advance(by: .seconds(72 * 3600))
        return made.map(\.accountID)
    }

    @Test("GRP-09: Profiles wait until there are enough of them for nobody to be told apart by the time")
    func tooFew() async throws {
        try await AccountsTest.with { test in
            let releases = ProfileReleases(store: try test.capabilities.store)
            let people = try await due(releases.batchMin, in: test)
            let start = try await test.end(of: Accounts.profilesFeed, as: "query")
            try await test.database.execute(
                "delete from profile_change where subject = (select subject from person where account = \(people[0]))")
            #expect(try await releases.releaseDue() == 0)
            #expect(try await test.events(of: Accounts.profilesFeed, after: start, as: "query").isEmpty)
            let earlier: Timestamp = test.clock.now() - .seconds(72 * 3600)
            try await test.database.execute(
                """
                insert into profile_change select subject, \(earlier) from person
                where account = \(people[0])
                """)
            #expect(try await releases.releaseDue() == releases.batchMin)
        }
    }

    @Test("GRP-09 NFR-03: A profile that cannot be read keeps no other from being released, and is tried again later")
    func unreadable() async throws {
        try await AccountsTest.with { test in
            let releases = ProfileReleases(store: try test.capabilities.store)
            let people = try await due(releases.batchMin + 1, in: test)
            let start = try await test.end(of: Accounts.profilesFeed, as: "query")
            try await test.database.execute("update person set profile = 'x' where account = \(people[0])")
            #expect(try await releases.releaseDue() == releases.batchMin)
            let events = try await test.events(of: Accounts.profilesFeed, after: start, as: "query")
            #expect(events.count == releases.batchMin)
            #expect(try await test.database.queryOne("select count(*) from profile_change", as: Int.self) == 1)
            #expect(try await releases.releaseDue() == 0)
            test.clock.advance(by: .seconds(72 * 3600))
            let alone = ProfileReleases(store: try test.capabilities.store, batchMin: 1)
            #expect(try await alone.releaseDue() == 0)
            #expect(test.service.log.lines.count { $0.contains("a row cannot be read and is left out") } == 1)
            // Nor does a new consumer's snapshot fail for it.
            let snapshot = try await test.snapshot(of: Accounts.profilesFeed, as: "query")
            #expect(snapshot.count == releases.batchMin)
        }
    }
}

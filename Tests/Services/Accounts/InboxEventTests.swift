import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct InboxEventTests {
    private func put(
        _ test: AccountsTest, _ template: MessageTemplate, _ values: [String: String], to account: UUID
    ) async throws -> UUID {
        let store = try test.capabilities.store
        let id = UUID.timeOrdered(at: test.clock.now())
        try await store.transaction {
            try await Inbox.put(template, values, id: id, to: account, email: false, store: store, in: $0)
        }
        return id
    }

    private func paired(_ test: AccountsTest, _ account: UUID) async throws -> UUID {
        try await put(test, MessageCatalogue.devicePaired, ["device": "Watch"], to: account)
    }

    @Test(
        "ACC-17a: Who follows an inbox is told once of each message that came, through whichever replica, and nobody else"
    )
    func arrivals() async throws {
        try await AccountsTest.with { test in
            let (anna, other) = (try await test.individual(), try await test.individual(TestPerson(number: 1)))
            let watch = InboxWatch(database: test.database)
            let reader = try watch.open(anna.account)
            let first = try await paired(test, anna.account)
            _ = try await paired(test, other.account)
            try await watch.look()
            #expect(await reader.next(within: .zero)?.contains(first) == true)
            try await watch.look()
            #expect(await reader.next(within: .zero) == [])
            let second = try await paired(test, anna.account)
            try await watch.look()
            #expect(await reader.next(within: .patience) == [second])
            watch.close(reader)
            // What was told long ago is deleted, and told no more.
            try await test.database.execute(
                "update message_arrival set recorded_at = recorded_at - interval '1 hour'")
            try await Upkeep(store: try test.capabilities.store).run()
            #expect(try await test.database.queryOne("select count(*) from message_arrival", as: Int.self) == 0)
        }
    }

    @Test("ACC-17a: Inboxes that are followed are limited, by account and in all; who reads nothing is disconnected")
    func limits() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let watch = InboxWatch(database: test.database)
            let readers = try (0..<InboxWatch.perAccountMax).map { _ in try watch.open(anna.account) }
            #expect(throws: Problem.self) { try watch.open(anna.account) }
            _ = try watch.open(.random())
            watch.close(readers[0])
            watch.close(readers[0])
            _ = try watch.open(anna.account)
            #expect(throws: Problem.self) { try watch.open(anna.account) }
            for _ in 0...InboxWatch.waitingMax { _ = try await paired(test, anna.account) }
            try await watch.look()
            #expect(await readers[1].next(within: .zero) == nil)
        }
    }

    @Test("ACC-17a SOS-09: Of several messages emergencies come first; what a client has missed comes when it is back")
    func order() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let inbox = Inbox(store: try test.capabilities.store, formats: try test.capabilities.formats)
            let usual = try await paired(test, anna.account)
            test.clock.advance(by: .seconds(200))
            let later = try await paired(test, anna.account)
            test.clock.advance(by: .seconds(1))
            let template = try #require(MessageCatalogue["incident-opened"])
            let values = ["time": test.clock.now().description, "cause": "heart-rate"]
            let urgent = try await put(test, template, values, to: anna.account)
            let all = try await inbox.messages([usual, later, urgent, .random()], of: anna.account)
            #expect(all.map(\.id) == [urgent, usual, later])
            #expect(try await inbox.messages(since: usual, of: anna.account)?.map(\.id) == [urgent, later])
            #expect(try await inbox.messages(since: urgent, of: anna.account)?.map(\.id) == [later])
            #expect(try await inbox.messages(since: .random(), of: anna.account) == nil)
            #expect(try await inbox.messages([usual], of: .random()).isEmpty)
            let unread = try await inbox.unread(of: anna.account)
            #expect(unread.newest == urgent && unread.count >= 3)
        }
    }

    @Test("ACC-17a: The stream begins with what is unread, and refuses what is no id of its events")
    func stream() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let response = try await test.service.call(.get, "/accounts/v1/inbox/events", token: anna.token)
            #expect(response.status == .ok && response.contentType == .eventStream)
            let wrong = try await test.send(
                .get, "/inbox/events", token: anna.token, fields: ["Last-Event-ID": "7"])
            #expect(wrong.status == 400 && wrong.code == "invalid-last-event-id")
        }
    }
}

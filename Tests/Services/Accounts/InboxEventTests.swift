import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Accounts
@testable import HTTP

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

    @Test(
        "ACC-17a SOS-09: A stream begins with how many are unread, then has what comes, of one answer emergencies first"
    )
    func arrivalsInStream() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            test.clock.advance(by: .seconds(1))
            let old = try await paired(test, anna.account)
            let watch = try test.capabilities.inboxWatch
            let text = try await follow(test, anna) { stream in
                try await stream.wait(for: "unread")
                // Usual ones before and after an emergency, found by one look.
                test.clock.advance(by: .seconds(1))
                let first = try await paired(test, anna.account)
                test.clock.advance(by: .seconds(1))
                let urgent = try await opened(test, anna.account)
                test.clock.advance(by: .seconds(1))
                let last = try await paired(test, anna.account)
                try await watch.look()
                try await stream.wait(for: "unread", count: 2)
                let messages = stream.events.filter { $0.name == "message" }.map(\.id)
                // Those of before the stream may be told again, as their transactions were young.
                let new = [urgent, first, last].map(\.description)
                #expect(messages.filter(new.contains) == new)
                #expect(messages.first == "\(urgent)")
                #expect(stream.events.last?.name == "unread" && stream.events.last?.id == "\(last)")
                return stream.text
            }
            #expect(text.hasPrefix("retry: 3000\n\nevent: unread\nid: \(old)\ndata: {"))
        }
    }

    @Test(
        "ACC-17a SOS-09: Who comes back with the last id gets what was missed, emergencies first, before anything else")
    func comingBack() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let seen = try await paired(test, anna.account)
            test.clock.advance(by: .seconds(200))
            let missed = try await paired(test, anna.account)
            test.clock.advance(by: .seconds(1))
            let urgent = try await opened(test, anna.account)
            let events = try await follow(test, anna, last: seen) { stream in
                try await stream.wait(for: "unread")
                return stream.events
            }
            #expect(events.map(\.name) == ["message", "message", "unread"])
            #expect(events.map(\.id) == [urgent, missed, urgent].map(\.description))
            // An id that is none of the account's, such as that of a message that is deleted: only what is unread.
            let unknown = try await follow(test, anna, last: .random()) { stream in
                try await stream.wait(for: "unread")
                return stream.events
            }
            #expect(unknown.map(\.name) == ["unread"])
        }
    }

    @Test(
        "ACC-17a ACC-16c: A stream ends with its session, or when its token has expired, and nothing more comes through it",
        arguments: ["one session", "all sessions", "expiry"])
    func revoked(_ way: String) async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let watch = try test.capabilities.inboxWatch
            try await follow(test, anna) { stream in
                try await stream.wait(for: "unread")
                let before = stream.events
                switch way {
                case "one session":
                    let ended = try await test.send(.delete, "/sessions/\(anna.session)", token: anna.token)
                    #expect(ended.status == 204)
                case "all sessions":
                    #expect(try await test.send(.delete, "/sessions", token: anna.token).status == 204)
                default: test.clock.advance(by: TokenIssuer.life + .seconds(6))
                }
                _ = try await opened(test, anna.account)
                try await watch.look()
                let error = try await stream.ending()
                #expect((error as? Problem)?.status == .unauthorized)
                #expect(stream.events == before)
            }
            // Nor does a new one begin.
            #expect(try await test.send(.get, "/inbox/events", token: anna.token).status == 401)
        }
    }

    private func opened(_ test: AccountsTest, _ account: UUID) async throws -> UUID {
        let values = ["time": test.clock.now().description, "cause": "heart-rate"]
        return try await put(test, try #require(MessageCatalogue["incident-opened"]), values, to: account)
    }

    /// Opens a stream, which goes on while `body` runs and ends with it.
    @discardableResult
    private func follow<R>(
        _ test: AccountsTest, _ who: LoggedIn, last: UUID? = nil, _ body: (FollowedStream) async throws -> R
    ) async throws -> R {
        var fields: HTTPFields = ["Authorization": "Bearer \(who.token)"]
        if let last { fields["Last-Event-ID"] = last.description }
        let plain = try HTTPRequest(.get, "/accounts/v1/inbox/events", fields: fields)
        let end = HTTPServerEnd()
        let response = try await test.service.assembled.answer(
            HTTPRequest(head: plain.head, body: plain.body, peer: nil, serverEnd: end))
        guard case .live(let producer) = response.body else {
            throw Refusal.invalid("/", "no stream: \(response.status)")
        }
        let stream = FollowedStream(producer, on: test.service.loops.loops[0])
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(stream)) } catch { outcome = .failure(error) }
        end.reach()
        _ = try await stream.ending()
        return try outcome.get()
    }
}

/// A stream of events that a test reads while it goes on, on the same loop.
private final class FollowedStream: Sendable {
    struct Event: Equatable {
        let name: String
        let id: String
    }

    private enum State {
        case open
        case ended((any Error)?)
    }

    private let loop: EventLoop
    // Belongs to that loop alone.
    private nonisolated(unsafe) let writer = HTTPBodyWriter(count: nil)
    private let state = Mutex(State.open)

    init(_ producer: @escaping HTTPResponse.Producer, on loop: EventLoop) {
        self.loop = loop
        loop.task { [self] in
            do {
                try await producer(writer)
                state.withLock { $0 = .ended(nil) }
            } catch { state.withLock { $0 = .ended(error) } }
        }
    }

    /// What has come.
    var text: String { String(decoding: writer.collected, as: UTF8.self) }

    /// The events among that, but those by which nothing has changed.
    var events: [Event] {
        text.split(separator: "\n\n").compactMap { part in
            let lines = part.split(separator: "\n")
            guard lines.count == 3, lines[0].hasPrefix("event: "), lines[1].hasPrefix("id: ") else { return nil }
            return Event(name: String(lines[0].dropFirst(7)), id: String(lines[1].dropFirst(4)))
        }
    }

    /// Waits until so many events of a name have come.
    func wait(for name: String, count: Int = 1) async throws {
        let deadline = Deadline.after(.patience)
        while events.count(where: { $0.name == name }) < count {
            try #require(!deadline.hasPassed, "no \(name) came: \(text)")
            try await loop.sleep(for: .milliseconds(2))
        }
    }

    /// Waits for its end; why it broke off.
    func ending() async throws -> (any Error)? {
        let deadline = Deadline.after(.patience)
        while true {
            if case .ended(let error) = state.withLock({ $0 }) { return error }
            try #require(!deadline.hasPassed, "the stream goes on")
            try await loop.sleep(for: .milliseconds(2))
        }
    }
}

import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct DataCollectionTests {
    /// A person who has consented to all.
    private func anna(_ test: AccountsTest) async throws -> LoggedIn {
        var person = TestPerson()
        person.more = #","consents":{"health_data":true,"position":true}"#
        return try await test.individual(person)
    }

    private func paused(_ test: AccountsTest, after cursor: FeedCursor) async throws -> [[String]?] {
        try await test.events(of: Accounts.changesFeed, after: cursor).filter { $0.kind == "account" }.map {
            try $0.decode(Accounts.AccountChange.self).paused
        }
    }

    private func change(_ test: AccountsTest, _ who: LoggedIn, _ body: String) async throws -> AccountsTest.Answer {
        try await test.send(.patch, "/me/collection", token: who.token, body)
    }

    @Test("ACC-14e ING-14a: Position and health are paused and resumed by themselves, and who collects learns of each")
    func pausing() async throws {
        try await AccountsTest.with { test in
            let start = try await test.end(of: Accounts.changesFeed)
            let anna = try await anna(test)
            #expect(try await paused(test, after: start) == [[]])
            let cursor = try await test.end(of: Accounts.changesFeed)
            let position = try await change(test, anna, #"{"position":{"is_paused":true}}"#)
            #expect(position.status == 200 && position.json["position"]?["is_collected"]?.flag == false)
            #expect(position.json["health"]?["is_collected"]?.flag == true)
            let until = (test.clock.now() + .seconds(3600)).description
            let health = try await change(test, anna, "{\"health\":{\"is_paused\":true,\"until\":\"\(until)\"}}")
            #expect(health.json["health"]?["paused_until"]?.text == until)
            #expect(try await change(test, anna, #"{"position":{"is_paused":false}}"#).status == 200)
            #expect(
                try await paused(test, after: cursor) == [["position"], ["health", "position"], ["health"]])
            let snapshot = try await test.snapshot(of: Accounts.changesFeed).first { $0.kind == "account" }
            #expect(try snapshot?.decode(Accounts.AccountChange.self).paused == ["health"])
        }
    }

    @Test("ACC-14e: A pause with an end is over then, once, and the person is told")
    func resuming() async throws {
        try await AccountsTest.with { test in
            let anna = try await anna(test)
            let collection = DataCollection(store: try test.capabilities.store)
            let until = (test.clock.now() + .seconds(600)).description
            _ = try await change(
                test, anna,
                "{\"health\":{\"is_paused\":true,\"until\":\"\(until)\"},\"position\":{\"is_paused\":true}}")
            let cursor = try await test.end(of: Accounts.changesFeed)
            try await collection.resumeDue()
            #expect(try await paused(test, after: cursor).isEmpty)
            test.clock.advance(by: .seconds(600))
            for _ in 0..<2 { try await collection.resumeDue() }
            #expect(try await paused(test, after: cursor) == [["position"]])
            let messages = try await test.send(.get, "/inbox", token: anna.token).json["messages"]?.items
            #expect(messages?.filter { $0["template"]?.text == "collection-resumed" }.count == 1)
            #expect(messages?.first?["text"]?.text?.contains("i dati sulla salute si raccolgono") == true)
        }
    }

    @Test("ING-14a NFR-06: Without a consent nothing is collected, paused or not; when it is given, collection goes on")
    func consents() async throws {
        try await AccountsTest.with { test in
            let start = try await test.end(of: Accounts.changesFeed)
            let anna = try await test.individual()
            #expect(try await paused(test, after: start) == [["health", "position"]])
            let own = try await test.send(.get, "/me/collection", token: anna.token)
            #expect(own.json["health"]?["has_consent"]?.flag == false && own.json["health"]?["paused_at"] == nil)
            let cursor = try await test.end(of: Accounts.changesFeed)
            _ = try await test.send(.patch, "/me/consents", token: anna.token, #"{"health_data":true}"#)
            _ = try await test.send(.patch, "/me/consents", token: anna.token, #"{"health_data":false}"#)
            #expect(try await paused(test, after: cursor) == [["position"], ["health", "position"]])
        }
    }

    @Test("ACC-14c: What no device may provide is taken from all of them, those that come later too")
    func excluded() async throws {
        try await AccountsTest.with { test in
            let anna = try await anna(test)
            func pair() async throws -> String {
                let shown = try await test.send(
                    .post, "/pairings", #"{"name":"Watch","data_types":["heart-rate","steps"]}"#)
                return try await test.send(
                    .post, "/devices", token: anna.token, "{\"code\":\"\(try shown.text("code"))\"}"
                ).text("device_id")
            }
            let first = try await pair()
            let cursor = try await test.end(of: Accounts.changesFeed)
            func provided() async throws -> [[DataType]] {
                try await test.events(of: Accounts.changesFeed, after: cursor).filter { $0.kind == "device" }.map {
                    try $0.decode(Accounts.DeviceChange.self).dataTypes
                }
            }
            let answer = try await change(test, anna, #"{"excluded_types":["steps","sleep"]}"#)
            #expect(answer.json["excluded_types"]?.items.map(\.text) == ["steps", "sleep"])
            _ = try await pair()
            // The choice for a device is kept, for when the type is collected again.
            _ = try await test.send(
                .patch, "/devices/\(first)", token: anna.token, #"{"data_types":["steps"]}"#)
            #expect(try await provided() == [[.heartRate], [.heartRate], []])
            let entities = try await test.snapshot(of: Accounts.changesFeed).filter { $0.kind == "device" }
            let snapshot = try entities.map { try $0.decode(Accounts.DeviceChange.self) }
            #expect(Set(snapshot.map(\.dataTypes)) == [[], [.heartRate]])
            _ = try await change(test, anna, #"{"excluded_types":[]}"#)
            #expect(Set(try await provided().suffix(2)) == [[.steps], [.heartRate, .steps]])
        }
    }

    @Test("ACC-14e: Ends that are over or too far ahead are refused, and so is pausing without end")
    func refused() async throws {
        try await AccountsTest.with { test in
            let anna = try await anna(test)
            let late = (test.clock.now() + DataCollection.pauseMax + .seconds(1)).description
            for body in [
                #"{"health":{"is_paused":true,"until":"2020-01-01T00:00:00Z"}}"#,
                "{\"health\":{\"is_paused\":true,\"until\":\"\(late)\"}}",
                "{\"health\":{\"is_paused\":false,\"until\":\"\(late)\"}}",
                #"{"excluded_types":["steps","steps"]}"#,
            ] {
                #expect(try await change(test, anna, body).status == 422, "\(body)")
            }
            for _ in 0..<DataCollection.beginningMax {
                for isPaused in [true, false] {
                    #expect(try await change(test, anna, "{\"position\":{\"is_paused\":\(isPaused)}}").status == 200)
                }
            }
            #expect(try await change(test, anna, #"{"position":{"is_paused":true}}"#).status == 429)
            #expect(try await change(test, anna, #"{"position":{"is_paused":false}}"#).status == 200)
        }
    }
}

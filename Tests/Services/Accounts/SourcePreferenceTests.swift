import Contracts
import Domain
import Feed
import HTTP
import JSON
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct SourcePreferenceTests {
    private func pair(_ test: AccountsTest, _ token: String, _ types: String) async throws -> String {
        let shown = try await test.send(.post, "/pairings", "{\"name\":\"Watch\",\"data_types\":[\(types)]}")
        let paired = try await test.send(.post, "/devices", token: token, "{\"code\":\"\(try shown.text("code"))\"}")
        return try paired.text("device_id")
    }

    private func put(
        _ test: AccountsTest, _ token: String, _ preferences: String
    ) async throws -> AccountsTest.Answer {
        try await test.send(.put, "/me/sources", token: token, "{\"preferences\":[\(preferences)]}")
    }

    /// The details in the last event of an account.
    private func told(_ test: AccountsTest, after start: FeedCursor) async throws -> Accounts.PersonDetails? {
        let events = try await test.events(of: Accounts.changesFeed, after: start)
        return try events.last { $0.kind == "account" }?.decode(Accounts.AccountChange.self).person
    }

    @Test("ACC-14d: a person puts sources in order per data type; ingestion learns it, and that a device is gone")
    func order() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let watch = try await pair(test, anna.token, #""heart-rate","steps""#)
            let phone = try await pair(test, anna.token, #""steps""#)
            let start = try await test.end(of: Accounts.changesFeed)
            let wanted = #"""
                {"data_type":"steps","sources":["\#(phone)","\#(watch)","manual"]},
                {"data_type":"heart-rate","sources":["\#(watch)"]},{"data_type":"weight","sources":[]}
                """#
            let answer = try await put(test, anna.token, wanted)
            #expect(answer.status == 200)
            let shown = try await test.send(.get, "/me/sources", token: anna.token)
            #expect(shown.json == answer.json)
            #expect(shown.json["preferences"]?.items.compactMap { $0["data_type"]?.text } == ["heart-rate", "steps"])
            let (first, second) = (PreferredSource(watch)!, PreferredSource(phone)!)
            let before = try #require(try await told(test, after: start))
            #expect(
                before.preferredSources == [
                    SourcePreference(dataType: .heartRate, sources: [first]),
                    SourcePreference(dataType: .steps, sources: [second, first, .manual]),
                ])
            #expect(try await test.send(.delete, "/devices/\(watch)", token: anna.token).status == 204)
            let after = try #require(try await told(test, after: start))
            #expect(after.preferredSources == [SourcePreference(dataType: .steps, sources: [second, .manual])])
            let entities = try await test.snapshot(of: Accounts.changesFeed).filter { $0.kind == "account" }
            let entity = try #require(entities.first { $0.entity == anna.account })
            let snapshot = try JSONDecoder().decode(Accounts.AccountChange.self, from: entity.payload.bytes)
            #expect(snapshot.person == after)
        }
    }

    @Test("ACC-14d: only own devices are named, for what they offer, and nothing twice")
    func refused() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let berta = try await test.individual(TestPerson(number: 1))
            let watch = try await pair(test, anna.token, #""heart-rate""#)
            let other = try await pair(test, berta.token, #""heart-rate""#)
            for wanted in [
                #"{"data_type":"heart-rate","sources":["\#(other)"]}"#,
                #"{"data_type":"steps","sources":["\#(watch)"]}"#,
                #"{"data_type":"steps","sources":["manual","manual"]}"#,
                #"{"data_type":"steps","sources":["manual"]},{"data_type":"steps","sources":["imports"]}"#,
                #"{"data_type":"steps","sources":["phone"]}"#,
            ] {
                #expect(try await put(test, anna.token, wanted).status == 422)
            }
            #expect(try await test.send(.get, "/me/sources", token: anna.token).json["preferences"]?.items == [])
        }
    }

    @Test("ACC-11a: ingestion learns zone, language, birth date and sex, as they are when it reads the events")
    func details() async throws {
        try await AccountsTest.with { test in
            let start = try await test.end(of: Accounts.changesFeed)
            let anna = try await test.individual()
            let first = try #require(try await told(test, after: start))
            #expect(first.zone == .rome && first.language == .italian && first.sex == .female)
            #expect(first.birthDate.description == "1980-05-17" && first.preferredSources == [])
            let moved = try await test.send(
                .patch, "/me", token: anna.token, #"{"zone":"America/Sao_Paulo","language":"en"}"#)
            #expect(moved.json["person"]?["zone"]?.text == "America/Sao_Paulo")
            let second = try #require(try await told(test, after: start))
            #expect(second.zone.description == "America/Sao_Paulo" && second.language == .english)
            let events = try await test.events(of: Accounts.changesFeed, after: start)
            let earliest = try #require(events.first { $0.kind == "account" })
            #expect(try earliest.decode(Accounts.AccountChange.self).person == second)
            let unknown = try await test.send(.patch, "/me", token: anna.token, #"{"zone":"Europe/Atlantis"}"#)
            #expect(unknown.status == 422 && unknown.code == "unknown-zone")
            let count = try await test.events(of: Accounts.changesFeed, after: start).count
            #expect(try await test.send(.patch, "/me", token: anna.token, #"{"phone":null}"#).status == 200)
            #expect(try await test.events(of: Accounts.changesFeed, after: start).count == count)
            let home = try await test.send(.patch, "/me", token: anna.token, #"{"zone":null}"#)
            #expect(home.json["person"]?["zone"] == nil)
            #expect(try await told(test, after: start)?.zone == .rome)
        }
    }
}

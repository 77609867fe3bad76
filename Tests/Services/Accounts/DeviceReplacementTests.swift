import Contracts
import Domain
import Feed
import HTTP
import JSON
import Primitives
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct DeviceReplacementTests {
    private func shown(_ test: AccountsTest, _ types: String) async throws -> String {
        try await test.send(.post, "/pairings", "{\"name\":\"New\",\"data_types\":[\(types)]}").text("code")
    }

    private func devices(_ test: AccountsTest, _ who: LoggedIn) async throws -> [JSONValue] {
        try await test.send(.get, "/devices", token: who.token).json["devices"]?.items ?? []
    }

    @Test("ACC-14b: A device takes another's place: name, what it was to provide, where it counted; the old one is out")
    func replacing() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let code = try await shown(test, #""heart-rate","steps","sleep""#)
            let old = try await test.send(
                .post, "/devices", token: anna.token, "{\"code\":\"\(code)\",\"name\":\"My watch\"}"
            ).text("device_id")
            _ = try await test.send(
                .patch, "/devices/\(old)", token: anna.token, #"{"data_types":["heart-rate","sleep"]}"#)
            let preferences = """
                {"preferences":[{"data_type":"heart-rate","sources":["manual","\(old)"]},
                 {"data_type":"sleep","sources":["\(old)"]}]}
                """
            #expect(try await test.send(.put, "/me/sources", token: anna.token, preferences).status == 200)
            let cursor = try await test.end(of: Accounts.changesFeed)
            let revocations = try await test.end(of: Accounts.revocationsFeed, as: "query")

            let next = try await shown(test, #""heart-rate","steps","weight""#)
            let answer = try await test.send(
                .post, "/devices", token: anna.token, "{\"code\":\"\(next)\",\"replaces\":\"\(old)\"}")
            #expect(answer.status == 201)
            let new = try answer.text("device_id")
            let listed = try await devices(test, anna)
            #expect(listed.count == 1 && listed[0]["name"]?.text == "My watch")
            #expect(listed[0]["replaced_at"]?.text == test.clock.now().description)
            // Steps were left out before; what the old one had not stays chosen.
            #expect(listed[0]["data_types"]?.items.map(\.text) == ["heart-rate", "weight"])
            let own = try await test.send(.get, "/me/sources", token: anna.token).json["preferences"]?.items
            #expect(own?.count == 1 && own?[0]["sources"]?.items.map(\.text) == ["manual", new])
            let all = try await test.events(of: Accounts.changesFeed, after: cursor)
            let person = try #require(try all.last { $0.kind == "account" }?.decode(Accounts.AccountChange.self).person)
            #expect(person.replacements?.map { $0.map(\.description) } == [[new, old]])
            let events = all.filter { $0.kind == "device" }
            let changes = try events.map { try $0.decode(Accounts.DeviceChange.self) }
            #expect(changes.map(\.isRemoved) == [true, false] && changes[1].dataTypes == [.heartRate, .weight])
            #expect(try await test.revoked(after: revocations).map(\.id.description) == [old])
        }
    }

    @Test("ACC-14b: When a device is removed that had taken others' places, what they measured goes on counting there")
    func removedAfterwards() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            func pair(replacing old: String? = nil) async throws -> String {
                let code = try await shown(test, #""heart-rate""#)
                let more = old.map { ",\"replaces\":\"\($0)\"" } ?? ""
                return try await test.send(
                    .post, "/devices", token: anna.token, "{\"code\":\"\(code)\"\(more)}"
                ).text("device_id")
            }
            func places() async throws -> [[String]] {
                let cursor = try await test.end(of: Accounts.changesFeed)
                let form = #"{"preferences":[]}"#
                #expect(try await test.send(.put, "/me/sources", token: anna.token, form).status == 200)
                let all = try await test.events(of: Accounts.changesFeed, after: cursor)
                let event = try #require(all.last { $0.kind == "account" })
                return try event.decode(Accounts.AccountChange.self).person?.replacements?
                    .map { $0.map(\.description) } ?? []
            }
            let first = try await pair()
            let second = try await pair(replacing: first)
            let third = try await pair(replacing: second)
            #expect(try await places() == [[third, second, first]])
            #expect(try await test.send(.delete, "/devices/\(third)", token: anna.token).status == 204)
            #expect(try await places() == [[third, second, first]])
            // One that had no other's place leaves none.
            let alone = try await pair()
            #expect(try await test.send(.delete, "/devices/\(alone)", token: anna.token).status == 204)
            #expect(try await places() == [[third, second, first]])
            test.clock.advance(by: Pairings.triesWindow)
            let fourth = try await pair()
            let fifth = try await pair(replacing: fourth)
            #expect(try await test.send(.delete, "/devices/\(fifth)", token: anna.token).status == 204)
            #expect(Set(try await places()) == [[third, second, first], [fifth, fourth]])
        }
    }

    @Test("ACC-14b: Only an own device is replaced, and a number that was typed for nothing is not used up")
    func notOwn() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let other = try await test.individual(TestPerson(number: 1))
            let theirs = try await test.send(
                .post, "/devices", token: other.token,
                "{\"code\":\"\(try await shown(test, #""heart-rate""#))\"}"
            ).text("device_id")
            let code = try await shown(test, #""heart-rate""#)
            let refused = try await test.send(
                .post, "/devices", token: anna.token, "{\"code\":\"\(code)\",\"replaces\":\"\(theirs)\"}")
            #expect(refused.status == 422 && refused.code == "unknown-device")
            #expect(try await devices(test, other).count == 1)
            #expect(try await test.send(.post, "/devices", token: anna.token, "{\"code\":\"\(code)\"}").status == 201)
        }
    }

    @Test("ACC-14a: A device that can be typed into gets the owner's number, and is the owner's once that one says so")
    func ownersNumber() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let code = try await test.send(.post, "/pairings/numbers", token: anna.token).text("code")
            #expect(try await test.send(.get, "/pairings/asking", token: anna.token).json["device"] == nil)
            let form = "{\"code\":\"\(code)\",\"name\":\"Phone\",\"data_types\":[\"steps\"]}"
            let redeemed = try await test.send(.post, "/pairings/redeem", form)
            #expect(redeemed.status == 201)
            #expect(try await test.send(.post, "/pairings/redeem", form).status == 404, "good once")
            let claim = "/pairings/\(try redeemed.text("pairing_id"))/claim"
            let secret = "{\"claim_secret\":\"\(try redeemed.text("claim_secret"))\"}"
            #expect(try await test.send(.post, claim, secret).status == 202)
            #expect(try await devices(test, anna).isEmpty)
            let asking = try #require(try await test.send(.get, "/pairings/asking", token: anna.token).json["device"])
            #expect(asking["name"]?.text == "Phone" && asking["data_types"]?.items.map(\.text) == ["steps"])
            // Nobody else says it.
            let acceptance = "{\"pairing_id\":\"\(try redeemed.text("pairing_id"))\"}"
            let stranger = try await test.individual(TestPerson(number: 1))
            #expect(try await test.send(.post, "/devices", token: stranger.token, acceptance).status == 404)
            #expect(try await test.send(.post, "/devices", token: anna.token, acceptance).status == 201)
            #expect(try await test.send(.post, "/devices", token: anna.token, acceptance).status == 404)
            let device = try await test.send(.post, claim, secret)
            #expect(device.status == 200)
            #expect(try await devices(test, anna).map { $0["device_id"]?.text } == [try device.text("device_id")])
        }
    }

    @Test(
        "ACC-14a: Owners' numbers end after 10 minutes, one replaces the other, and a device that asks can be refused")
    func ends() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            func number() async throws -> String {
                try await test.send(.post, "/pairings/numbers", token: anna.token).text("code")
            }
            func redeem(_ code: String) async throws -> AccountsTest.Answer {
                try await test.send(
                    .post, "/pairings/redeem", "{\"code\":\"\(code)\",\"name\":\"Phone\",\"data_types\":[\"steps\"]}")
            }
            let first = try await number()
            let second = try await number()
            if first != second { #expect(try await redeem(first).status == 404) }
            let asking = try await redeem(second)
            #expect(asking.status == 201)
            let id = try asking.text("pairing_id")
            #expect(try await test.send(.delete, "/pairings/\(id)", token: anna.token).status == 204)
            #expect(try await test.send(.delete, "/pairings/\(id)", token: anna.token).status == 404)
            let secret = "{\"claim_secret\":\"\(try asking.text("claim_secret"))\"}"
            #expect(try await test.send(.post, "/pairings/\(id)/claim", secret).status == 404)
            let late = try await number()
            test.clock.advance(by: Pairings.codeLife)
            #expect(try await redeem(late).status == 404)

        }
    }
}

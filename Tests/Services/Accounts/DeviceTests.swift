import RPC
import Feed
import ServiceTesting
import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import Testing

@testable import Accounts

@Suite struct DeviceTests {
    private struct Shown {
        let pairing: String
        let code: String
        let secret: String
    }

    private func show(_ test: AccountsTest, types: String = #""heart-rate","position""#) async throws -> Shown {
        let answer = try await test.send(.post, "/pairings", "{\"name\":\"Watch\",\"data_types\":[\(types)]}")
        #expect(answer.status == 201)
        return Shown(
            pairing: try answer.text("pairing_id"), code: try answer.text("code"),
            secret: try answer.text("claim_secret"))
    }

    private func claim(_ test: AccountsTest, _ shown: Shown) async throws -> AccountsTest.Answer {
        try await test.send(.post, "/pairings/\(shown.pairing)/claim", "{\"claim_secret\":\"\(shown.secret)\"}")
    }

    private func type(_ test: AccountsTest, _ code: String, _ token: String) async throws -> AccountsTest.Answer {
        try await test.send(.post, "/devices", token: token, "{\"code\":\"\(code)\"}")
    }

    @Test("ACC-14a: A device shows six digits, its owner types them, and the device gets a token for uploads")
    func pairing() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let start = try await test.end(of: Accounts.changesFeed)
            let shown = try await show(test)
            #expect(shown.code.utf8.count == 6)
            #expect(try await claim(test, shown).status == 202)
            let paired = try await type(test, shown.code, anna.token)
            #expect(paired.status == 201 && paired.json["name"]?.text == "Watch")
            let device = try paired.text("device_id")
            let secret = try await claim(test, shown)
            #expect(secret.status == 200 && secret.json["device_id"]?.text == device)
            let form =
                "grant_type=client_credentials&device_id=\(device)&device_secret=\(try secret.text("device_secret"))"
            let token = try await test.sendForm("/oauth/token", form)
            #expect(token.status == 200 && token.json["scope"]?.text == "upload sos")
            let verifier = TokenVerifier(
                keys: try test.capabilities.keys.published, issuer: Authenticator.issuer,
                audience: Authenticator.audience)
            let claims = try verifier.verify(try token.text("access_token"), at: test.clock.now())
            #expect(claims.kind == .device && claims.subject == anna.account && claims.scopes == ["upload", "sos"])
            #expect(claims.clientIdentifier == device)
            let events = try await test.events(of: Accounts.changesFeed, after: start)
            let change = try events[0].decode(Accounts.DeviceChange.self)
            #expect(
                events.count == 1 && change.accountID == anna.account && change.dataTypes == [.position, .heartRate])
            // The token does not manage the account.
            #expect(try await test.send(.get, "/me", token: try token.text("access_token")).status == 403)
        }
    }

    @Test("ACC-14a: A number is good once and for 10 minutes")
    func singleUse() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let berta = try await test.individual(TestPerson(number: 1))
            let shown = try await show(test)
            #expect(try await type(test, shown.code, anna.token).status == 201)
            let again = try await type(test, shown.code, berta.token)
            #expect(again.status == 404 && again.code == "unknown-code")
            let late = try await show(test)
            test.clock.advance(by: .seconds(600))
            #expect(try await type(test, late.code, anna.token).told == again.told)
            #expect(try await claim(test, late).status == 410)
        }
    }

    @Test(
        "ACC-14a: Five wrong numbers, and the account has to wait; not longer when the clock is set back meanwhile",
        arguments: [600, -3600])
    func fewTries(_ seconds: Int64) async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let shown = try await show(test)
            let wrong = shown.code == "000000" ? "000001" : "000000"
            for _ in 0..<5 { #expect(try await type(test, wrong, anna.token).status == 404) }
            let refused = try await type(test, shown.code, anna.token)
            #expect(refused.status == 429 && refused.response.fields["Retry-After"] == "600")
            test.clock.advance(by: .seconds(seconds))
            let token = try LoggedIn(try await test.logIn("anna@example.org")).token
            #expect(try await type(test, try await show(test).code, token).status == 201)
        }
    }

    @Test("ACC-14a: A right number buys no more guesses at the numbers of others")
    func triesAfterSuccess() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let shown = try await show(test)
            let wrong = shown.code == "000000" ? "000001" : "000000"
            for _ in 0..<4 { #expect(try await type(test, wrong, anna.token).status == 404) }
            let own = try await type(test, shown.code, anna.token)
            #expect(own.status == 201)
            let device = try own.text("device_id")
            #expect(try await test.send(.delete, "/devices/\(device)", token: anna.token).status == 204)
            #expect(try await type(test, wrong, anna.token).status == 429)
        }
    }

    @Test("ACC-14a: Only so many numbers are shown at once, and used and expired ones do not count")
    func openMax() async throws {
        try await AccountsTest.with { test in
            try await test.showNumbers(Pairings.openMax)
            let body = #"{"name":"Watch","data_types":["position"]}"#
            let full = try await test.send(.post, "/pairings", body)
            #expect(full.status == 503 && full.code == "no-free-code")
            test.clock.advance(by: Pairings.codeLife)
            #expect(try await test.send(.post, "/pairings", body).status == 201)
        }
    }

    @Test("ACC-14a: The secret can be fetched again after a lost answer, until it was used, and by nobody else")
    func claimAgain() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let shown = try await show(test)
            _ = try await type(test, shown.code, anna.token)
            let first = try await claim(test, shown)
            let second = try await claim(test, shown)
            func token(_ answer: AccountsTest.Answer) async throws -> UInt16 {
                let form =
                    "grant_type=client_credentials&client_id=\(try answer.text("device_id"))&client_secret="
                    + (try answer.text("device_secret"))
                return try await test.sendForm("/oauth/token", form).status
            }
            #expect(try await token(first) == 401)
            #expect(try await token(second) == 200)
            #expect(try await claim(test, shown).code == "already-claimed")
            let stranger = Shown(pairing: shown.pairing, code: "", secret: String(repeating: "A", count: 43))
            #expect(try await claim(test, stranger).status == 404)
        }
    }

    @Test("ACC-14bc: Devices are listed, renamed, told what to provide, and removed; the other services hear of it")
    func manage() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let berta = try await test.individual(TestPerson(number: 1))
            let device = try await type(test, try await show(test).code, anna.token).text("device_id")
            let start = try await test.end(of: Accounts.changesFeed)
            let revocations = try await test.end(of: Accounts.revocationsFeed, as: "query")
            let changed = try await test.send(
                .patch, "/devices/\(device)", token: anna.token, #"{"name":"Orologio","data_types":["position"]}"#)
            #expect(changed.json["name"]?.text == "Orologio")
            #expect(changed.json["data_types"]?.items.map(\.text) == ["position"])
            #expect(changed.json["offered_types"]?.items.count == 2)
            let more = try await test.send(
                .patch, "/devices/\(device)", token: anna.token, #"{"data_types":["glucose"]}"#)
            #expect(more.status == 422)
            #expect(try await test.send(.delete, "/devices/\(device)", token: berta.token).status == 404)
            #expect(try await test.send(.get, "/devices", token: berta.token).json["devices"]?.items.isEmpty == true)
            #expect(try await test.send(.delete, "/devices/\(device)", token: anna.token).status == 204)
            #expect(try await test.send(.get, "/devices", token: anna.token).json["devices"]?.items.isEmpty == true)
            let events = try await test.events(of: Accounts.changesFeed, after: start)
            #expect(events.map(\.kind) == ["device", "device"])
            #expect(events.map(\.version) == events.map(\.version).sorted())
            let page = try await test.snapshot(of: Accounts.changesFeed)
            #expect(page.contains { $0.kind == "device" } == false)
            #expect(try events[0].decode(Accounts.DeviceChange.self).dataTypes == [.position])
            #expect(try events[1].decode(Accounts.DeviceChange.self).isRemoved)
            let revoked = try await test.revoked(after: revocations)
            #expect(revoked.map(\.id.description) == [device] && revoked.first?.kind == .session)
            #expect(revoked.first?.isOfDevice == true)
        }
    }

    @Test("ACC-14: Only individuals have devices, and a device names what it provides")
    func refused() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            #expect(try await type(test, "123456", salus.token).status == 403)
            #expect(try await test.send(.post, "/pairings", #"{"name":"Watch","data_types":[]}"#).status == 422)
            #expect(try await test.send(.post, "/pairings", #"{"name":"Watch","data_types":["mood"]}"#).status == 422)
            let anna = try await test.individual()
            #expect(try await type(test, "12345", anna.token).status == 422)
        }
    }
}

import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct KeyReplacementTests {
    @Test("NFR-05d: all that is sealed here is sealed with a new key by rotation, also halfway, and the old one can go")
    func replacement() async throws {
        let replacement = try KeyReplacement()
        try await AccountsTest.with(keys: replacement.keys) { test in
            let anna = try await test.individual()
            let company = try await test.company()
            for _ in 0..<3 { #expect(try await test.logIn("anna@example.org", "wrong password").status == 401) }
            try await test.deliver()
            let client = try await test.send(
                .post, "/clients", token: company.token, #"{"name":"Research","scopes":["requests"]}"#)
            #expect(client.status == 201)
            let pairing = #"{"name":"Watch","data_types":["heart-rate"]}"#
            let shown = try await test.send(.post, "/pairings", pairing)
            let typed = "{\"code\":\"\(try shown.text("code"))\"}"
            #expect(try await test.send(.post, "/devices", token: anna.token, typed).status == 201)
            #expect(try await test.send(.post, "/pairings", pairing).status == 201)
            let browser = PushSubscriber(endpoint: "https://push.example.net/1")
            #expect(try await test.send(.put, "/push-subscription", token: anna.token, browser.form).status == 204)
            #expect(try await test.put(picture: TestPicture.png, as: "image/png", anna).status == .noContent)
            // Their mails wait: also one to another address than the account's.
            #expect(try await test.register(TestPerson(number: 1)).status == 202)
            #expect(try await test.register(.child(years: 12, parent: TestPerson(number: 3))).status == 202)
            _ = try await test.beginFactor(anna)
            #expect(try await test.add(TestPasskey(), anna).status == 201)
            _ = try await TestOperator.logged(in: test)
            try await test.exportAndErase(anna)
            let store = try test.capabilities.store
            try await store.transaction { transaction in
                try await MailOutbox.put(
                    MessageCatalogue.accountErased, ["link": "x"], id: .random(),
                    at: EmailAddress(validating: "gone@example.org"), language: .italian, store: store, in: transaction)
            }
            let names = PersonalColumns.ServiceColumn.allCases.map { String($0.rawValue.dropFirst("accounts.".count)) }
            let databases = [test.database, test.keyDatabase]
            #expect(
                try await replacement.columns(sealedWith: .old, in: databases) == Set(names + ["subject_key.wrapped"]))

            try replacement.begin()
            #expect(try await test.register(TestPerson(number: 2)).status == 202)
            try await replacement.rotate(test.sealedDatabases)
            #expect(try await replacement.columns(sealedWith: .old, in: databases) == [])
            try replacement.end()
            // As another process, which has unwrapped nothing yet.
            store.keys.forget(try await test.database.query("select id from account", as: UUID.self))

            for account in [anna, company] {
                #expect(try await test.send(.get, "/me", token: account.token).status == 200)
            }
            let devices = try await test.send(.get, "/devices", token: anna.token).json["devices"]?.items
            #expect(devices?.first?["name"]?.text == "Watch")
            let clients = try await test.send(.get, "/clients", token: company.token).json["clients"]?.items
            #expect(clients?.first?["name"]?.text == "Research")
            let inbox = try await test.send(.get, "/inbox", token: anna.token)
            #expect(inbox.json["messages"]?.items.isEmpty == false)
            #expect(try await test.deliver() >= 2)
            #expect(
                try await test.database.queryOne("select count(*) from mail where sent_at is null", as: Int.self) == 0)
        }
    }
}

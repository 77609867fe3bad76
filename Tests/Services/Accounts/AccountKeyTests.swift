import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

/// A key for each account, in the key store (NFR-05, ACC-12).
@Suite struct AccountKeyTests {
    private static let others = ["dispatcher", "ingestion", "query", "track4run"]

    private func erase(_ test: AccountsTest, _ who: LoggedIn) async throws -> AccountsTest.Answer {
        try await test.send(
            .post, "/me/erasures", token: who.token,
            "{\"password\":\"\(AccountsTest.password)\",\"scope\":\"account\"}")
    }

    private func report(_ test: AccountsTest, _ begun: AccountsTest.Answer) async throws {
        let id = try #require(UUID(try begun.text("erasure_id")))
        for service in Self.others {
            _ = try await test.service.rpc(as: service).call(
                Accounts.ReportErasure.self, .init(erasureID: id, items: [], erasedAt: test.clock.now()))
        }
    }

    private func receipt(_ test: AccountsTest, _ begun: AccountsTest.Answer) async throws -> JSONValue {
        try await test.send(.post, "/erasure-receipts", "{\"token\":\"\(try begun.text("receipt_token"))\"}").json
    }

    /// Runs `body` while nobody listens where the key store is.
    private func withoutKeyStore(_ test: AccountsTest, _ body: () async throws -> Void) async throws {
        let home = test.keyDatabase.configuration.connectionInfo
        await test.keyDatabase.lead(to: "host=127.0.0.1 port=1")
        try await body()
        await test.keyDatabase.lead(to: home)
    }

    /// All that is sealed with accounts' keys, as the columns' marks have it: column, row and value.
    private func sealedValues(
        _ test: AccountsTest
    ) async throws -> [(column: PersonalColumns.Column, row: UUID, value: [UInt8])] {
        var values: [(PersonalColumns.Column, UUID, [UInt8])] = []
        for column in PersonalColumns.Column.allCases {
            let parts = column.rawValue.split(separator: ".").map(String.init)
            let byAccount: Set<PersonalColumns.Column> = [.person, .company, .helper, .secondFactor, .picture]
            let row = byAccount.contains(column) ? "account" : "id"
            let rows = try await test.database.query(
                """
                select \(identifier: row), \(identifier: parts[2]) from \(identifier: parts[1])
                where length(\(identifier: parts[2])) > 0
                """, as: UUID.self, [UInt8].self)
            values += rows.map { (column, $0.0, $0.1) }
        }
        return values
    }

    @Test("ACC-12b NFR-05d: After an erasure a copy of the rows, made before, opens with nothing that there still is")
    func backups() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let company = try await test.company()
            // Whose mails wait, also the one to another address than the account's.
            let child = TestPerson.child(years: 12, parent: TestPerson(number: 3))
            #expect(try await test.register(child).status == 202)
            let client = #"{"name":"Research","scopes":["requests"]}"#
            #expect(try await test.send(.post, "/clients", token: company.token, client).status == 201)
            let shown = try await test.send(.post, "/pairings", #"{"name":"Watch","data_types":["heart-rate"]}"#)
            let typed = "{\"code\":\"\(try shown.text("code"))\"}"
            #expect(try await test.send(.post, "/devices", token: anna.token, typed).status == 201)
            let browser = PushSubscriber(endpoint: "https://push.example.net/1")
            #expect(try await test.send(.put, "/push-subscription", token: anna.token, browser.form).status == 204)
            #expect(try await test.put(picture: TestPicture.png, as: "image/png", anna).status == .noContent)
            _ = try await test.beginFactor(anna)
            #expect(try await test.add(TestPasskey(), anna).status == 201)
            #expect(try await test.send(.post, "/me/exports", token: anna.token).status == 202)
            let made = try test.capabilities.exportWorker
            let worker = ExportWorker(exports: made.exports, own: made.own, peers: [:], log: made.log)
            #expect(try await worker.makeNext())

            let backup = try await sealedValues(test)
            #expect(Set(backup.map(\.column)) == Set(PersonalColumns.Column.allCases))
            let store = try test.capabilities.store
            let accounts = try await test.database.query("select id from account", as: UUID.self)
            #expect(accounts.count == 3)
            func readable() async throws -> Set<PersonalColumns.Column> {
                let fresh = SubjectKeys(store: store.keys.store, cipher: store.keys.cipher)
                let keys = try await Array(fresh.existingKeys(of: accounts).values)
                return Set(
                    backup.filter { value in
                        keys.contains { key in
                            (try? store.columns.openBytes(value.value, value.column, row: value.row, with: key)) != nil
                        }
                    }.map(\.column))
            }
            #expect(try await readable() == Set(PersonalColumns.Column.allCases))

            for account in [anna, company] { #expect(try await erase(test, account).status == 202) }
            // A registration that nobody confirms ends in the same way.
            test.clock.advance(by: Upkeep.unconfirmedLifeMax + .seconds(1))
            try await Upkeep(store: store).run()
            try await test.capabilities.erasures.destroyKeys()
            #expect(try await test.database.queryOne("select count(*) from account", as: Int.self) == 0)
            #expect(try await readable().isEmpty)
            let wrapped = try await test.keyDatabase.queryOne(
                "select count(*) from subject_key where wrapped is not null", as: Int.self)
            #expect(wrapped == 0)
        }
    }

    @Test(
        "ACC-12c NFR-03b: A key that could not be destroyed is destroyed by who comes next, and the receipt waits for it"
    )
    func destroyedLater() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let erasures = try test.capabilities.erasures
            var begun: AccountsTest.Answer?
            try await withoutKeyStore(test) {
                let answer = try await erase(test, anna)
                #expect(answer.status == 202)
                try await report(test, answer)
                let waiting = try await receipt(test, answer)
                #expect(waiting["completed_at"] == nil)
                let own = waiting["services"]?.items.first { $0["service"]?.text == "accounts" }
                #expect(own != nil && own?["erased_at"]?.text == nil)
                await #expect(throws: (any Error).self) { try await erasures.destroyKeys() }
                begun = answer
            }
            let answer = try #require(begun)
            try await erasures.destroyKeys()
            #expect(try await test.capabilities.store.keys.existingKey(of: anna.account) == nil)
            #expect(try await receipt(test, answer)["completed_at"]?.text != nil)
            #expect(try await test.linkToken("receipt", to: "anna@example.org") == (try answer.text("receipt_token")))
        }
    }

    @Test("ACC-12b: Keys that come back with a backup of the key store are destroyed again before anything is served")
    func restored() async throws {
        try await AccountsTest.with { test in
            let (anna, bruno) = (try await test.individual(), try await test.individual(TestPerson(number: 1)))
            try await test.capabilities.restoredKeys.destroyAgain()
            try await test.keyDatabase.execute("create table backup as select * from subject_key")
            #expect(try await erase(test, anna).status == 202)
            try await test.keyDatabase.batch([
                "delete from subject_key", "insert into subject_key select * from backup",
                "update erasure_database set identity = 'another'",
            ])
            let store = try test.capabilities.store
            #expect(try await store.keys.existingKey(of: anna.account) != nil)
            store.keys.forget([anna.account])
            let restored = RestoredKeyStore(
                store.keys, test.service.context, destroyedBy: KeyDestruction(of: store.keys, in: store.database))
            try await restored.destroyAgain()
            #expect(try await store.keys.existingKey(of: anna.account) == nil)
            #expect(try await store.keys.existingKey(of: bruno.account) != nil)
        }
    }

    @Test("ACC-12b: An account that came back with a backup is erased again although its key is destroyed already")
    func restoredRows() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let store = try test.capabilities.store
            try await store.keys.destroy([anna.account])
            let erasures = try test.capabilities.erasures
            try await erasures.eraseAgain([
                Accounts.Erasure(
                    erasureID: .random(), accountID: anna.account, kind: .individual, scope: .account,
                    requestedAt: test.clock.now())
            ])
            try await erasures.destroyKeys()
            #expect(try await test.database.queryOne("select count(*) from account", as: Int.self) == 0)
            let report = try await test.database.queryOne(
                "select erased_at is not null from erasure_report where service = 'accounts'", as: Bool.self)
            #expect(report == true)
        }
    }

    @Test("NFR-05d: Who is refused leaves no key; of accounts that are there nobody's is made anew")
    func refused() async throws {
        try await AccountsTest.with { test in
            let anna = TestPerson()
            _ = try await test.individual(anna)
            func keys() async throws -> Int? {
                try await test.keyDatabase.queryOne("select count(*) from subject_key", as: Int.self)
            }
            #expect(try await test.register(anna).status == 409)
            #expect(try await keys() == 1)
            let people = (5..<25).map { TestPerson(number: $0).provisioned }
            let call = Accounts.Provision.Params(population: String(repeating: "p", count: 32), people: people)
            let operators = test.service.rpc(as: "simulator")
            for _ in 0..<2 { _ = try await operators.call(Accounts.Provision.self, call) }
            #expect(try await keys() == 21)
            var other = call
            other.population = String(repeating: "q", count: 32)
            other.people.append(TestPerson(number: 30).provisioned)
            let refusal = await #expect(throws: RPCError.self) {
                _ = try await operators.call(Accounts.Provision.self, other)
            }
            #expect(refusal?.code == .conflict)
            #expect(try await keys() == 21)
        }
    }

    @Test(
        "NFR-03b SOS-05: While the key store is away what needs a key is refused, mail waits and goes on afterwards, and who is in memory is served"
    )
    func away() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let bruno = try await test.individual(TestPerson(number: 1))
            let dispatcher = test.service.rpc(as: "dispatcher")
            func notify(_ who: LoggedIn) async throws {
                _ = try await dispatcher.call(
                    Accounts.Notify.self,
                    .init(
                        id: .random(), accountID: who.account, template: "incident-opened",
                        values: ["time": test.clock.now().description, "cause": "heart-rate"], email: true))
            }
            try await notify(anna)
            try await notify(bruno)
            try test.capabilities.store.keys.forget([anna.account])
            try await withoutKeyStore(test) {
                let refused = try await test.send(.get, "/me", token: anna.token)
                #expect(refused.status == 503 && refused.code == "database-unavailable")
                #expect(try await test.send(.get, "/me", token: bruno.token).status == 200)
                let report = String(decoding: try await test.service.ask("/readyz").collectedBody(), as: UTF8.self)
                #expect(report.contains(#""name":"keystore","status":"failing""#), "\(report)")
                let error = await #expect(throws: RPCError.self) { try await notify(anna) }
                #expect(error?.isRetryable == true)
                try await notify(bruno)
                #expect(try await test.register(TestPerson(number: 2)).status == 503)
                #expect(try await test.deliver() == 2)
            }

            test.clock.advance(by: MailSender.keyPause)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 200)
            #expect(try await test.register(TestPerson(number: 2)).status == 202)
            // Anna's, which has waited, and the link for who has registered.
            #expect(try await test.deliver() == 2)
            let attempts = try await test.database.queryOne("select max(attempts) from mail", as: Int32.self)
            #expect(attempts == 1)
        }
    }
}

import Contracts
import Domain
import Edge
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct ErasureTests {
    private static let others = ["dispatcher", "ingestion", "query", "track4run"]

    private func erase(
        _ test: AccountsTest, _ who: LoggedIn, scope: String = "account", password: String = AccountsTest.password
    ) async throws -> AccountsTest.Answer {
        try await test.send(
            .post, "/me/erasures", token: who.token, "{\"password\":\"\(password)\",\"scope\":\"\(scope)\"}")
    }

    private func receipt(_ test: AccountsTest, _ begun: AccountsTest.Answer) async throws -> JSONValue {
        try await test.send(.post, "/erasure-receipts", "{\"token\":\"\(try begun.text("receipt_token"))\"}").json
    }

    private func report(
        _ test: AccountsTest, _ begun: AccountsTest.Answer, by service: String, _ items: [Accounts.ErasedItem] = []
    ) async throws {
        let id = try #require(UUID(try begun.text("erasure_id")))
        _ = try await test.service.rpc(as: service).call(
            Accounts.ReportErasure.self, .init(erasureID: id, items: items, erasedAt: test.clock.now()))
    }

    private func told(_ test: AccountsTest, after cursor: FeedCursor) async throws -> [Accounts.Erasure] {
        try await test.events(of: Accounts.erasuresFeed, after: cursor).map { try $0.decode() }
    }

    @Test("ACC-12a ACC-12c: Who leaves is gone here at once, and has the receipt when every service has done its part")
    func leaving() async throws {
        try await AccountsTest.with { test in
            let person = TestPerson()
            let anna = try await test.individual(person)
            let bruno = try await test.individual(TestPerson(number: 1))
            let cursor = try await test.end(of: Accounts.erasuresFeed)
            let revocations = try await test.end(of: Accounts.revocationsFeed, as: "query")
            let begun = try await erase(test, anna)
            #expect(begun.status == 202)

            #expect(try await told(test, after: cursor).map(\.accountID) == [anna.account])
            let revoked = try await test.revoked(after: revocations)
            #expect(revoked.contains { $0.kind == .account && $0.id == anna.account })
            #expect(try await test.send(.get, "/me", token: anna.token).status == 401)
            #expect(try await test.logIn(person.email).status == 401)
            let query = test.service.rpc(as: "query")
            let error = await #expect(throws: RPCError.self) {
                try await query.call(Accounts.Find.self, .init(email: EmailAddress(person.email)))
            }
            #expect(error?.code == .notFound)
            // Nothing but ids and times is left of her, and all of others.
            for table in [
                "person", "device", "session", "message", "consent_receipt", "terms_acceptance", "password", "account",
            ] {
                let column = table == "account" ? "id" : "account"
                let count = try await test.database.queryOne(
                    "select count(*) from \(raw: table) where \(raw: column) = \(anna.account)", as: Int.self)
                #expect(count == 0, "\(table)")
            }
            #expect(try await test.send(.get, "/me", token: bruno.token).status == 200)

            var shown = try await receipt(test, begun)
            #expect(shown["completed_at"] == nil && shown["services"]?.items.count == 5)
            for service in Self.others.dropLast() { try await report(test, begun, by: service) }
            #expect(try await receipt(test, begun)["completed_at"] == nil)
            test.clock.advance(by: .seconds(5))
            let day = CalendarDate(year: 2036, month: 5, day: 17)
            let items = [
                Accounts.ErasedItem("enrolments", 3),
                Accounts.ErasedItem("incidents", 1, keptUntil: day, ground: .emergencyRecord),
            ]
            for _ in 0..<2 { try await report(test, begun, by: "track4run", items) }
            shown = try await receipt(test, begun)
            #expect(shown["completed_at"]?.text == test.clock.now().description)
            let last = shown["services"]?.items.first { $0["service"]?.text == "track4run" }?["items"]?.items
            #expect(last?.map { $0["count"]?.integer } == [3, 1])
            #expect(last?.last?["kept_until"]?.text == "2036-05-17")
            #expect(last?.last?["ground"]?.text == "emergency-record")
            #expect(shown["anonymous_values_until"]?.text != nil)

            let token = try await test.linkToken("receipt", to: person.email)
            #expect(token == (try begun.text("receipt_token")))
            let subjects = test.settings.mailbox.messages.map(\.subject)
            #expect(subjects.filter { $0 == "Il tuo account TrackMe è cancellato" }.count == 1)
            let rest = try await test.database.queryOne(
                """
                select (select count(*) from erasure where contact is not null),
                  (select count(*) from mail where account is null and ownerless <> '')
                """, as: Int.self, Int.self)
            #expect(rest! == (0, 0))
            // Address and fiscal code are free.
            #expect(try await test.individual(person).account != anna.account)
        }
    }

    @Test("ACC-12a: Only who knows the password erases, and wrong ones are slowed down")
    func password() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let wrong = try await erase(test, anna, password: "something else")
            #expect(wrong.status == 403 && wrong.code == "wrong-password")
            _ = try await erase(test, anna, password: "something else")
            _ = try await erase(test, anna, password: "something else")
            #expect(try await erase(test, anna).status == 429)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 200)
            #expect(try await test.snapshot(of: Accounts.erasuresFeed).isEmpty)
        }
    }

    @Test("ACC-12f: Who erases only what was collected stays, as somebody else in the anonymous store")
    func collectedData() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let before = try await test.database.queryOne("select subject from person", as: Int32.self)
            let (erasures, changes) = (
                try await test.end(of: Accounts.erasuresFeed), try await test.end(of: Accounts.changesFeed)
            )
            let begun = try await erase(test, anna, scope: "collected-data")
            #expect(begun.status == 202)
            #expect(try await told(test, after: erasures).map(\.scope) == [.collectedData])
            let after = try await test.events(of: Accounts.changesFeed, after: changes).last?.decode(
                Accounts.AccountChange.self)
            #expect(after?.subject != nil && after?.subject != before)
            #expect(try await test.database.queryOne("select subject from subject_release", as: Int32.self) == before)
            let soon = try await erase(test, anna, scope: "collected-data")
            #expect(soon.status == 409 && soon.code == "erasure-under-way")
            // Only ingestion has something.
            #expect(try await receipt(test, begun)["services"]?.items.map { $0["service"]?.text } == ["ingestion"])
            try await report(test, begun, by: "ingestion")
            #expect(try await receipt(test, begun)["completed_at"] != nil)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 200)
            test.clock.advance(by: Erasures.dataPause + .seconds(1))
            let login = try LoggedIn(try await test.logIn("anna@example.org"))
            #expect(try await erase(test, login, scope: "collected-data").status == 202)
        }
    }

    @Test("ACC-12a: A company leaves with its programs; collected data it has none")
    func company() async throws {
        try await AccountsTest.with { test in
            let company = try await test.company()
            let client = try await test.send(
                .post, "/clients", token: company.token, #"{"name":"Export","scopes":["requests"]}"#)
            let refused = try await erase(test, company, scope: "collected-data")
            #expect(refused.status == 422 && refused.code == "not-an-individual")
            let begun = try await erase(test, company)
            #expect(begun.status == 202)
            let shown = try await receipt(test, begun)
            #expect(shown["account_kind"]?.text == "third-party" && shown["anonymous_values_until"] == nil)
            let granted = try await test.sendForm(
                "/oauth/token",
                "grant_type=client_credentials&client_id=\(try client.text("client_id"))&client_secret=\(try client.text("client_secret"))"
            )
            #expect(granted.status == 401)
        }
    }

    @Test("ACC-12: An erasure is told again while a service is away, and a snapshot has all that ever were")
    func reminders() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let cursor = try await test.end(of: Accounts.erasuresFeed)
            let begun = try await erase(test, anna)
            let erasures = try test.capabilities.erasures
            try await erasures.remind()
            #expect(try await told(test, after: cursor).count == 1)
            test.clock.advance(by: Erasures.reminderPause + .seconds(1))
            try await erasures.remind()
            try await erasures.remind()
            #expect(try await told(test, after: cursor).count == 2)
            for service in Self.others { try await report(test, begun, by: service) }
            test.clock.advance(by: Erasures.reminderPause + .seconds(1))
            try await erasures.remind()
            #expect(try await told(test, after: cursor).count == 2)
            let snapshot = try await test.snapshot(of: Accounts.erasuresFeed, as: "dispatcher")
            #expect(snapshot.map(\.entity) == [anna.account])
            let unknown = await #expect(throws: RPCError.self) {
                _ = try await test.service.rpc(as: "query").call(
                    Accounts.ReportErasure.self, .init(erasureID: .random(), items: [], erasedAt: test.clock.now()))
            }
            #expect(unknown?.code == .notFound)
        }
    }

    @Test("ACC-12b: Numbers leave the anonymous store together with others', or after 28 days")
    func subjects() async throws {
        try await AccountsTest.with { test in
            let releases = SubjectReleases(store: try test.capabilities.store)
            let cursor = try await test.end(of: Accounts.profilesFeed, as: "query")
            func released() async throws -> [JSONValue?] {
                try await test.events(of: Accounts.profilesFeed, after: cursor, as: "query")
                    .filter { $0.kind == "erased" }.map { try $0.decode(JSONValue.self)["subject"] }
            }
            func add(_ numbers: ClosedRange<Int32>) async throws {
                let store = try test.capabilities.store
                for number in numbers {
                    try await store.transaction { transaction in
                        try await SubjectReleases.add(number, version: 3, at: store.now(), in: transaction)
                    }
                }
            }
            try await add(1...19)
            #expect(try await releases.releaseDue() == 0)
            try await add(20...20)
            #expect(try await releases.releaseDue() == 20)
            let numbers = try await released().compactMap { $0?.integer }
            #expect(numbers.sorted() == Array(1...20) && numbers != numbers.sorted())
            try await add(21...21)
            test.clock.advance(by: SubjectReleases.waitMax - .seconds(86_400))
            #expect(try await releases.releaseDue() == 0)
            test.clock.advance(by: .seconds(2 * 86_400))
            #expect(try await releases.releaseDue() == 1)
            #expect(try await released().count == 21)
            // Who reads a snapshot instead, or later, is told of all of them.
            let snapshot = try await test.snapshot(of: Accounts.profilesFeed, as: "query")
                .filter { $0.kind == "erased" }
            #expect(try snapshot.map { try $0.decode(JSONValue.self)["subject"]?.integer } == Array(1...21))
            #expect(snapshot.allSatisfy { $0.version == 4 })
        }
    }

    @Test(
        "ACC-12b: After accounts was restored nobody gets a subject number that may have been given out since the backup"
    )
    func numbersAfterRestore() async throws {
        try await AccountsTest.with { test in
            let (numbers, database) = (SubjectNumbers(), test.database)
            let before = try await database.transaction { try await numbers.take(5, in: $0) }
            try await database.transaction { try await numbers.skip(in: $0) }
            let after = try await database.transaction { try await numbers.take(5000, in: $0) }
            #expect((after.min() ?? 0) > (before.max() ?? 0) + 1_000_000 && Set(after).count == 5000)
        }
    }

    @Test(
        "ACC-12b: After accounts was restored neighbours neither find people nor follow its erasures until those it lacks are done again"
    )
    func withheldFromNeighbours() async throws {
        try await AccountsTest.with { test in
            let (anna, firm) = (try await test.individual(), try await test.company())
            let (query, dispatcher) = (test.service.rpc(as: "query"), test.service.rpc(as: "dispatcher"))
            let beginning = try await test.end(of: Accounts.erasuresFeed, as: "query")
            let code = FiscalCode(TestPerson().code)
            let of = Accounts.ReadParams(accountID: anna.account, purpose: "incident")
            let withheld: [@Sendable () async throws -> Void] = [
                { _ = try await query.call(Accounts.Find.self, .init(fiscalCode: code)) },
                { _ = try await query.call(Accounts.Name.self, of) },
                {
                    let asker = Accounts.ReadParams(accountID: firm.account, purpose: "request")
                    _ = try await query.call(Accounts.Requester.self, asker)
                },
                { _ = try await test.snapshot(of: Accounts.erasuresFeed, as: "query") },
                { _ = try await test.events(of: Accounts.erasuresFeed, after: beginning, as: "query") },
            ]
            let withholding = test.service.context.withholding
            withholding.begin()
            for call in withheld {
                let error = await #expect(throws: RPCError.self) { try await call() }
                #expect(error?.code == .unavailable)
            }
            // Alarms and the checks of tokens go on.
            #expect(try await dispatcher.call(Accounts.Identity.self, of).name == "Anna")
            _ = try await query.call(Accounts.Keys.self, .init())
            withholding.end()
            for call in withheld { try await call() }
        }
    }
}

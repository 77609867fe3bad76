import PostgresTesting
import Feed
import HTTP
import ServiceTesting
import Contracts
import Domain
import JSON
import Postgres
import Primitives
import RPC
import Security
@testable import Service
import Testing

@testable import Accounts

@Suite struct DirectoryTests {
    private func code<T>(_ body: () async throws -> T) async -> RPCError.Code? {
        do { _ = try await body() } catch { return (error as? RPCError)?.code }
        return nil
    }

    @Test("REQ-01d REQ-02: An individual is found by exactly one of fiscal code and e-mail, once confirmed")
    func find() async throws {
        try await AccountsTest.with { test in
            let query = test.service.rpc(as: "query")
            let fiscalCode = FiscalCode(TestPerson().code)
            let email = EmailAddress("ANNA@example.org")
            _ = try await test.register(TestPerson())
            #expect(await code { try await query.call(Accounts.Find.self, .init(fiscalCode: fiscalCode)) } == .notFound)
            _ = try await test.confirm(try await test.linkToken())
            let account = try await query.call(Accounts.Find.self, .init(fiscalCode: fiscalCode)).accountID
            #expect(try await query.call(Accounts.Find.self, .init(email: email)).accountID == account)
            #expect(await code { try await query.call(Accounts.Find.self, .init()) } == .invalidParams)
            #expect(
                await code { try await query.call(Accounts.Find.self, .init(fiscalCode: fiscalCode, email: email)) }
                    == .invalidParams)
            _ = try await test.company()
            let company = EmailAddress("info@salus.example")
            #expect(await code { try await query.call(Accounts.Find.self, .init(email: company)) } == .notFound)
            let dispatcher = test.service.rpc(as: "dispatcher")
            #expect(await code { try await dispatcher.call(Accounts.Find.self, .init(email: email)) } == .notAllowed)
        }
    }

    @Test(
        "NFR-05a NFR-06b: Each service is told what its purpose needs; every question is in the audit trail under a pseudonym"
    )
    func profile() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let salus = try await test.company()
            let dispatcher = test.service.rpc(as: "dispatcher")
            let query = test.service.rpc(as: "query")
            let (of, firm) = (
                Accounts.ReadParams(accountID: anna.account, purpose: "incident"),
                Accounts.ReadParams(accountID: salus.account, purpose: "run")
            )
            let person = try await dispatcher.call(Accounts.Identity.self, of)
            #expect(person.name == "Anna" && person.sex == .female)
            #expect(try await dispatcher.call(Accounts.Wearer.self, of).identity.birthDate == person.birthDate)
            #expect(await code { try await dispatcher.call(Accounts.Identity.self, firm) } == .notFound)
            let name = try await query.call(Accounts.Name.self, of)
            #expect(name.kind == .individual && name.name == "Anna \(person.surname)")
            let asker = try await query.call(Accounts.Requester.self, firm)
            #expect(asker.name == "Salus S.r.l." && asker.email == EmailAddress("info@salus.example"))
            let missing = Accounts.ReadParams(accountID: .random(), purpose: "incident")
            #expect(await code { try await dispatcher.call(Accounts.Identity.self, missing) } == .notFound)
            let vague = Accounts.ReadParams(accountID: anna.account, purpose: "")
            #expect(await code { try await dispatcher.call(Accounts.Identity.self, vague) } == .invalidParams)
            for (caller, isTold) in [("ingestion", false), ("track4run", true)] {
                let other = test.service.rpc(as: caller)
                #expect(await code { try await other.call(Accounts.Identity.self, of) } == .notAllowed)
                #expect(await code { try await other.call(Accounts.Wearer.self, of) } == .notAllowed)
                #expect(await code { try await other.call(Accounts.Requester.self, of) } == .notAllowed)
                #expect(await code { try await other.call(Accounts.Name.self, of) } == (isTold ? nil : .notAllowed))
            }
            let entries = try await test.service.auditLines()
            #expect(
                entries.map(\.description) == [
                    "dispatcher accounts.identity incident", "dispatcher accounts.wearer incident",
                    "dispatcher accounts.identity run", "query accounts.name incident", "query accounts.requester run",
                    "dispatcher accounts.identity incident", "track4run accounts.name incident",
                ])
            #expect(entries[5].pseudonym == nil && entries[0].pseudonym != nil)
            #expect(entries[0].pseudonym != anna.account)
            #expect(try await test.capabilities.audit.verify().sequence == 7)
        }
    }

    @Test("SOS-01ab: What is asked of who enrols in AutomatedSOS: age, what devices may provide, and what is collected")
    func wearer() async throws {
        try await AccountsTest.with { test in
            var person = TestPerson()
            person.more = #","consents":{"health_data":true,"position":false}"#
            let anna = try await test.individual(person)
            let dispatcher = test.service.rpc(as: "dispatcher")
            let asked = Accounts.ReadParams(accountID: anna.account, purpose: "enrolment")
            var wearer = try await dispatcher.call(Accounts.Wearer.self, asked)
            #expect(wearer.deviceTypes.isEmpty && wearer.collectsHealth && !wearer.collectsPosition)
            let identity = try await dispatcher.call(Accounts.Identity.self, asked)
            #expect(identity.fiscalCode.agrees(with: wearer.identity.birthDate))
            for types in [[DataType.heartRate, .steps], [.position, .heartRate]] {
                let numbers = types.map { Int16($0.rawValue) }
                try await test.database.execute(
                    """
                    insert into device (id, account, name, offered_types, data_types, created_at)
                    values (\(UUID.random()), \(anna.account), '\\x00', \(numbers), \(numbers), now())
                    """)
            }
            wearer = try await dispatcher.call(Accounts.Wearer.self, asked)
            #expect(wearer.deviceTypes == [.position, .heartRate, .steps])
            let excluded = try await test.send(
                .patch, "/me/collection", token: anna.token, #"{"excluded_types":["heart-rate"]}"#)
            #expect(excluded.status == 200)
            wearer = try await dispatcher.call(Accounts.Wearer.self, asked)
            #expect(wearer.deviceTypes == [.position, .steps])
        }
    }

    @Test(
        "NFR-06b REQ-02b: The audit trail says for which account a service asked, and why, also when nobody was found")
    func onBehalf() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            let anna = try await test.individual()
            let query = test.service.rpc(as: "query")
            _ = try await query.call(
                Accounts.Find.self,
                .init(email: EmailAddress("anna@example.org"), purpose: "run", onBehalfOf: salus.account))
            let missing = Accounts.Find.Params(email: EmailAddress("nobody@example.org"), onBehalfOf: salus.account)
            #expect(await code { try await query.call(Accounts.Find.self, missing) } == .notFound)
            _ = try await query.call(
                Accounts.Name.self, .init(accountID: anna.account, purpose: "request", onBehalfOf: salus.account))
            let pseudonym = try await test.database.queryOne(
                "select pseudonym from account where id = \(salus.account)", as: UUID.self)
            let entries = try await test.service.auditLines()
            #expect(entries.map(\.purpose) == ["run", "request", "request"])
            #expect(pseudonym != nil && entries.allSatisfy { $0.onBehalfOf == pseudonym })
        }
    }

    @Test("NFR-05d: All keys of accounts are wrapped with another key, and all can be read with that one alone")
    func keyRotation() async throws {
        let (old, new) = (SecretKey.random(), SecretKey.random())
        let keys = FieldKeys(try KeyRing(["1": old], current: "1"))
        try await AccountsTest.with(keys: ServiceKeys(fields: keys, blindIndex: .random())) { test in
            let anna = try await test.individual()
            let salus = try await test.company()
            _ = try await test.send(.post, "/clients", token: salus.token, #"{"name":"x","scopes":["groups"]}"#)
            _ = try await test.send(.post, "/pairings", #"{"name":"Watch","data_types":["heart-rate"]}"#)
            let browser = PushSubscriber(endpoint: "https://push.example.net/1")
            #expect(try await test.send(.put, "/push-subscription", token: anna.token, browser.form).status == 204)
            #expect(try await test.put(picture: TestPicture.png, as: "image/png", anna).status == .noContent)
            _ = try await test.service.rpc(as: "simulator").call(
                Accounts.Provision.self,
                .init(population: String(repeating: "p", count: 32), people: [TestPerson(number: 5).provisioned]))
            for number in 0..<3 { _ = try await test.logIn("anna@example.org", "wrong password \(number)") }
            try await test.capabilities.warnings.sendDue()
            let leaving = try await test.individual(TestPerson(number: 8))
            _ = try await test.beginFactor(leaving)
            #expect(try await test.add(TestPasskey(), leaving).status == 201)
            try await test.exportAndErase(leaving)
            _ = try await test.register(.child(years: 12, parent: TestPerson(number: 3)))
            var rosa = try await TestOperator.logged(in: test)

            let columns = test.sealedDatabases
            keys.replace(with: try KeyRing(["1": old, "2": new], current: "2"))
            let outcome = try await KeyRotation(cipher: FieldCipher(keys), pause: .zero) { _ in }.run(columns)
            #expect(outcome.resealed >= 7 && outcome.unreadable == 0)
            let own: [PersonalColumns.ServiceColumn] = [.pairingName, .erasureContact, .operatorSecret]
            let locations = Set(own.map(\.rawValue) + [SubjectKey.column])
            #expect(Set(try await KeyCount.counts(columns).map(\.location)) == locations)
            keys.replace(with: try KeyRing(["2": new], current: "2"))
            #expect(try await test.send(.get, "/me", token: anna.token).json["person"]?["name"]?.text == "Anna")
            #expect(try await test.send(.get, "/inbox", token: anna.token).json["messages"]?.items.count == 1)
            #expect(try await test.send(.get, "/clients", token: salus.token).status == 200)
            test.clock.advance(by: .seconds(30))
            #expect(try await rosa.logIn(code: try await rosa.code()).status == 200)
            try await test.deliver()
            let addresses = Set(test.settings.mailbox.messages.map(\.to.description))
            #expect(addresses.isSuperset(of: ["anna@example.org", "child@example.org", TestPerson(number: 3).email]))
        }
    }

    @Test("NFR-06: Messages and mail that could not be delivered go when their time is over")
    func retention() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let store = try test.capabilities.store
            try await store.transaction { transaction in
                for age in [1, 100] {
                    try await transaction.execute(
                        """
                        insert into message (id, account, template, content, created_at)
                        values (\(UUID.random()), \(anna.account), 'x', '', \(test.clock.now() - .seconds(86_400 * age)))
                        """)
                }
            }
            let rule = try #require(Upkeep(store: store).retention.first { $0.name == "inbox" })
            #expect(try await rule.enforce(before: test.clock.now() - .seconds(86_400 * 30)) == 1)
            #expect(try await test.database.queryOne("select count(*) from message", as: Int.self) == 1)
        }
    }
}

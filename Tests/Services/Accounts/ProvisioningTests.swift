import PostgresTesting
import HTTP
import ServiceTesting
import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import RPC
import Security
import Service
import Testing

@testable import Accounts

@Suite struct ProvisioningTests {
    private static let population = "the secret of whoever makes them"

    private func provision(
        _ test: AccountsTest, _ people: [TestPerson], as caller: String = "simulator",
        population: String = population
    ) async throws -> [Accounts.Provision.Provisioned] {
        try await test.service.rpc(as: caller).call(
            Accounts.Provision.self, .init(population: population, people: people.map(\.provisioned))
        ).people
    }

    private func code(
        _ test: AccountsTest, _ people: [TestPerson], as caller: String = "simulator", population: String = population
    ) async -> RPCError.Code? {
        do { _ = try await provision(test, people, as: caller, population: population) } catch {
            return (error as? RPCError)?.code
        }
        return nil
    }

    @Test(
        "NFR-01: People are provisioned with a device and its token, findable at once, and a repetition changes nothing"
    )
    func idempotent() async throws {
        try await AccountsTest.with { test in
            let people = (0..<30).map(TestPerson.init(number:))
            let first = try await provision(test, people)
            let second = try await provision(test, people + [TestPerson(number: 99)])
            #expect(second.prefix(30).map(\.accountID) == first.map(\.accountID))
            #expect(second.prefix(30).map(\.deviceID) == first.map(\.deviceID))
            #expect(try await test.database.queryOne("select count(*) from person", as: Int.self) == 31)
            let without = try await test.service.rpc(as: "simulator").call(
                Accounts.Provision.self,
                .init(population: Self.population, people: [people[0].provisioned], tokens: false))
            #expect(without.people.first?.accessToken == nil && without.people.first?.deviceID == first[0].deviceID)
            let found = try await test.service.rpc(as: "query").call(
                Accounts.Find.self, .init(email: EmailAddress(people[4].email)))
            #expect(found.accountID == first[4].accountID)
            let person = try await test.service.rpc(as: "dispatcher").call(
                Accounts.Identity.self, .init(accountID: first[4].accountID, purpose: "incident"))
            #expect(person.fiscalCode.description == people[4].code)
            let verifier = TokenVerifier(
                keys: try test.capabilities.keys.published, issuer: Authenticator.issuer,
                audience: Authenticator.audience)
            let claims = try verifier.verify(try #require(first[4].accessToken), at: test.clock.now())
            #expect(claims.subject == first[4].accountID && claims.kind == .device && claims.scopes == ["upload"])
            #expect(claims.clientIdentifier == first[4].deviceID.description)
        }
    }

    @Test("NFR-06: Nothing is answered of people who are there: registered, of another population, or with a password")
    func others() async throws {
        try await AccountsTest.with { test in
            let (anna, pending) = (TestPerson(number: 1), TestPerson(number: 2))
            _ = try await test.individual(anna)
            #expect(try await test.register(pending).status == 202)
            #expect(await code(test, [anna]) == .conflict)
            // One who is there keeps the others of the call from being made.
            #expect(await code(test, [TestPerson(number: 7), pending]) == .conflict)
            #expect(try await test.database.queryOne("select count(*) from account", as: Int.self) == 2)
            // The registration is still its person's.
            #expect(try await test.confirm(try await test.linkToken()).status == 200)

            let made = try await provision(test, [TestPerson(number: 3), TestPerson(number: 4)])
            #expect(
                await code(test, [TestPerson(number: 3)], population: "somebody else's secret, 32 bytes") == .conflict)
            #expect(try await provision(test, [TestPerson(number: 3)]).map(\.accountID) == [made[0].accountID])
            // Whoever takes the account over has it to themselves.
            try await test.database.execute(
                "insert into password (account, hash, changed_at) values (\(made[0].accountID), 'x', now())")
            #expect(await code(test, [TestPerson(number: 3)]) == .conflict)
            try await test.database.execute("delete from device where id = \(made[1].deviceID)")
            #expect(await code(test, [TestPerson(number: 4)]) == .conflict)
        }
    }

    @Test(
        "ACC-01b: A person is not provisioned with an address that a company or somebody else has: that is a conflict")
    func takenAddress() async throws {
        try await AccountsTest.with { test in
            let company = TestCompany()
            _ = try await test.company(company)
            var person = TestPerson(number: 1)
            person.email = company.email
            #expect(await code(test, [TestPerson(number: 2), person]) == .conflict)
            _ = try await provision(test, [TestPerson(number: 3)])
            person.email = TestPerson(number: 3).email
            #expect(await code(test, [person]) == .conflict)
            #expect(try await test.database.queryOne("select count(*) from person", as: Int.self) == 1)
        }
    }

    @Test("NFR-06b: Provisioning is audited for each person, also when it is refused or repeated")
    func audited() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual(TestPerson(number: 1))
            _ = try await provision(test, [TestPerson(number: 2), TestPerson(number: 3)])
            _ = try await provision(test, [TestPerson(number: 2)])
            #expect(await code(test, [TestPerson(number: 1)]) == .conflict)
            let entries = try await test.service.auditLines()
            #expect(entries.allSatisfy { $0.actor == "simulator" && $0.action == "accounts.provision" })
            #expect(
                entries.map(\.purpose) == ["provisioning", "provisioning", "provisioning", "provisioning refused"])
            #expect(entries[0].pseudonym == entries[2].pseudonym)
            let known = try await test.database.query("select pseudonym from account", as: UUID.self)
            #expect(known.count == 3 && Set(entries.map(\.pseudonym)) == Set(known))
            #expect(try await test.capabilities.audit.verify().sequence == 4)
        }
    }

    @Test("NFR-06: Nobody provisions unless the configuration names them")
    func off() async throws {
        try await AccountsTest.with(provisioningClients: []) { test in
            for caller in ["simulator", "operator", "query"] {
                #expect(await code(test, [TestPerson(number: 1)], as: caller) == .notAllowed)
            }
        }
        let keystore = DatabaseSettings.text(schema: "keys")
        let text =
            #"{"keystore":\#(keystore),"mail_directory":"/tmp","signing_key_file":"/tmp/none","provisioning_clients":["query"]}"#
        let settings = try JSONDecoder().decode(AccountsSettings.self, from: Array(text.utf8))
        let mistake = #expect(throws: ConfigurationError.self) { try AccountsService.check(settings) }
        #expect(mistake?.description.hasPrefix("query cannot be among provisioning_clients") == true)
    }

    @Test("Provisioned people are announced with their devices, and their profiles in an order that tells nothing")
    func announced() async throws {
        try await AccountsTest.with { test in
            let changes = try await test.end(of: Accounts.changesFeed)
            let profiles = try await test.end(of: Accounts.profilesFeed, as: "query")
            let people = try await provision(test, (0..<50).map(TestPerson.init(number:)))
            let events = try await test.events(of: Accounts.changesFeed, after: changes)
            let accounts = try events.filter { $0.kind == "account" }.map { try $0.decode(Accounts.AccountChange.self) }
            let devices = try events.filter { $0.kind == "device" }.map { try $0.decode(Accounts.DeviceChange.self) }
            #expect(accounts.map(\.accountID) == people.map(\.accountID))
            #expect(devices.map(\.deviceID) == people.map(\.deviceID))
            #expect(devices.allSatisfy { $0.dataTypes == [.position, .heartRate] })
            let subjects = accounts.compactMap(\.subject)
            #expect(Set(subjects).count == 50 && subjects != subjects.sorted())
            let released = try await test.events(of: Accounts.profilesFeed, after: profiles, as: "query")
            let coarse = try released.map { try $0.decode(Accounts.CoarseProfile.self) }
            #expect(Set(coarse.map(\.subject)) == Set(subjects) && coarse.map(\.subject) != subjects)
            #expect(coarse.allSatisfy { $0.sex == .female && $0.residence == BelfioreCode("F205") })
            let ids = Set(people.map(\.accountID))
            #expect(released.allSatisfy { !ids.contains($0.entity) })
        }
    }

    @Test("Provisioning refuses too many, repetitions within a call, wrong data, taken addresses, and other callers")
    func refused() async throws {
        try await AccountsTest.with { test in
            #expect(await code(test, (0...500).map(TestPerson.init(number:))) == .invalidParams)
            #expect(await code(test, [TestPerson(number: 1)], population: "short") == .invalidParams)
            #expect(await code(test, [TestPerson(number: 1), TestPerson(number: 1)]) == .invalidParams)
            var wrong = TestPerson(number: 1)
            wrong.birth = CalendarDate(year: 1999, month: 1, day: 1)!
            #expect(await code(test, [wrong]) == .invalidParams)
            #expect(await code(test, [TestPerson(number: 1)], as: "query") == .notAllowed)
            var taken = TestPerson(number: 2)
            taken.email = TestPerson(number: 1).email
            #expect(await code(test, [TestPerson(number: 1), taken]) == .conflict)
            let count = try await test.database.queryOne("select count(*) from account", as: Int.self)
            #expect(count == 0)
            #expect(await code(test, [TestPerson(number: 1)], as: "operator") == .notAllowed)
        }
    }

    @Test("The same people in two calls at the same time are there once")
    func race() async throws {
        try await AccountsTest.with { test in
            let people = (0..<20).map(TestPerson.init(number:))
            async let first = provision(test, people)
            async let second = provision(test, people)
            let (left, right) = try await (first, second)
            #expect(left.map(\.accountID) == right.map(\.accountID))
            #expect(try await test.database.queryOne("select count(*) from account", as: Int.self) == 20)
            #expect(try await test.database.queryOne("select count(*) from device", as: Int.self) == 20)
        }
    }

    @Test("A consumer that begins later gets accounts, devices and released profiles from a snapshot")
    func snapshot() async throws {
        try await AccountsTest.with { test in
            let people = try await provision(test, (0..<450).map(TestPerson.init(number:)))
            var entities: [FeedEntity] = []
            var page: String?
            repeat {
                let answer = try await test.service.rpc(as: "ingestion").call(
                    FeedSnapshot.self, .init(feed: Accounts.changesFeed, page: page))
                entities += answer.entities
                page = answer.next
            } while page != nil
            #expect(entities.count == 900)
            let ids = try entities.filter { $0.kind == "account" }.map {
                try $0.decode(Accounts.AccountChange.self).accountID
            }
            #expect(Set(ids) == Set(people.map(\.accountID)))
            // What ingestion reads of a device, by name.
            let device = try #require(entities.first { $0.kind == "device" }).decode(JSONValue.self)
            #expect(device["data_types"]?.items.map(\.text) == ["position", "heart-rate"])
            #expect(device["is_removed"]?.flag == false && device["account_id"]?.text != nil)
            let profiles = try await test.service.rpc(as: "query").call(
                FeedSnapshot.self, .init(feed: Accounts.profilesFeed, page: nil))
            #expect(profiles.entities.count == 450)
        }
    }
}

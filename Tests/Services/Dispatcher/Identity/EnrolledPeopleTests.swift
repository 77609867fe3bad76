import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import Service
import Synchronization
import Testing

@testable import Dispatcher

/// Who the enrolled are, while accounts is there and while it is away.
@Suite struct EnrolledPeopleTests {
    @Test(
        "SOS-06b NFR-03b: accounts may be away: the first call to the ambulance service has name, sex and fiscal code")
    func accountsAway() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            dispatcher.accounts.state.withLock { $0.isAway = true }
            try await dispatcher.send(critical, of: account)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall()).json
            #expect(call["incident"]?["sequence"] == .integer(1))
            #expect(call["person"]?["name"] == .string("Rosa") && call["person"]?["surname"] == .string("Bianchi"))
            #expect(call["person"]?["fiscal_code"] == .string(TestDispatcher.fiscalCode.description))
            #expect(call["person"]?["sex"] == .string("female"))
        }
    }

    @Test(
        "SOS-06b: when something of a person changes, accounts is asked again; until it answers what was known is told")
    func changed() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let people = dispatcher.capabilities.enrolledPeople
            dispatcher.accounts.state.withLock {
                $0.wearer.identity.name = "Rosina"
                $0.isAway = true
            }
            try await follow(dispatcher, [account, .random()])
            try await people.look()
            #expect(try await name(of: account, dispatcher) == "Rosa")
            #expect(
                try await dispatcher.database.queryOne(
                    "select due_at > clock_timestamp() from enrolled_person", as: Bool.self) == true)
            dispatcher.accounts.state.withLock { $0.isAway = false }
            try await follow(dispatcher, [account])
            // Whoever comes first: the service looks, too.
            try await people.look()
            #expect(try await dispatcher.wait { try await name(of: account, dispatcher) == "Rosina" })
            #expect(try await dispatcher.wait("select due_at is null from enrolled_person"))
        }
    }

    @Test(
        "SOS-06b: after a gap in accounts' feed, and for whoever was enrolled before, accounts is asked about everybody"
    )
    func everybody() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = [UUID.random(), .random()]
            for account in accounts { try await dispatcher.enrol(account) }
            try await dispatcher.database.execute("delete from enrolled_person where account = \(accounts[0])")
            dispatcher.accounts.state.withLock { $0.wearer.identity.name = "Rosina" }
            guard case .statements(let statements) = AccountChanges().endSnapshot() else { return #expect(Bool(false)) }
            try await dispatcher.database.batch(statements)
            try await dispatcher.capabilities.enrolledPeople.look()
            for account in accounts {
                #expect(try await dispatcher.wait { try await name(of: account, dispatcher) == "Rosina" })
            }
        }
    }

    @Test("ACC-12b SOS-01f NFR-05d: it is sealed, and gone with the enrolment")
    func gone() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let sealed = try #require(
                try await dispatcher.database.queryOne("select identity from enrolled_person", as: [UInt8].self))
            #expect(!String(decoding: sealed, as: UTF8.self).contains("Bianchi"))
            _ = try await dispatcher.call(.delete, "/dispatcher/v1/enrolment", account: account)
            #expect(try await dispatcher.database.queryOne("select count(*) from enrolled_person", as: Int.self) == 0)
        }
    }

    private func follow(_ dispatcher: TestDispatcher, _ accounts: [UUID]) async throws {
        let records = accounts.map { account in
            FeedRecord(
                lane: 0, position: 1, entity: account, version: 2, kind: Accounts.accountChangeKind,
                payload: JSONRaw(unchecked: Array("{}".utf8)), recordedAt: .now())
        }
        guard case .statements(let statements) = AccountChanges().apply(records) else { return #expect(Bool(false)) }
        try await dispatcher.database.batch(statements)
    }

    private func name(of account: UUID, _ dispatcher: TestDispatcher) async throws -> String? {
        let sealed = try await dispatcher.database.queryOne(
            "select identity from enrolled_person where account = \(account)", as: [UInt8]?.self)
        let key = try #require(try await dispatcher.capabilities.people.keys.existingKey(of: account))
        guard let known = sealed ?? nil else { return nil }
        let person: IncidentDetails.Person = try PersonalColumn.identity.open(packed: known, of: account, with: key)
        return person.name
    }
}

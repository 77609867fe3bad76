import PostgresTesting
import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

/// The operator opens group requests to third parties, and closes them.
@Suite struct AdmissionTests {
    private func scopes(_ test: AccountsTest, _ token: String) throws -> [String] {
        let verifier = TokenVerifier(
            keys: try test.capabilities.keys.published, issuer: Authenticator.issuer, audience: Authenticator.audience)
        return try verifier.verify(token, at: test.clock.now()).scopes
    }

    /// A client of these scopes; the form with which it asks for tokens.
    private func client(_ test: AccountsTest, _ token: String, _ scopes: String) async throws -> String {
        let made = try await test.send(.post, "/clients", token: token, "{\"name\":\"x\",\"scopes\":[\(scopes)]}")
        return
            "grant_type=client_credentials&client_id=\(try made.text("client_id"))&client_secret=\(try made.text("client_secret"))"
    }

    private func refresh(_ test: AccountsTest, _ text: String) async throws -> LoggedIn {
        try LoggedIn(try await test.send(.post, "/sessions/refresh", "{\"refresh_token\":\"\(text)\"}"))
    }

    @Test("ACC-15a: Only tokens of a third party that the operator has admitted have the scope of group requests")
    func scope() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            let form = try await client(test, salus.token, #""requests","groups""#)
            let groups = try await client(test, salus.token, #""groups""#)
            #expect(try scopes(test, salus.token) == ["requests", "runs"])
            #expect(try await test.sendForm("/oauth/token", form).json["scope"]?.text == "requests")
            #expect(
                try await test.sendForm("/oauth/token", form + "&scope=groups").json["error"]?.text == "invalid_scope")
            let refused = try await test.sendForm("/oauth/token", groups)
            #expect(refused.status == 400 && refused.json["error"]?.text == "invalid_scope")
            #expect(refused.json["error_description"]?.text?.contains("operator has admitted") == true)

            try await test.admit()
            try await test.admit()
            let again = try await refresh(test, salus.refresh)
            #expect(try scopes(test, again.token) == ["requests", "groups", "runs"])
            #expect(try scopes(test, try LoggedIn(try await test.logIn("info@salus.example")).token).contains("groups"))
            #expect(try await test.sendForm("/oauth/token", form).json["scope"]?.text == "requests groups")
            #expect(try await test.sendForm("/oauth/token", groups).json["scope"]?.text == "groups")

            try await test.admit(isAdmitted: false)
            #expect(try scopes(test, try await refresh(test, again.refresh).token) == ["requests", "runs"])
            #expect(try await test.sendForm("/oauth/token", form).json["scope"]?.text == "requests")
        }
    }

    @Test("ACC-15b ACC-16c: The end of an admission revokes the company's tokens of before, once, and nobody else's")
    func withdrawal() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            func revoked() async throws -> [String] {
                try await test.database.query(
                    "select kind from revocation where id = \(salus.account)", as: String.self)
            }
            try await test.admit()
            #expect(try await revoked() == [])
            try await test.admit(isAdmitted: false)
            #expect(try await revoked() == ["account"])
            let published = try await test.snapshot(of: Accounts.revocationsFeed, as: "query")
            #expect(published.count == 1)
            let before = try await test.database.queryOne("select revoked_at from revocation", as: Timestamp.self)
            test.clock.advance(by: .seconds(5))
            try await test.admit(isAdmitted: false)
            #expect(try await test.database.queryOne("select revoked_at from revocation", as: Timestamp.self) == before)
        }
    }

    @Test("ACC-15b: A withdrawal waits for tokens that are being signed, so that it revokes them")
    func race() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            try await test.admit()
            let loop = test.service.loops.loops[0]
            let withdrawal = try await test.database.transaction { transaction in
                try await transaction.execute("select from session where account = \(salus.account) for update")
                let withdrawal = loop.task { (try? await test.admit(isAdmitted: false)) != nil }
                var isWaiting = false
                let deadline = Deadline.after(.patience)
                while !isWaiting, !deadline.hasPassed {
                    isWaiting =
                        try await test.database.queryOne(
                            """
                            select exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
                              where not l.granted and a.query like 'select from session where account%')
                            """, as: Bool.self) == true
                }
                #expect(isWaiting)
                let scopes = try await Admission.scopes(["groups"], of: salus.account, in: transaction)
                #expect(scopes == ["groups"])
                #expect(try await transaction.queryOne("select count(*) from revocation", as: Int.self) == 0)
                return withdrawal
            }
            #expect(await withdrawal.value)
            #expect(try await test.database.queryOne("select count(*) from revocation", as: Int.self) == 1)
        }
    }

    @Test("NFR-06b: Each act of the operator is in the audit trail: who, what, on whom, why; a mistyped company, too")
    func audited() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            let pseudonym = try await test.database.queryOne(
                "select pseudonym from account where id = \(salus.account)", as: UUID.self)
            let caller = test.service.rpc(as: "operator")
            let number = try VATNumber(validating: "00743110157")
            let answer = try await caller.call(Accounts.Admit.self, .init(vatNumber: number, reason: "contract 12"))
            #expect(answer.accountID == salus.account)
            await #expect(throws: RPCError.self) {
                _ = try await caller.call(
                    Accounts.Admit.self,
                    .init(email: try EmailAddress(validating: "nobody@example.org"), isAdmitted: false, reason: "slip"))
            }
            _ = try await test.capabilities.audit.verify()
            let entries = try await test.service.auditLines()
            #expect(entries.map(\.actor) == ["operator", "operator"])
            #expect(entries.map(\.action) == ["accounts.admit", "accounts.withdraw_admission"])
            #expect(entries.map(\.pseudonym) == [pseudonym, nil])
            #expect(entries.map(\.purpose) == ["contract 12", "slip"])
        }
    }

    @Test("ACC-15a: Who is no third party is not admitted; services may not admit; reasons and companies are needed")
    func refusals() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            _ = try await test.company(TestCompany(kind: .organiser))
            func code(_ params: Accounts.Admit.Params, by caller: String = "operator") async -> RPCError.Code? {
                do throws(RPCError) {
                    _ = try await test.service.rpc(as: caller).call(Accounts.Admit.self, params)
                    return nil
                } catch { return error.code }
            }
            let number = try VATNumber(validating: "00743110157")
            let person = try EmailAddress(validating: "anna@example.org")
            #expect(await code(.init(email: person, reason: "x")) == .notFound)
            #expect(await code(.init(vatNumber: number, reason: "x")) == .notFound)
            #expect(await code(.init(vatNumber: number, reason: "")) == .invalidParams)
            #expect(await code(.init(vatNumber: number, email: person, reason: "x")) == .invalidParams)
            #expect(await code(.init(reason: "x")) == .invalidParams)
            #expect(await code(.init(vatNumber: number, reason: "x"), by: "query") == .notAllowed)
        }
    }

    @Test("ACC-15a NFR-06b: The operator admits and withdraws by a command, which says what it did or what is wrong")
    func command() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            let command = OperatorCommand(try test.capabilities.provisioning)
            func said(_ arguments: String...) async -> String {
                do { return try await command.run(arguments) } catch { return "\(error)" }
            }
            #expect(
                await said("admit", "00743110157", "contract")
                    == "Account \(salus.account) may ask about groups, with tokens that it gets from now on.")
            #expect(await said("withdraw", "info@salus.example", "abuse").contains("may not ask about groups any more"))
            #expect(await said("admit", "nobody@example.org", "x").hasPrefix("There is no such third party"))
            #expect(await said("admit", "00743110157", "").hasPrefix("Say for what purpose"))
            for wrong in [["admit", "00743110157"], ["admit", "nobody", "x"], ["open", "00743110157", "x"], []] {
                await #expect(throws: CommandMistake.self) { try await command.run(wrong) }
            }
            _ = try await test.capabilities.audit.verify()
            #expect(Set(try await test.service.auditLines().map(\.actor)) == ["command"])
        }
    }
}

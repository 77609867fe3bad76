import PostgresTesting
import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import RPC
import Service
import ServiceTesting
import Testing

@testable import Accounts

/// The operator suspends accounts and restores them.
@Suite struct SuspensionTests {
    private func suspend(
        _ test: AccountsTest, _ email: String, _ kind: AccountKind, isSuspended: Bool = true, reason: String = "abuse"
    ) async throws {
        _ = try await test.service.rpc(as: "operator").call(
            Accounts.Suspend.self,
            .init(
                email: try EmailAddress(validating: email), kind: kind, isSuspended: isSuspended, reason: reason))
    }

    @Test(
        "ACC-07b ACC-16c: Who is suspended has no sessions, and is told so only after the right password; restored, logs in"
    )
    func logIn() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await suspend(test, "anna@example.org", .individual)
            #expect(try await test.send(.get, "/me", token: anna.token).status == 401)
            let refreshed = try await test.send(.post, "/sessions/refresh", "{\"refresh_token\":\"\(anna.refresh)\"}")
            #expect(refreshed.status == 401)
            let refused = try await test.logIn("anna@example.org")
            #expect(refused.status == 403 && refused.code == "suspended")
            let wrong = try await test.logIn("anna@example.org", "another horse battery")
            #expect(wrong.status == 401 && wrong.code == "wrong-credentials")
            try await suspend(test, "anna@example.org", .individual, isSuspended: false)
            #expect(try await test.logIn("anna@example.org").status == 200)
        }
    }

    @Test("ACC-17a: The owner is told by mail of a suspension and of its end, with the reason, once each")
    func told() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            try await test.deliver()
            let before = test.settings.mailbox.messages.count
            for _ in 0..<2 { try await suspend(test, "anna@example.org", .individual, reason: "Spam to runners") }
            for _ in 0..<2 {
                try await suspend(test, "anna@example.org", .individual, isSuspended: false, reason: "A mistake")
            }
            try await test.deliver()
            let mails = test.settings.mailbox.messages.dropFirst(before)
            #expect(mails.count == 2)
            #expect(mails.first?.body.contains("Spam to runners") == true)
            #expect(mails.first?.body.contains("AutomatedSOS") == true)
            #expect(mails.last?.body.contains("A mistake") == true)
        }
    }

    @Test("ACC-14a SOS-02: The devices of who is suspended go on, and no service hears of it: monitoring does not end")
    func devices() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let device = UUID.random()
            let secret = OneTimeToken.random()
            try await test.database.execute(
                """
                insert into device (id, account, name, offered_types, data_types, secret_hash, created_at)
                values (\(device), \(anna.account), '', '{1}', '{1}', \(secret.storedHash), \(test.clock.now()))
                """)
            let form = "grant_type=client_credentials&device_id=\(device)&device_secret=\(secret.text)"
            #expect(try await test.sendForm("/oauth/token", form).status == 200)
            let version = try await test.database.queryOne("select version from account", as: Int64.self)
            let changes = try await test.snapshot(of: Accounts.changesFeed, as: "ingestion").count
            try await suspend(test, "anna@example.org", .individual)
            #expect(try await test.sendForm("/oauth/token", form).status == 200)
            let revoked = try await test.database.query("select id, kind from revocation", as: UUID.self, String.self)
            #expect(revoked.map(\.0) == [anna.session] && revoked.map(\.1) == ["session"])
            #expect(try await test.database.queryOne("select version from account", as: Int64.self) == version)
            #expect(try await test.snapshot(of: Accounts.changesFeed, as: "ingestion").count == changes)
        }
    }

    @Test(
        "ACC-15b: A suspended third party's tokens are revoked and its programs get none; restored, they get them again"
    )
    func programs() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            let made = try await test.send(
                .post, "/clients", token: salus.token, #"{"name":"x","scopes":["requests"]}"#)
            let form =
                "grant_type=client_credentials&client_id=\(try made.text("client_id"))&client_secret=\(try made.text("client_secret"))"
            try await suspend(test, "info@salus.example", .thirdParty)
            let refused = try await test.sendForm("/oauth/token", form)
            #expect(refused.status == 400 && refused.json["error"]?.text == "unauthorized_client")
            let revoked = try await test.database.query("select id from revocation order by kind", as: UUID.self)
            #expect(revoked == [salus.account, salus.session])
            #expect(try await test.sendForm("/oauth/token", form + "x").json["error"]?.text == "invalid_client")
            try await suspend(test, "info@salus.example", .thirdParty, isSuspended: false)
            #expect(try await test.sendForm("/oauth/token", form).status == 200)
        }
    }

    @Test("NFR-06b: Suspending and restoring are in the audit trail; only the operator may, by RPC or by the command")
    func audited() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let pseudonym = try await test.database.queryOne("select pseudonym from account", as: UUID.self)
            let command = OperatorCommand(try test.capabilities.provisioning)
            try await suspend(test, "anna@example.org", .individual)
            #expect(
                try await command.run(["restore", "individual", "anna@example.org", "a mistake"])
                    == "Account \(anna.account) is not suspended any more; its owner is told by mail.")
            await #expect(throws: CommandMistake.self) {
                try await command.run(["suspend", "third-party", "anna@example.org", "slip"])
            }
            for wrong in [["suspend", "person", "anna@example.org", "x"], ["suspend", "individual", "anna", "x"]] {
                await #expect(throws: CommandMistake.self) { try await command.run(wrong) }
            }
            for caller in ["simulator", "query"] {
                await #expect(throws: RPCError.self) {
                    _ = try await test.service.rpc(as: caller).call(
                        Accounts.Suspend.self,
                        .init(email: try EmailAddress(validating: "anna@example.org"), kind: .individual, reason: "x"))
                }
            }
            _ = try await test.capabilities.audit.verify()
            let entries = try await test.service.auditLines()
            #expect(entries.map(\.actor) == ["operator", "command", "command"])
            #expect(entries.map(\.action) == ["accounts.suspend", "accounts.restore", "accounts.suspend"])
            #expect(entries.map(\.pseudonym) == [pseudonym, pseudonym, nil])
            #expect(entries.map(\.purpose) == ["abuse", "a mistake", "slip"])
        }
    }
}

import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Service
import ServiceTesting
import Testing

@testable import Accounts

/// Mail to people who have no account.
@Suite struct OutsideMailTests {
    private func params(_ template: String, id: UUID = .random(), language: Language = .italian) throws
        -> Accounts.Mail.Params
    {
        .init(
            id: id, address: try EmailAddress(validating: "luca@example.org"), language: language, template: template,
            values: ["subject": "Prova", "text": "Un testo", "count": "1", "list": "no-receipt"])
    }

    @Test(
        "SOS-09a SOS-13b: Emergency contacts and operators get mail without an account, once for each id, before all else"
    )
    func sent() async throws {
        try await AccountsTest.with { test in
            let caller = test.service.rpc(as: "dispatcher")
            let id = UUID.random()
            for _ in 0..<2 { _ = try await caller.call(Accounts.Mail.self, try params("contact-told", id: id)) }
            _ = try await caller.call(Accounts.Mail.self, try params("operator-alarms", language: .english))
            try await test.deliver()
            let messages = test.settings.mailbox.messages
            #expect(messages.count == 2 && messages.allSatisfy { $0.to.description == "luca@example.org" })
            #expect(
                messages.contains { $0.subject == "Prova" && $0.body.contains("Un testo") && $0.language == .italian })
            #expect(messages.contains { $0.subject == "TrackMe: 1 open alarms" && $0.body.contains("no-receipt") })
            let isUrgent = try await test.capabilities.store.database.queryOne(
                "select bool_and(is_urgent) from mail", as: Bool.self)
            #expect(isUrgent == true)
        }
    }

    @Test("SOS-09 NFR-05: Only texts that are made for it go to who has no account")
    func refused() async throws {
        try await AccountsTest.with { test in
            let caller = test.service.rpc(as: "dispatcher")
            for template in ["incident-opened", "account-erased", "nothing"] {
                await #expect(throws: RPCError.self) {
                    _ = try await caller.call(Accounts.Mail.self, try params(template))
                }
            }
            try await test.deliver()
            #expect(test.settings.mailbox.messages.isEmpty)
        }
    }
}

import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct NotificationChoiceTests {
    private func notify(_ test: AccountsTest, _ account: UUID, _ template: String, _ values: [String: String])
        async throws
    {
        _ = try await test.service.rpc(as: "track4run").call(
            Accounts.Notify.self,
            .init(id: .random(), accountID: account, template: template, values: values, email: true))
    }

    private func devicesInInbox(_ test: AccountsTest, _ who: LoggedIn) async throws -> Int? {
        try await test.send(.get, "/inbox", token: who.token).json["messages"]?.items.count {
            $0["template"]?.text == "device-paired"
        }
    }

    @Test("ACC-17b: People choose by kind and way; each message comes as chosen")
    func choosing() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await test.deliver()
            for (choice, inbox, mails) in [
                (#""inbox":true,"mail":false"#, 1, 0), (#""inbox":false,"mail":true"#, 1, 1),
                (#""inbox":false,"mail":false"#, 1, 1), (#""inbox":true,"mail":true"#, 2, 2),
            ] {
                let body = "{\"choices\":[{\"kind\":\"devices\",\(choice)}]}"
                #expect(try await test.send(.patch, "/me/notifications", token: anna.token, body).status == 200)
                try await notify(test, anna.account, "device-paired", ["device": "x"])
                try await test.deliver()
                #expect(try await devicesInInbox(test, anna) == inbox, "\(choice)")
                #expect(
                    test.settings.mailbox.messages.filter { $0.subject.contains("«x»") }.count == mails, "\(choice)")
            }
            let own = try await test.send(.get, "/me/notifications", token: anna.token).json["choices"]?.items
            #expect(own?.map { $0["kind"]?.text } == NotificationKind.allCases.map(\.rawValue))
            #expect(
                own?.filter { $0["is_required"]?.flag == true }.map { $0["kind"]?.text } == ["account", "emergencies"])
        }
    }

    @Test("ACC-17b: What safety requires comes in every way; nobody chooses what the account never gets")
    func required() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let company = try await test.company()
            for (who, kind, code) in [
                (anna, "account", "required"), (anna, "emergencies", "required"), (company, "runs", "invalid-value"),
                (company, "health", "invalid-value"),
            ] {
                let body = "{\"choices\":[{\"kind\":\"\(kind)\",\"inbox\":true,\"mail\":false}]}"
                let answer = try await test.send(.patch, "/me/notifications", token: who.token, body)
                #expect(answer.status == 422 && answer.code == code, "\(kind)")
            }
            let body = #"{"choices":[{"kind":"requests","inbox":true,"mail":false}]}"#
            #expect(try await test.send(.patch, "/me/notifications", token: company.token, body).status == 200)
            let own = try await test.send(.get, "/me/notifications", token: company.token).json["choices"]?.items
            #expect(own?.map { $0["kind"]?.text } == ["account", "requests"])
        }
    }

    @Test("ACC-17b: Every message has a kind, and each kind has messages")
    func kinds() {
        let kinds = Dictionary(grouping: MessageCatalogue.names, by: MessageCatalogue.kind)
        #expect(Set(kinds.keys) == Set(NotificationKind.allCases))
        #expect(kinds[.emergencies]?.contains("incident-opened") == true)
        #expect(kinds[.devices]?.contains("device-silent") == true)
    }
}

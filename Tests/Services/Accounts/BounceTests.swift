import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Security
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct BounceTests {
    /// As Postfix writes it.
    private static func report(action: String = "failed", status: String = "5.1.1") -> String {
        """
        Return-Path: <>
        Date: Sat, 21 Nov 2026 02:18:00 +0000 (UTC)
        From: MAILER-DAEMON@relay.example (Mail Delivery System)
        Subject: Undelivered Mail Returned to Sender
        Auto-Submitted: auto-replied
        MIME-Version: 1.0
        Content-Type: multipart/report; report-type=delivery-status;
        \tboundary="9B1C2.1795227474/relay.example"

        This is a MIME-encapsulated message.

        --9B1C2.1795227474/relay.example
        Content-Description: Notification
        Content-Type: text/plain; charset=us-ascii

        I'm sorry. Action: failed

        --9B1C2.1795227474/relay.example
        Content-Description: Delivery report
        Content-Type: message/delivery-status

        Reporting-MTA: dns; relay.example
        Arrival-Date: Sat, 21 Nov 2026 02:17:54 +0000 (UTC)

        Final-Recipient: rfc822; anna@example.org
        Action: \(action)
        Status: \(status)
        Diagnostic-Code: smtp; 550 5.1.1 <anna@example.org>: Recipient address
            rejected: User unknown

        --9B1C2.1795227474/relay.example
        Content-Description: Undelivered Message
        Content-Type: message/rfc822

        Subject: x
        Content-Type: message/delivery-status

        Action: delivered
        Status: 2.0.0

        --9B1C2.1795227474/relay.example--
        """
    }

    /// As Exchange and Gmail write it: other line ends, other cases, several recipients, a status with a comment.
    private static let other = """
        Content-Type: MULTIPART/REPORT; boundary=abc; Report-Type="delivery-status"

        --abc
        content-type: message/delivery-status

        reporting-mta: dns;x

        FINAL-RECIPIENT: RFC822; b@example.org
        ACTION: delayed
        STATUS: 4.4.1

        Final-Recipient: rfc822;a@example.org
        Action: FAILED
        Status: 5.2.1 (disabled)
        """.replacing("\n", with: "\r\n")

    @Test("ACC-17: Delivery reports of several agents are read, also wrapped and cut off (RFC 3464)")
    func reading() throws {
        #expect(try DeliveryReport(Array(Self.report().utf8))?.failure == "5.1.1")
        let two = try #require(try DeliveryReport(Array(Self.other.utf8)))
        #expect(two.recipients.map(\.action) == ["delayed", "failed"] && two.failure == "5.2.1")
        #expect(try DeliveryReport(Array(Self.report(action: "delayed", status: "4.4.1").utf8))?.failure == nil)
        let wrapped = "Content-Type: message/rfc822\n\n" + Self.report()
        #expect(try DeliveryReport(Array(wrapped.utf8))?.failure == "5.1.1")
        #expect(try DeliveryReport(Array("Subject: Out of office\n\nAction: failed\nStatus: 5.1.1".utf8)) == nil)
        #expect(try DeliveryReport([]) == nil)
        #expect(throws: DeliveryReport.Mistake.incomplete) {
            try DeliveryReport(Array(Self.report(status: "no").utf8))
        }
        #expect(throws: DeliveryReport.Mistake.tooLarge) {
            try DeliveryReport([UInt8](repeating: 65, count: DeliveryReport.bytesMax + 1))
        }
        let nested = String(repeating: "Content-Type: message/rfc822\n\n", count: 10)
        #expect(throws: DeliveryReport.Mistake.tooDeep) { try DeliveryReport(Array(nested.utf8)) }
        let many = "Content-Type: multipart/mixed; boundary=a\n\n" + String(repeating: "--a\n\nx\n", count: 100)
        #expect(throws: DeliveryReport.Mistake.tooDeep) { try DeliveryReport(Array(many.utf8)) }
    }

    @Test("ACC-17: Reports cut anywhere, or with any byte changed, are read or refused")
    func damaged() {
        let bytes = Array(Self.report().utf8)
        for end in stride(from: 0, to: bytes.count, by: 7) { _ = try? DeliveryReport(Array(bytes[..<end])) }
        for place in stride(from: 0, to: bytes.count, by: 3) {
            var changed = bytes
            changed[place] = UInt8(truncatingIfNeeded: place &* 31)
            _ = try? DeliveryReport(changed)
        }
    }

    @Test("ACC-17: A report counts only with the address of a mail that was sent; others cannot be made up")
    func returnPath() throws {
        let key = SecretKey.random()
        let path = ReturnPath(address: EmailAddress("bounces@trackme.example"), indexKey: key)
        let (mail, sender) = (UUID.random(), try #require(EmailAddress("no-reply@trackme.example")))
        let address = try path.address(of: mail, from: sender).description
        #expect(path.mail(address) == mail && path.mail(address.uppercased()) == mail)
        #expect(address.prefix { $0 != "@" }.utf8.count <= 64)
        let another = try path.address(of: .random(), from: sender).description
        let others: [String] = [
            String(another.prefix(40)) + String(address.dropFirst(40)), "bounces@trackme.example",
            "bounces+1.2@trackme.example", address.replacing("trackme", with: "other"), String(address.dropLast(1)), "",
        ]
        for other in others { #expect(path.mail(other) == nil, "\(other)") }
        #expect(ReturnPath(address: EmailAddress("bounces@trackme.example"), indexKey: .random()).mail(address) == nil)
        let none = ReturnPath(address: nil, indexKey: key)
        #expect(try none.address(of: mail, from: sender) == sender && none.mail(address) == nil)
    }

    private func take(_ test: AccountsTest, _ report: String, to address: String) async throws -> BounceCommand.Outcome
    {
        let capabilities = try test.capabilities
        return try await BounceCommand.take(
            Array(report.utf8), to: address, capabilities.store, capabilities.mail.returnPath)
    }

    private func notify(_ test: AccountsTest, _ account: UUID, _ template: String) async throws {
        let values = ["time": "2026-05-01T08:00:09Z", "cause": "heart-rate", "device": "x"]
        _ = try await test.service.rpc(as: "dispatcher").call(
            Accounts.Notify.self,
            .init(id: .random(), accountID: account, template: template, values: values, email: true))
    }

    @Test(
        "ACC-17: Mail that comes back marks the address: only what matters is sent there, and the person can try it again"
    )
    func marked() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await notify(test, anna.account, "device-paired")
            try await test.deliver()
            let address = try #require(test.settings.mailbox.messages.last).returnPath.description
            #expect(try await take(test, Self.report(action: "delayed", status: "4.4.1"), to: address) == .notFailed)
            #expect(try await take(test, Self.report(), to: "bounces+1.2@trackme.example") == .notOurs)
            #expect(try await take(test, "Subject: away\n\n", to: address) == .noReport)
            #expect(try await test.send(.get, "/me", token: anna.token).json["email_undeliverable_since"] == nil)
            for _ in 0..<2 { #expect(try await take(test, Self.report(), to: address) == .recorded) }
            #expect(try await test.send(.get, "/me", token: anna.token).json["email_undeliverable_since"]?.text != nil)
            let told = try await test.send(.get, "/inbox", token: anna.token).json["messages"]?.items
            #expect(told?.filter { $0["template"]?.text == "email-undeliverable" }.count == 1)

            let before = test.settings.mailbox.messages.count
            try await notify(test, anna.account, "device-paired")
            try await notify(test, anna.account, "incident-opened")
            try await test.deliver()
            #expect(test.settings.mailbox.messages.dropFirst(before).map(\.subject) == ["Emergenza rilevata"])
            // It is not sent later either, but stands in the inbox.
            #expect(
                try await test.database.queryOne("select count(*) from mail where sent_at is null", as: Int.self) == 0)

            #expect(try await test.send(.post, "/me/email-trial", token: anna.token).status == 202)
            #expect(try await test.send(.post, "/me/email-trial", token: anna.token).status == 429)
            try await notify(test, anna.account, "device-paired")
            #expect(try await test.deliver() == 2)
            #expect(try await test.send(.get, "/me", token: anna.token).json["email_undeliverable_since"] == nil)
        }
    }

    @Test(
        "ACC-17: An address that the relay refuses is marked, and its mail is not tried again; a parent's marks nobody")
    func refused() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await test.deliver()
            test.settings.mailbox.refuse("5.1.1")
            try await notify(test, anna.account, "device-paired")
            #expect(try await test.deliver() == 0)
            #expect(try await test.send(.get, "/me", token: anna.token).json["email_undeliverable_since"]?.text != nil)
            #expect(
                try await test.database.queryOne("select count(*) from mail where sent_at is null", as: Int.self) == 0)
            #expect(try await test.register(.child(years: 12, parent: TestPerson(number: 3))).status == 202)
            try await test.database.execute("delete from mail where sent_at is null and address is null")
            #expect(try await test.deliver() == 0)
            #expect(
                try await test.database.queryOne(
                    "select count(*) from account where undeliverable_since is not null", as: Int.self) == 1)
            test.settings.mailbox.refuse(nil)
        }
    }
}

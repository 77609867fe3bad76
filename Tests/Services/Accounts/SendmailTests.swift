import Domain
import Glibc
import JSON
import Primitives
import Reactor
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct SendmailTests {
    private func message(_ body: String = "Ciao\n.\n.punto\nfine") throws -> MailMessage {
        MailMessage(
            id: UUID(high: 1, low: 2), date: try #require(Timestamp("2026-11-21T02:17:54Z")),
            from: MailAddress(name: "TrackMe", address: try #require(EmailAddress("no-reply@trackme.example"))),
            returnPath: try #require(EmailAddress("bounces+1.2@trackme.example")),
            to: try #require(EmailAddress("anna@example.org")), subject: "Ciao", body: body, html: "<p>Ciao</p>",
            language: .italian)
    }

    /// A carrier through msmtp, with a relay on this machine.
    private func carrier(_ port: UInt16, _ body: (SendmailCarrier) async throws -> Void) async throws {
        let path = "/tmp/trackme-msmtprc-\(UUID.random())"
        let text = "account default\nhost 127.0.0.1\nport \(port)\ntls off\ntimeout 20\n"
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
        defer { unlink(path) }
        let carrier = try SendmailCarrier(program: ["/usr/bin/msmtp", "-C", path])
        try await body(carrier)
        carrier.close()
    }

    /// A carrier through a script.
    private func deliver(through script: String, timeMax: Duration = .seconds(30)) async throws {
        let carrier = try SendmailCarrier(program: ["/bin/sh", "-c", script, "sendmail"], timeMax: timeMax)
        defer { carrier.close() }
        try await carrier.deliver(try message())
    }

    @Test(
        "ACC-17: Mail leaves through msmtp as it is, for the recipient of the envelope, with the sender that reports go to"
    )
    func relay() async throws {
        let relay = try SMTPServer()
        try await carrier(relay.port) { carrier in
            try await relay.serve { for _ in 0..<2 { try await carrier.deliver(try message()) } }
        }
        #expect(relay.mails.count == 2)
        let mail = try #require(relay.mails.first)
        #expect(mail.sender == "bounces+1.2@trackme.example" && mail.recipient == "anna@example.org")
        #expect(Array(mail.content.utf8) == (try message()).bytes.filter { $0 != 0x0d })
    }

    @Test(
        "ACC-17: What a relay refuses for good because of the address is not tried again; all else is",
        arguments: [
            ("RCPT", "550 5.1.1 no such user anna@example.org", "5.1.1"), ("RCPT", "550 no mailbox", "550"),
            ("RCPT", "552-5.2.2 mailbox full", "5.2.2"), ("RCPT", "450 4.2.0 greylisted", nil),
            ("RCPT", "554 5.7.1 relay access denied", nil), ("MAIL", "550 5.1.8 bad sender", nil),
            (".", "554 5.7.1 looks like spam", nil), (".", "451 4.3.0 later", nil),
        ])
    func refusals(_ command: String, _ reply: String, _ status: String?) async throws {
        let relay = try SMTPServer()
        relay.answer(command, reply.replacing("552-", with: "552 "))
        try await carrier(relay.port) { carrier in
            try await relay.serve {
                do {
                    try await carrier.deliver(try message())
                    Issue.record("it was taken")
                } catch let refusal as AddressRefusal {
                    #expect(refusal.status == status)
                } catch let failure as SendmailCarrier.Failure {
                    #expect(status == nil, "\(failure)")
                    #expect(!failure.description.contains("anna@example.org"))
                }
            }
        }
        #expect(relay.mails.isEmpty)
    }

    @Test("ACC-17: A relay that is away, a program that hangs or is gone, and its own exit statuses are told apart")
    func programs() async throws {
        let relay = try SMTPServer()
        let port = relay.port
        _ = try await relay.serve {}
        try await carrier(port) { carrier in
            await #expect(throws: SendmailCarrier.Failure.self) { try await carrier.deliver(try message()) }
        }
        await #expect(throws: Program.Failure.timedOut) {
            try await deliver(through: "sleep 1000", timeMax: .milliseconds(200))
        }
        await #expect(throws: AddressRefusal.self) { try await deliver(through: "cat >/dev/null; exit 67") }
        await #expect(throws: SendmailCarrier.Failure.self) { try await deliver(through: "exit 75") }
        try await deliver(through: #"test "$*" = "-i -f bounces+1.2@trackme.example -- anna@example.org""#)
        let gone = try SendmailCarrier(program: ["/no/such/sendmail"])
        await #expect(throws: Program.Failure.system("starting /no/such/sendmail", ENOENT)) {
            try await gone.deliver(try message())
        }
        gone.close()
    }

    @Test(
        "Settings of mail: a folder or a program, which can be run and has a sender",
        arguments: [
            (#""mail_directory":"/tmp","mail_program":["/bin/true"]"#, "exactly one"), ("", "exactly one"),
            (#""mail_program":["sendmail"],"mail_from":"a@example.org""#, "begins with the path"),
            (#""mail_program":["/bin/true"]"#, "needs mail_from"),
            (#""mail_program":["/bin/true"],"mail_from":"a@example.org","mails_max":3"#, "mails_max"),
            (#""mail_directory":"/tmp","mail_bounces":"delivery-reports@example.org""#, "at most 14"),
            (#""mail_program":["/bin/true"],"mail_from":"a@example.org","mail_bounces":"bounces@example.org""#, nil),
        ])
    func settings(_ members: String, _ mistake: String?) throws {
        let keystore = DatabaseSettings.text(schema: "keys")
        let text =
            "{\"keystore\":\(keystore),\"signing_key_file\":\"/tmp/none\"\(members.isEmpty ? "" : ",")\(members)}"
        let settings = try JSONDecoder().decode(AccountsSettings.self, from: Array(text.utf8))
        var said: String?
        do throws(ConfigurationError) { try settings.checkMail() } catch { said = error.description }
        #expect(said.map { $0.contains(mistake ?? "nothing") } ?? (mistake == nil))
    }
}

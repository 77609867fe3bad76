import Domain
import Glibc
import Primitives
import SuiteClient
import Testing

@Suite("Mail")
struct MailTests {
    private static let mail = [
        "Date: Sat, 21 Nov 2026 02:00:00 +0000", "To: anna.rossi@example.org", "Subject: Conferma",
        " il tuo indirizzo", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable",
        "", "Perch=C3=A9 no? Apri", "", "http://127.0.0.1:8080/confirm#AbC-123=", "_xyz", "",
        "a =3D b",
    ].joined(separator: "\r\n")

    @Test("folded fields and quoted-printable text are read")
    func parsing() {
        let mail = Mail(Array(Self.mail.utf8))
        #expect(mail.recipient == "anna.rossi@example.org")
        #expect(mail.fields["subject"] == "Conferma il tuo indirizzo")
        #expect(mail.text.contains("Perché no? Apri"))
        #expect(mail.text.contains("a = b"))
    }

    @Test("a link that was wrapped is whole again")
    func link() {
        let link = Mail(Array(Self.mail.utf8)).link(containing: "/confirm#")
        #expect(link == "http://127.0.0.1:8080/confirm#AbC-123_xyz")
        #expect(Mail(Array(Self.mail.utf8)).link(containing: "/passwords/") == nil)
    }

    @Test("a mailbox gives the mails to one address, and no old ones")
    func mailbox() throws {
        var template = Array("/tmp/trackme-mail-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
        try #require(made)
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            for name in File.names(in: "\(directory)/new") { unlink("\(directory)/new/\(name)") }
            rmdir("\(directory)/new")
            rmdir(directory)
        }
        mkdir("\(directory)/new", 0o700)
        for second in [100, 2000, 2001] { try File.write(Self.mail, to: "\(directory)/new/\(second).id.trackme") }
        try File.write("To: other@example.org\r\n\r\nHello", to: "\(directory)/new/2002.id.trackme")
        let mailbox = Mailbox(directory: directory, since: Timestamp(milliseconds: 2_000_000))
        #expect(try mailbox.mails(to: EmailAddress("Anna.Rossi@example.org")!).count == 2)
    }
}

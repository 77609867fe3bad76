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

    private static let html = "PHA+UXVlc3RvIG5vPC9wPg=="

    @Test("of a mail in parts the plain text is read, whatever its transfer encoding and charset, also further in")
    func parts() {
        let plain = [
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nCom=C3=A8=\r\n? =3D bene",
            "content-type: TEXT/PLAIN; charset=\"UTF-8\"\r\ncontent-transfer-encoding: BASE64\r\n\r\nQ29tw6g/ID0g\r\nYmVuZQ==",
            "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nCom=E8? =3D bene",
            "Content-Type: text/plain;\r\n charset=ISO-8859-1\r\nContent-Transfer-Encoding: base64\r\n\r\nQ29t6D8gPSBiZW5l",
            "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nComè? = bene",
            "\r\nComè? = bene",
            "Content-Type: multipart/related; boundary=\"=_b; 2\"\r\n\r\n--=_b; 2\r\n\r\nComè? = bene\r\n--=_b; 2--\r\nNo",
        ]
        for part in plain {
            let text = """
                To: anna.rossi@example.org\r
                Content-Type: multipart/alternative;\r
                 boundary="=_b"\r
                \r
                For old programs.\r
                --=_b\r
                Content-Type: text/html; charset=utf-8\r
                Content-Transfer-Encoding: base64\r
                \r
                \(Self.html)\r
                --=_b \r
                \(part)\r
                --=_b--\r
                Nothing that counts.
                """
            let mail = Mail(Array(text.utf8))
            #expect(mail.recipient == "anna.rossi@example.org")
            #expect(mail.text.split(separator: "\n") == ["Comè? = bene"], "\(part)")
        }
    }

    @Test("a mail without plain text has none, and one that is cut off or goes in too deep is no crash")
    func withoutText() {
        let parts = "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        let html = "--b\r\nContent-Type: text/html\r\n\r\n<p>No</p>\r\n"
        #expect(Mail(Array("\(parts)\(html)--b--\r\n".utf8)).text.isEmpty)
        #expect(Mail(Array(parts.utf8)).text.isEmpty && Mail([]).text.isEmpty)
        #expect(Mail(Array("\(parts)\(html)--b\r\n\r\nBegun".utf8)).text == "Begun")
        let deep = (0..<1000).map { "Content-Type: multipart/mixed; boundary=\($0)\r\n\r\n--\($0)\r\n" }.joined()
        #expect(Mail(Array(deep.utf8)).text.isEmpty)
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

import Domain
import Glibc
import Primitives
import Reactor
import Testing

@testable import Accounts

@Suite struct MailTests {
    private func message(
        subject: String = "Perché è così?", body: String = "Città = bella\nfine ", seconds: Int = 0
    ) throws -> MailMessage {
        MailMessage(
            id: UUID(high: 1, low: 2), date: try #require(Timestamp("2026-11-21T02:17:54Z")) + .seconds(seconds),
            from: MailAddress(name: "TrackMe", address: try #require(EmailAddress("no-reply@trackme.example"))),
            returnPath: try #require(EmailAddress("bounces@trackme.example")),
            to: try #require(EmailAddress("anna@example.org")), subject: subject, body: body,
            html: MailHTML.document(title: subject, body, links: "http://127.0.0.1:8100/", .italian), language: .italian
        )
    }

    @Test("ACC-17: A mail has the header of RFC 5322 and MIME, and lines that end with CR LF")
    func header() throws {
        let text = String(decoding: try message().bytes, as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.contains("Date: Sat, 21 Nov 2026 02:17:54 +0000"))
        #expect(lines.contains("From: TrackMe <no-reply@trackme.example>") && lines.contains("To: anna@example.org"))
        #expect(lines.contains("Message-ID: <00000000-0000-0001-0000-000000000002@trackme.example>"))
        #expect(lines.contains("Subject: =?utf-8?B?UGVyY2jDqSDDqCBjb3PDrD8=?="))
        #expect(lines.contains("Content-Language: it"))
        let boundary = "--=_00000000-0000-0001-0000-000000000002"
        #expect(lines.contains(" boundary=\"\(boundary.dropFirst(2))\""))
        // Text first: readers show the last part that they can (RFC 2046 section 5.1.4).
        let parts = lines.split(separator: boundary[...])
        #expect(parts.count == 3 && parts[2].suffix(2) == ["\(boundary)--", ""])
        #expect(parts[1].contains("Content-Type: text/plain; charset=utf-8"))
        #expect(parts[2].contains("Content-Type: text/html; charset=utf-8"))
        #expect(lines.contains("Citt=C3=A0 =3D bella") && lines.contains("fine=20"))
        #expect(!text.utf8.contains { $0 >= 0x80 } && lines.allSatisfy { $0.utf8.count <= 78 })
    }

    @Test("ACC-17: The text as HTML has links of our own as buttons, and what people wrote as text")
    func html() throws {
        let text = """
            «<b onclick="x">Rossi & C.</b>» chiede
            i tuoi dati.

            http://127.0.0.1:8100/confirm#abc

            https://evil.example/confirm#abc
            """
        let html = MailHTML.document(title: "<i>", text, links: "http://127.0.0.1:8100/", .italian)
        #expect(html.contains("«&lt;b onclick=&quot;x&quot;&gt;Rossi &amp; C.&lt;/b&gt;» chiede\ni tuoi dati."))
        #expect(html.contains("<title>&lt;i&gt;</title>") && html.contains("<html lang=\"it\">"))
        #expect(html.contains("<a href=\"http://127.0.0.1:8100/confirm#abc\""))
        #expect(html.split(separator: "<a ").count == 2 && !html.contains("src="))
    }

    @Test("ACC-17: No value can add a line to the header")
    func injection() throws {
        let template = MessageTemplate("test", italian: .init("{x}", ""), english: .init("{x}", ""))
        let subject = template.filled(["x": "a\r\nBcc: b@example.org"], in: try MessageFormats().format(.italian))
            .subject
        #expect(subject == "a  Bcc: b@example.org" || subject == "a Bcc: b@example.org")
        let header = String(decoding: try message(subject: subject).bytes, as: UTF8.self)
        #expect(!header.contains("\nBcc"))
    }

    @Test("ACC-17: Long lines are broken softly and read back the same (RFC 2045)", arguments: [70, 75, 76, 77, 200])
    func quotedPrintable(_ length: Int) {
        for letter in ["a", "è", "=", " "] {
            let text = String(repeating: letter, count: length) + "."
            let encoded = String(decoding: QuotedPrintable.encode(text), as: UTF8.self)
            let lines = encoded.split(separator: "\r\n", omittingEmptySubsequences: false)
            #expect(lines.allSatisfy { $0.utf8.count <= 76 } && lines.last == "")
            #expect(decoded(encoded) == text)
        }
    }

    private func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            let pair = String(decoding: rest.prefix(2), as: UTF8.self)
            rest = rest.dropFirst(2)
            if pair != "\r\n" { bytes.append(UInt8(pair, radix: 16)!) }
        }
        return String(String(decoding: bytes, as: UTF8.self).dropLast())
    }

    @Test("ACC-17: Subjects beyond ASCII become encoded words of at most 75 characters that split no letter (RFC 2047)")
    func encodedWords() {
        #expect(EncodedWords.subject("Plain") == "Plain")
        #expect(EncodedWords.subject("=?utf-8?B?eA==?=") != "=?utf-8?B?eA==?=")
        let subject = String(repeating: "è", count: 100)
        let words = EncodedWords.subject(subject).split(separator: "\r\n ")
        #expect(words.allSatisfy { $0.utf8.count <= 75 })
        let bytes = words.flatMap { Base64.standard.decode($0.dropFirst(10).dropLast(2)) ?? [] }
        #expect(String(validating: bytes, as: UTF8.self) == subject)
    }

    @Test("ACC-17: In development mail is a file each in a folder; delivering it again replaces it")
    func maildir() async throws {
        let path = "/tmp/trackme-mail-\(UUID.random())"
        #expect(mkdir(path, 0o700) == 0)
        let maildir = try Maildir("\(path)/mail")
        for _ in 0..<2 { try await maildir.deliver(try message()) }
        let name = "1795227474.00000000-0000-0001-0000-000000000002.trackme"
        let file = "\(path)/mail/new/\(name)"
        #expect(access(file, R_OK) == 0 && access("\(path)/mail/tmp/\(name)", R_OK) != 0)
        var status = stat()
        #expect(stat(file, &status) == 0)
        let size = try message().bytes.count
        #expect(Int(status.st_size) == size)
        #expect(status.st_mode & 0o777 == 0o600)
        unlink(file)
        for folder in ["/mail/new", "/mail/tmp", "/mail/cur", "/mail", ""] { rmdir(path + folder) }
        await #expect(throws: Maildir.Failure.self) { try await maildir.deliver(try message()) }
    }

    @Test("ACC-17: In development the newest mails stay, and files of others")
    func newestMails() async throws {
        let path = "/tmp/trackme-mail-\(UUID.random())"
        let maildir = try Maildir(path, mailsMax: 2)
        let id = "00000000-0000-0001-0000-000000000002"
        let other = "\(path)/new/1.other"
        close(open(other, O_WRONLY | O_CREAT, 0o600))
        // The last one was written earlier, and could not be delivered until now.
        for seconds in [3, 1, 2, 0] { try await maildir.deliver(try message(seconds: seconds)) }
        let files = (0...3).map { "\(path)/new/\(1_795_227_474 + $0).\(id).trackme" }
        #expect(files.map { access($0, R_OK) == 0 } == [false, false, true, true])
        #expect(access(other, R_OK) == 0)
        for file in files + [other] { unlink(file) }
        for folder in ["/new", "/tmp", "/cur", ""] { rmdir(path + folder) }
    }
}

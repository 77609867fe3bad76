import Domain
import Primitives

/// A mail of text and the same as HTML (RFC 5322, RFC 2045 to 2047).
struct MailMessage: Sendable {
    let id: UUID
    let date: Timestamp
    let from: MailAddress
    /// Where delivery reports go: the envelope's sender.
    let returnPath: EmailAddress
    let to: EmailAddress
    let subject: String
    let body: String
    let html: String
    let language: Language

    /// The same for every delivery of this mail.
    var messageID: String { "<\(id)@\(from.domain)>" }

    /// Stands in no line of a part: quoted-printable has no `=_`.
    private var boundary: String { "=_\(id)" }

    /// The message with its header, in lines that end with CR LF.
    var bytes: [UInt8] {
        let header = [
            "Date: \(MailDate.text(date))",
            "From: \(from.header)",
            "To: \(to)",
            "Message-ID: \(messageID)",
            "Subject: \(EncodedWords.subject(subject))",
            "MIME-Version: 1.0",
            "Content-Type: multipart/alternative;", " boundary=\"\(boundary)\"",
            "Content-Language: \(language.rawValue)",
            // Keeps automatic replies, such as holiday notices, from being sent (RFC 3834).
            "Auto-Submitted: auto-generated",
        ]
        return Self.lines(header + [""]) + part("text/plain", body) + part("text/html", html)
            + Self.lines(["--\(boundary)--"])
    }

    private func part(_ type: String, _ text: String) -> [UInt8] {
        Self.lines([
            "--\(boundary)", "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
        ]) + QuotedPrintable.encode(text)
    }

    private static func lines(_ lines: [String]) -> [UInt8] { lines.flatMap { Array($0.utf8) + [0x0d, 0x0a] } }
}

import Domain
import Primitives

/// A mail of plain text (RFC 5322, RFC 2045 to 2047).
struct MailMessage: Sendable {
    let id: UUID
    let date: Timestamp
    let from: MailAddress
    let to: EmailAddress
    let subject: String
    let body: String
    let language: Language

    /// The same for every delivery of this mail.
    var messageID: String { "<\(id)@\(from.domain)>" }

    /// The message with its header, in lines that end with CR LF.
    var bytes: [UInt8] {
        let header = [
            "Date: \(MailDate.text(date))",
            "From: \(from.header)",
            "To: \(to)",
            "Message-ID: \(messageID)",
            "Subject: \(EncodedWords.subject(subject))",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
            "Content-Language: \(language.rawValue)",
            // Keeps automatic replies, such as holiday notices, from being sent (RFC 3834).
            "Auto-Submitted: auto-generated",
        ]
        var bytes: [UInt8] = []
        for line in header { bytes += Array(line.utf8) + [0x0d, 0x0a] }
        return bytes + [0x0d, 0x0a] + QuotedPrintable.encode(body)
    }
}

import Domain
import Glibc
import Reactor

/// Hands mail to a mail transfer agent through the interface of `sendmail`, which msmtp, Postfix, Exim and others have: the message
/// as input, sender and recipient as arguments, the outcome as exit status.
struct SendmailCarrier: MailCarrier {
    /// Programs that run at once.
    static let programsMax = MailSender.urgentMax + MailSender.ordinaryMax
    /// Longer no handing over takes; the program is killed then, and the mail tried again.
    static let timeMax = Duration.seconds(60)

    /// It has not taken the mail, which may pass.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Path and first arguments of the program.
    let program: [String]
    private let timeMax: Duration
    private let pool: BlockingPool

    init(program: [String], timeMax: Duration = timeMax) throws(IOError) {
        self.program = program
        self.timeMax = timeMax
        pool = try BlockingPool(threads: Self.programsMax, queueMax: Self.programsMax)
    }

    func deliver(_ message: MailMessage) async throws {
        // The recipient is never read from the header; a dot alone in a line ends nothing.
        let words = program + ["-i", "-f", message.returnPath.description, "--", message.to.description]
        let input = message.bytes.filter { $0 != 0x0d }
        let run = Program(words, timeMax: timeMax)
        let outcome = try await pool.run { run.run(input: input) }.get()
        if outcome.exitStatus == EX_OK { return }
        if let status = Self.refusedAddress(outcome) { throw AddressRefusal(status: status) }
        let end = outcome.exitStatus.map { "exit status \($0)" } ?? "a signal"
        throw Failure(description: "\(end): \(Self.said(outcome.complaint, hiding: message.to.description))")
    }

    func close() { pool.shutdown() }

    /// The status code with which the address was refused for good: by the exit status, or as msmtp tells what the relay said.
    /// Whatever else a relay refuses may be the relay's or the configuration's fault, and is tried again.
    static func refusedAddress(_ outcome: Program.Outcome) -> String? {
        if outcome.exitStatus == EX_NOUSER { return "5.1.1" }
        let lines = outcome.complaint.split(separator: "\n")
        let reply = "msmtp: server message: "
        guard lines.contains(where: { $0.hasPrefix("msmtp: recipient address ") }),
            let line = lines.first(where: { $0.hasPrefix(reply) })
        else { return nil }
        let words = line.dropFirst(reply.count).split { $0 == " " || $0 == "-" }
        guard let code = words.first, code.hasPrefix("5") else { return nil }
        guard let enhanced = words.dropFirst().first, enhanced.hasPrefix("5."),
            enhanced.allSatisfy({ $0 == "." || $0.isNumber })
        else { return ["550", "551", "553"].contains(code) ? String(code) : nil }
        // 5.7: a policy, which may be about us.
        return enhanced.hasPrefix("5.1.") || enhanced.hasPrefix("5.2.") ? String(enhanced) : nil
    }

    /// The complaint in one line, without the address.
    private static func said(_ complaint: String, hiding address: String) -> String {
        complaint.split { $0.isNewline }.joined(separator: "; ").replacing(address, with: "<address>")
    }
}

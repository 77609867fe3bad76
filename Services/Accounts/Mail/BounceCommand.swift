import Glibc
import Service

/// `trackme-accounts bounce RECIPIENT`: takes a delivery report from a mail transfer agent.
enum BounceCommand {
    static let name = "bounce"
    static let summary =
        "RECIPIENT: takes a delivery report (RFC 3464) as input, as a mail transfer agent pipes it, with the address that it was sent to"

    /// What was made of a report.
    enum Outcome: String, Sendable {
        case recorded = "The address is marked: mail to it comes back."
        case notFailed = "The mail is delayed or delivered; nothing is marked."
        case noReport = "This is no delivery report; nothing is marked."
        case unknownMail = "The mail is not known here, or no longer; nothing is marked."
        case notOurs = "The address is none that delivery reports of this deployment go to; nothing is marked."
    }

    static func run(_ arguments: [String], _ store: Store, _ returnPath: ReturnPath) async throws {
        guard arguments.count == 1 else {
            throw CommandMistake(description: "Say bounce RECIPIENT, with the report as input.")
        }
        Console.say(try await take(try input(), to: arguments[0], store, returnPath).rawValue)
    }

    /// Errors: `DeliveryReport.Mistake`.
    static func take(
        _ message: [UInt8], to recipient: String, _ store: Store, _ returnPath: ReturnPath
    ) async throws -> Outcome {
        guard let mail = returnPath.mail(recipient) else { return .notOurs }
        guard let report = try DeliveryReport(message) else { return .noReport }
        guard let status = report.failure else { return .notFailed }
        return try await Undeliverable(store: store).record(mail, status: status) ? .recorded : .unknownMail
    }

    private static func input() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= DeliveryReport.bytesMax {
            let count = read(0, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CommandMistake(description: "The input cannot be read: \(errno).") }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}

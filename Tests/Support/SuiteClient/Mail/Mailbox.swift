public import Domain
public import Primitives

/// The folder that development delivers mail into: one file per mail in `new`, named by the second it was written.
public struct Mailbox: Sendable {
    /// How long mail may take.
    public static let deliveryMax: Duration = .seconds(10)
    private static let mailBytesMax = 1 << 20

    let directory: String
    /// Older mail is not read.
    let since: Timestamp

    public init(directory: String, since: Timestamp = .now()) {
        self.directory = "\(directory)/new"
        self.since = since
    }

    /// The mails to an address, oldest first. Errors: `local`.
    public func mails(to address: EmailAddress) throws(SuiteError) -> [Mail] {
        let earliest = since.milliseconds / 1000 - 1
        var mails: [Mail] = []
        for name in File.names(in: directory) {
            guard let second = name.split(separator: ".").first.flatMap({ Int64($0) }), second >= earliest else {
                continue
            }
            let mail = Mail(try File.read("\(directory)/\(name)", bytesMax: Self.mailBytesMax))
            if EmailAddress(mail.recipient) == address { mails.append(mail) }
        }
        return mails
    }

    /// Waits for a mail to `address` with a link that contains `part`; of several the newest. Errors: `unexpected` when none comes, `local`.
    public func link(
        to address: EmailAddress, containing part: String, within time: Duration = deliveryMax
    ) async throws(SuiteError) -> String {
        try await eventually("No mail with a link (\(part)) came for \(address)", within: time) {
            () throws(SuiteError) in
            try mails(to: address).lazy.compactMap { $0.link(containing: part) }.last
        }
    }
}

/// Takes mail away: into a folder in development, to a mail transfer agent otherwise.
protocol MailCarrier: Sendable {
    /// Returns when the mail is safe. Delivering one twice must do no harm beyond a second copy under the same
    /// Message-ID.
    func deliver(_ message: MailMessage) async throws
}

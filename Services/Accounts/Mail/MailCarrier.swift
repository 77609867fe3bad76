/// Delivers mail: into a folder in development, to a mail transfer agent otherwise.
protocol MailCarrier: Sendable {
    /// Returns after the mail is stored. Delivering it twice may only produce a second copy with the same Message-ID.
    func deliver(_ message: MailMessage) async throws
}

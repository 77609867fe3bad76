/// Delivers mail: into a folder in development, to a mail transfer agent otherwise.
protocol MailCarrier: Sendable {
    /// Returns after the mail is stored or handed over. Delivering it twice may only produce a second copy with the same
    /// Message-ID. Throws `AddressRefusal` when its address is none; whatever else it throws may pass.
    func deliver(_ message: MailMessage) async throws
}

/// The recipient's address is refused for good.
struct AddressRefusal: Error, CustomStringConvertible {
    /// The enhanced status code (RFC 3463) or the reply code, as `5.1.1`.
    let status: String

    var description: String { "the address is refused with \(status)" }
}

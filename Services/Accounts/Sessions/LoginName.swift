import Domain

/// The name typed at a log-in: an e-mail address, a fiscal code, or neither.
struct LoginName: Sendable {
    let email: EmailAddress?
    let fiscalCode: FiscalCode?
    /// One form for all spellings of a name.
    let normalized: String

    init(_ text: String) {
        email = EmailAddress(text)
        fiscalCode = FiscalCode(text)
        normalized = email?.normalized ?? fiscalCode?.description ?? text
    }
}

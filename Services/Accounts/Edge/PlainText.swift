import Domain

/// One line of text that people typed.
enum PlainText {
    /// Refuses a text that is invisible or too long, or has characters that make it read otherwise than it is stored
    /// (`TextLimits`).
    static func check(_ text: String, charactersMax: Int, at pointer: String) throws(Refusal) {
        guard let fault = TextLimits(charactersMax: charactersMax).fault(in: text) else { return }
        throw .invalid(pointer, fault.description)
    }
}

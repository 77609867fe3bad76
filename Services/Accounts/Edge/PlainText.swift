import Domain

/// One line of text that people typed.
enum PlainText {
    /// Refuses what nobody can see, too much, and characters that make a text read otherwise than it is (`TextLimits`).
    static func check(_ text: String, charactersMax: Int, at pointer: String) throws(Refusal) {
        guard let fault = TextLimits(charactersMax: charactersMax).fault(in: text) else { return }
        throw .invalid(pointer, fault.description)
    }
}

/// One line of text that people typed.
enum PlainText {
    /// Refuses nothing but blanks, too much, and control characters.
    static func check(_ text: String, charactersMax: Int, at pointer: String) throws(Refusal) {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .invalid(pointer, "This must not be empty.") }
        guard text.count <= charactersMax, text.utf8.count <= 8 * charactersMax else {
            throw .invalid(pointer, "At most \(charactersMax) characters fit here.")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .invalid(pointer, "Line breaks and control characters do not belong here.")
        }
    }
}

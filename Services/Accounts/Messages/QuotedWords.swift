/// Somebody else's words inside a message of TrackMe's: on one line, without quotation marks of their own that could end the
/// quotation, and with nothing that a mail program makes a link of. Readers see what was changed.
enum QuotedWords {
    static func text(_ words: String) -> String {
        var quoted: [Character] = []
        let characters = Array(oneLine(words))
        for (index, character) in characters.enumerated() {
            switch character {
            case "\"", "“", "”", "„", "‟", "«", "»", "＂": quoted.append("'")
            case "@", "＠": quoted += "[at]"
            case ":", "：":
                // `http://`, `mailto:`; not the colon of a time or of a sentence.
                let isScheme = index > 0 && characters[index - 1].isLetter && !isBlank(characters, index + 1)
                quoted += isScheme ? "[:]" : ":"
            case ".", "。", "．", "｡": quoted += isInName(characters, index) ? "[.]" : String(character)
            default: quoted.append(character)
            }
        }
        return String(quoted)
    }

    /// White space of every kind becomes one blank; control and direction characters, which older texts may hold, are left
    /// out.
    private static func oneLine(_ words: String) -> String {
        var line = String.UnicodeScalarView()
        var isBlank = false
        for scalar in words.unicodeScalars {
            let properties = scalar.properties
            if properties.isWhitespace {
                isBlank = !line.isEmpty
            } else if properties.generalCategory != .control, !properties.isBidiControl {
                if isBlank { line.append(" ") }
                isBlank = false
                line.append(scalar)
            }
        }
        return String(line)
    }

    /// Whether the dot at `index` stands in what looks like a host's name: after a letter or digit, and before two letters
    /// or more. `S.p.A.` and `3.5` stay.
    private static func isInName(_ characters: [Character], _ index: Int) -> Bool {
        guard index > 0, characters[index - 1].isLetter || characters[index - 1].isNumber,
            index + 2 < characters.count
        else { return false }
        return characters[index + 1].isLetter && (characters[index + 2].isLetter || characters[index + 2] == "-")
    }

    private static func isBlank(_ characters: [Character], _ index: Int) -> Bool {
        index >= characters.count || characters[index] == " "
    }
}

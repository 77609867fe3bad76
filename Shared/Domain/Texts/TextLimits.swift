/// What a text that people write may be: how long, how many lines, and only what others can read. Every text that a service
/// stores, shows to somebody else or sends has limits.
///
/// Refused everywhere: control characters, characters that turn the direction of writing (they make a text read otherwise
/// than it is stored), line separators of Unicode, and texts in which nothing is to be seen.
public struct TextLimits: Sendable, Hashable {
    public enum Lines: Sendable {
        case one
        /// Line breaks and tabs are allowed.
        case many
    }

    /// In Unicode code points, as `maxLength` of JSON Schema counts them.
    public let charactersMax: Int
    /// In UTF-8.
    public let bytesMax: Int
    public let lines: Lines

    /// Without `bytesMax` what so many characters take at most: four bytes each.
    public init(charactersMax: Int, bytesMax: Int? = nil, lines: Lines = .one) {
        self.charactersMax = charactersMax
        self.bytesMax = bytesMax ?? 4 * charactersMax
        self.lines = lines
    }

    /// Why the text is refused; `nil` when it may stand as it is.
    public func fault(in text: String) -> TextFault? {
        let scalars = text.unicodeScalars
        // Lengths first: they bound the work of the rest.
        guard text.utf8.count <= bytesMax else { return .tooManyBytes(max: bytesMax) }
        guard scalars.count <= charactersMax else { return .tooManyCharacters(max: charactersMax) }
        var isVisible = false
        for scalar in scalars {
            if Self.isLineBreak(scalar) {
                guard lines == .many else { return .lineBreak }
                guard scalar.value < 0x20 else { return .controlCharacter }
            } else if scalar.properties.generalCategory == .control {
                guard lines == .many, scalar == "\t" else { return .controlCharacter }
            } else if Self.turnsDirection(scalar) {
                return .directionCharacter
            }
            isVisible = isVisible || Self.isVisible(scalar)
        }
        return isVisible ? nil : .nothingVisible
    }

    /// A foreign word between quotation marks, for a message that says what is wrong with it; `nil` for one that is long or
    /// would not read as it is.
    public static func quoted(_ word: String) -> String? {
        TextLimits(charactersMax: 40).fault(in: word) == nil ? "\"\(word)\"" : nil
    }

    /// The text when it keeps within `bytesMax`, else its beginning, whole characters only, and an ellipsis.
    public static func shortened(_ text: String, bytesMax: Int) -> String {
        guard text.utf8.count > bytesMax else { return text }
        let ellipsis = "…"
        var kept = ""
        var room = bytesMax - ellipsis.utf8.count
        for character in text {
            room -= character.utf8.count
            guard room >= 0 else { break }
            kept.append(character)
        }
        return bytesMax < ellipsis.utf8.count ? "" : kept + ellipsis
    }

    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// The controls of the Unicode Bidirectional Algorithm (UAX #9) and their deprecated relatives.
    private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
        default: false
        }
    }

    /// Letters, digits, punctuation and symbols; what stands alone is not: marks, joiners, fillers, the empty Braille cell.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard !properties.isDefaultIgnorableCodePoint, scalar.value != 0x2800 else { return false }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol,
            .otherSymbol:
            return true
        default: return false
        }
    }
}

/// Why a text is refused; its description is a sentence that tells the person who wrote it what to do.
public enum TextFault: Error, Sendable, Hashable, CustomStringConvertible {
    case nothingVisible
    case tooManyCharacters(max: Int)
    case tooManyBytes(max: Int)
    case lineBreak
    case controlCharacter
    case directionCharacter

    public var description: String {
        switch self {
        case .nothingVisible: "Write something that can be seen."
        case .tooManyCharacters(let max):
            "Write at most \(max) characters; emoji that are made of several count as several."
        case .tooManyBytes(let max): "Write at most \(max) bytes of UTF-8."
        case .lineBreak: "Write this on one line."
        case .controlCharacter: "Leave out control characters."
        case .directionCharacter: "Leave out characters that turn the direction of writing."
        }
    }
}

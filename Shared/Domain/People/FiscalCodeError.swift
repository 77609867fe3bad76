/// Why a text is not a fiscal code (ACC-02).
public enum FiscalCodeError: Error, Equatable, Sendable, CustomStringConvertible {
    case length(Int)
    /// A letter where a digit belongs, or the reverse; places are counted from 1.
    case character(position: Int)
    case month
    case date
    case birthplace
    case checkCharacter
    /// There is no Latin letter in a name to compute a code from.
    case nameWithoutLetters

    public var description: String {
        switch self {
        case .length(let count): "A fiscal code has 16 characters; this one has \(count)."
        case .character(let position): "Character \(position) of the fiscal code cannot stand there."
        case .month: "Character 9 of the fiscal code does not stand for a month."
        case .date: "There is no such day as the one in the fiscal code (characters 7 to 11)."
        case .birthplace: "Characters 12 to 15 of the fiscal code do not stand for a municipality or a foreign state."
        case .checkCharacter:
            "The last character of the fiscal code does not fit the others; please compare all 16 with the card."
        case .nameWithoutLetters: "A name without Latin letters has no fiscal code."
        }
    }
}

public import Primitives

/// The Italian fiscal code of a natural person, *codice fiscale* (ACC-02; D.M. 345 of 23 December 1976): surname and
/// name (3 letters each), year (2), month letter, day (2, plus 40 for women), birthplace (4), check character.
///
/// The code is kept as issued. Where two people would get the same one, the tax office replaces digits by the
/// letters LMNPQRSTUV (*omocodia*); any combination of them is accepted.
public struct FiscalCode: ValidatedText {
    /// The 16 characters as issued, in upper case: what is unique to one person.
    public let description: String
    public let sex: Sex
    public let birthplace: BelfioreCode
    /// The last two digits of the year of birth.
    public let yearOfCentury: Int
    public let month: Int
    public let day: Int

    /// Lower case and blanks at the ends are forgiven, nothing else.
    public init(validating text: String) throws(FiscalCodeError) {
        let code = trimmed(text).map(\.upperCased)
        guard code.count == 16 else { throw .length(text.count) }
        for (index, character) in code.enumerated() {
            let fits =
                switch Self.layout[index] {
                case .letter: character.isUpperCaseLetter
                case .digit: Self.digit(character) != nil
                }
            guard fits else { throw .character(position: index + 1) }
        }
        guard let month = Self.months.firstIndex(of: code[8]) else { throw .month }
        let year = Self.number(code[6..<8])
        let codedDay = Self.number(code[9..<11])
        let day = codedDay > 40 ? codedDay - 40 : codedDay
        // A leap day is possible in a century year too: 2000 was a leap year.
        guard CalendarDate(year: 2000 + year, month: month + 1, day: day) != nil else { throw .date }
        let place = [code[11]] + Self.plainDigits(code[12..<15])
        guard let birthplace = BelfioreCode(String(decoding: place, as: UTF8.self)) else { throw .birthplace }
        guard Self.checkCharacter(code[..<15]) == code[15] else { throw .checkCharacter }
        description = String(decoding: code, as: UTF8.self)
        sex = codedDay > 40 ? .female : .male
        self.birthplace = birthplace
        yearOfCentury = year
        self.month = month + 1
        self.day = day
    }

    /// The code with digits in place of omocodia letters, and the check character that belongs to it. Two different people
    /// may share it (that is what omocodia is for): it serves to find look-alikes, never as the key of a person.
    public var canonical: FiscalCode {
        let code = Array(description.utf8)
        var plain = code[..<6] + Self.plainDigits(code[6..<8]) + [code[8]]
        plain += Self.plainDigits(code[9..<11]) + [code[11]] + Self.plainDigits(code[12..<15])
        return FiscalCode(self, description: Self.completed(plain))
    }

    /// Whether this code may belong to somebody born on `birth`.
    public func agrees(with birth: CalendarDate) -> Bool {
        let (year, month, day) = birth.components
        return (year % 100, month, day) == (yearOfCentury, self.month, self.day)
    }

    /// The latest day that the code may mean and that is not after `reference`. The code does not tell centenarians
    /// from babies: where the date of birth is known, use that. `nil` when no such day lies within 120 years.
    public func birthDate(asOf reference: CalendarDate) -> CalendarDate? {
        let first = reference.year - (reference.year - yearOfCentury) % 100
        return [first, first - 100].lazy
            .compactMap { CalendarDate(year: $0, month: month, day: day) }
            .first { $0 <= reference && reference.year - $0.year <= 120 }
    }

    private init(_ other: FiscalCode, description: String) {
        self.description = description
        sex = other.sex
        birthplace = other.birthplace
        yearOfCentury = other.yearOfCentury
        month = other.month
        day = other.day
    }
}

extension FiscalCode {
    private enum Character { case letter, digit }

    private static let layout: [Character] =
        Array(repeating: .letter, count: 6) + [
            .digit, .digit, .letter, .digit, .digit, .letter, .digit, .digit, .digit,
        ]
        + [.letter]
    static let months = Array("ABCDEHLMPRST".utf8)
    static let omocodia = Array("LMNPQRSTUV".utf8)

    /// A digit, or the letter that stands for it.
    private static func digit(_ character: UInt8) -> Int? {
        character.isDigit ? character.digit : omocodia.firstIndex(of: character)
    }

    private static func number(_ characters: ArraySlice<UInt8>) -> Int {
        characters.reduce(0) { $0 * 10 + (digit($1) ?? 0) }
    }

    private static func plainDigits(_ characters: ArraySlice<UInt8>) -> [UInt8] {
        characters.map { UInt8(ascii: "0") + UInt8(digit($0) ?? 0) }
    }

    static func completed(_ fifteen: some Collection<UInt8>) -> String {
        String(decoding: Array(fifteen) + [checkCharacter(fifteen)], as: UTF8.self)
    }

    /// Values of 0–9 and A–Z in odd places (counted from 1); in even places a digit or letter is worth its rank.
    private static let oddValues = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
    ]

    static func checkCharacter(_ fifteen: some Collection<UInt8>) -> UInt8 {
        var sum = 0
        for (index, character) in fifteen.enumerated() {
            let rank = character.isDigit ? character.digit : Int(character) - Int(UInt8(ascii: "A"))
            sum += index.isMultiple(of: 2) ? oddValues[rank] : rank
        }
        return UInt8(ascii: "A") + UInt8(sum % 26)
    }
}

public import Primitives

extension FiscalCode {
    /// Computes the code of a person as the tax office would, if no one else had it.
    ///
    /// Accents are dropped, and what is not a letter; a name or surname without a Latin letter is an error.
    public static func make(
        surname: String, name: String, birth: CalendarDate, sex: Sex, place: BelfioreCode
    ) throws(FiscalCodeError) -> FiscalCode {
        let (year, month, day) = birth.components
        let codedDay = sex == .female ? day + 40 : day
        var code = try letters(ofSurname: surname) + letters(ofName: name)
        code += digits(year % 100) + [months[month - 1]] + digits(codedDay) + Array(place.description.utf8)
        return try FiscalCode(validating: completed(code))
    }

    /// The consonants, then the vowels, then X, three in all.
    private static func letters(ofSurname surname: String) throws(FiscalCodeError) -> [UInt8] {
        let (consonants, vowels) = try split(surname)
        return Array((consonants + vowels + [UInt8](repeating: UInt8(ascii: "X"), count: 2)).prefix(3))
    }

    /// As a surname, but of four or more consonants the first, the third and the fourth.
    private static func letters(ofName name: String) throws(FiscalCodeError) -> [UInt8] {
        let (consonants, _) = try split(name)
        guard consonants.count >= 4 else { return try letters(ofSurname: name) }
        return [consonants[0], consonants[2], consonants[3]]
    }

    private static func split(_ name: String) throws(FiscalCodeError) -> (consonants: [UInt8], vowels: [UInt8]) {
        let letters = name.uppercased().unicodeScalars.flatMap(latin)
        guard !letters.isEmpty else { throw .nameWithoutLetters }
        return (letters.filter { !vowels.contains($0) }, letters.filter { vowels.contains($0) })
    }

    private static let vowels = Array("AEIOU".utf8)

    /// The plain letters that stand for an upper-case letter of European alphabets in Latin script; combining marks vanish.
    private static func latin(_ scalar: Unicode.Scalar) -> [UInt8] {
        if scalar.isASCII { return UInt8(scalar.value).isUpperCaseLetter ? [UInt8(scalar.value)] : [] }
        return plainLetters.first { $0.accented.contains(scalar) }.map { Array($0.plain.utf8) } ?? []
    }

    private static let plainLetters: [(plain: String, accented: String.UnicodeScalarView)] = [
        ("A", "ÀÁÂÃÄÅĀĂĄǍ"), ("AE", "Æ"), ("C", "ÇĆĈĊČ"), ("D", "ÐĎĐ"), ("E", "ÈÉÊËĒĔĖĘĚ"), ("G", "ĜĞĠĢ"), ("H", "ĤĦ"),
        ("I", "ÌÍÎÏĨĪĬĮİǏ"), ("J", "Ĵ"), ("K", "Ķ"), ("L", "ĹĻĽĿŁ"), ("N", "ÑŃŅŇ"), ("O", "ÒÓÔÕÖØŌŎŐǑ"), ("OE", "Œ"),
        ("R", "ŔŖŘ"), ("S", "ŚŜŞŠȘ"), ("T", "ŢŤŦȚ"), ("TH", "Þ"), ("U", "ÙÚÛÜŨŪŬŮŰŲǓ"), ("W", "Ŵ"), ("Y", "ÝŶŸ"),
        ("Z", "ŹŻŽ"),
    ].map { ($0.0, $0.1.unicodeScalars) }

    private static func digits(_ value: Int) -> [UInt8] {
        [UInt8(ascii: "0") + UInt8(value / 10), UInt8(ascii: "0") + UInt8(value % 10)]
    }
}

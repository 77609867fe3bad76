/// An Italian VAT number, *partita IVA* (ACC-03): 11 digits, the last a check digit (Luhn's, ISO/IEC 7812-1).
public struct VATNumber: ValidatedText {
    /// The 11 digits, without the country prefix.
    public let description: String

    /// A prefix `IT` and blanks at the ends are forgiven.
    public init(validating text: String) throws(VATNumberError) {
        var digits = trimmed(text)
        if digits.prefix(2).map(\.upperCased) == Array("IT".utf8) { digits.removeFirst(2) }
        guard digits.count == 11, digits.allSatisfy(\.isDigit) else { throw .form }
        // The first seven are the number of the company; zero is not given out.
        guard digits[..<7].contains(where: { $0.digit != 0 }), Self.luhnSum(digits) % 10 == 0 else { throw .checkDigit }
        description = String(decoding: digits, as: UTF8.self)
    }

    private static func luhnSum(_ digits: [UInt8]) -> Int {
        var sum = 0
        for (index, character) in digits.enumerated() {
            let value = index.isMultiple(of: 2) ? character.digit : character.digit * 2
            sum += value > 9 ? value - 9 : value
        }
        return sum
    }
}

/// Why a text is not a VAT number.
public enum VATNumberError: Error, Equatable, Sendable, CustomStringConvertible {
    case form
    case checkDigit

    public var description: String {
        switch self {
        case .form: "A VAT number has 11 digits."
        case .checkDigit: "The last digit of the VAT number does not fit the others; please compare all 11."
        }
    }
}

/// A phone number in international form (ITU-T E.164): a plus sign and 7 to 15 digits, country code first.
public struct PhoneNumber: ValidatedText {
    /// The plus sign and the digits, nothing else.
    public let description: String

    /// Blanks, hyphens, dots, slashes and brackets are forgiven, and `00` in place of the plus sign.
    public init(validating text: String) throws(PhoneNumberError) {
        var digits = trimmed(text).filter { !Self.separators.contains($0) }
        if digits.first == UInt8(ascii: "+") {
            digits.removeFirst()
        } else if digits.starts(with: "00".utf8) {
            digits.removeFirst(2)
        } else {
            throw .countryCode
        }
        guard digits.allSatisfy(\.isDigit), (7...15).contains(digits.count), digits[0] != UInt8(ascii: "0") else {
            throw .form
        }
        description = "+" + String(decoding: digits, as: UTF8.self)
    }

    private static let separators = Set(" -./()".utf8)
}

/// Why a text is not a phone number.
public enum PhoneNumberError: Error, Equatable, Sendable, CustomStringConvertible {
    case countryCode
    case form

    public var description: String {
        switch self {
        case .countryCode: "The phone number must begin with + and the country code, as in +39 02 1234567."
        case .form: "A phone number has 7 to 15 digits after the +."
        }
    }
}
